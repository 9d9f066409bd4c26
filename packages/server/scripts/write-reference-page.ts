// Writes the page of /docs to the assets, plain and compressed. Part of the build.
import { writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { apiPage } from "./api-reference/page.ts"

const file = new URL("../assets/docs/index.html", import.meta.url)
const page = apiPage()
await writeFile(file, page)
await writeFile(new URL("index.html.gz", file), gzipSync(page, { level: 9 }))

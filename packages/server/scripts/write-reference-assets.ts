// Writes the page of /docs, plain and compressed, and the OpenAPI documents to the assets. Part of the build.
import { writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { openApiDocuments } from "../src/app/reference/openapi.ts"
import { apiPage } from "./api-reference/page.ts"
import { webhookOperations } from "./webhook-operations.ts"

const assets = new URL("../assets/docs/", import.meta.url)
const page = apiPage()
await writeFile(new URL("index.html", assets), page)
await writeFile(new URL("index.html.gz", assets), gzipSync(page, { level: 9 }))
for (const { document, file, prefix } of openApiDocuments()) {
  const whole = { ...document, webhooks: webhookOperations(prefix) }
  await writeFile(new URL(file, assets), JSON.stringify(whole))
}

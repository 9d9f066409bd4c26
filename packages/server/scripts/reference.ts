// Writes docs/reference/api.md. A test says when it was not run.
import { writeFile } from "node:fs/promises"
import { apiReference } from "./api-reference.ts"

await writeFile(new URL("../../../docs/reference/api.md", import.meta.url), apiReference())

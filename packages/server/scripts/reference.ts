// Writes docs/reference/api.md, and what the tools for agents know of the API. A test says when it was not run.
import { writeFile } from "node:fs/promises"
import { agentOperations } from "./agent-operations.ts"
import { apiReference } from "./api-reference.ts"

const root = new URL("../../../", import.meta.url)
await writeFile(new URL("docs/reference/api.md", root), apiReference())
await writeFile(new URL("packages/agent-tools/src/operations.json", root), agentOperations())

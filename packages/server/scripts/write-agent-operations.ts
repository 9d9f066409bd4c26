// Writes what the tools for agents know of the API, from the contract. Part of the build of agent-tools, which the
// builds of the CLI and the server wait for: it needs the sources of the contract, and nothing built of the server.
import { writeFile } from "node:fs/promises"
import { agentOperations } from "./agent-operations.ts"

const file = new URL("../../agent-tools/src/operations.json", import.meta.url)
await writeFile(file, agentOperations())

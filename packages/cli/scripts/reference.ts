// Writes docs/reference/cli.md. A test says when it was not run.

import { writeFile } from "node:fs/promises"
import { cliReference } from "./cli-reference.ts"

await writeFile(new URL("../../../docs/reference/cli.md", import.meta.url), await cliReference())

// Writes docs/reference/cli.md. A test fails if the page is out of date.

import { writeFile } from "node:fs/promises"
import { cliReference } from "./cli-reference.ts"

await writeFile(new URL("../../../docs/reference/cli.md", import.meta.url), await cliReference())

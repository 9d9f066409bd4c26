/** Where the tests of a run find the script: built once before them, in the folder of the run. */
import { join } from "node:path"
import { runFolder } from "../../../../scripts/test-run/temporary-folder.ts"

export const builtFiles = join(runFolder(), "pixel")

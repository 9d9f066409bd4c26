// Temporary folders for tests. They're in the run's folder and are removed with it, so tests don't remove their own.
// Files in the system's temporary folder come from the program under test, and the program must remove them
// (each-file.ts).
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { runFolderVariable } from "./environment.ts"

/** The folder of the run. */
export const runFolder = (): string => {
  const folder = process.env[runFolderVariable]
  if (folder === undefined) throw new Error("Only tests have a run folder")
  return folder
}

/** Creates an empty folder whose name starts with `name`. */
export const temporaryFolder = (name: string): string => mkdtempSync(join(runFolder(), `${name}-`))

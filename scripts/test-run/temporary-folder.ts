// Folders of tests. They are in the folder of the run and go with it, so no test removes its own; what is made in the
// system's place for temporary files is the program's, and the program has to remove it (each-file.ts).
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { runFolderVariable } from "./environment.ts"

/** The folder of the run. */
export const runFolder = (): string => {
  const folder = process.env[runFolderVariable]
  if (folder === undefined) throw new Error("Only tests have a folder of their run")
  return folder
}

/** A new, empty folder; the name is the start of its own. */
export const temporaryFolder = (name: string): string => mkdtempSync(join(runFolder(), `${name}-`))

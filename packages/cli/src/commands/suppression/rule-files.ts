// What the commands that read files of rules have in common.

import { usageError } from "../../errors/usage-error.ts"
import { canAsk, type Terminal } from "../../terminal/terminal.ts"

/**
 * Where the rejected rows of each file go: beside it, or to the one file named. Null for standard input,
 * which has no place. Errors: usage, for one name and several files.
 */
export const rejectedFiles = (
  files: ReadonlyArray<string>,
  named: string | undefined,
): ReadonlyArray<string | null> => {
  if (named !== undefined && files.length > 1) {
    throw usageError("--rejected is for one file; of several each has its own FILE.rejected.csv.")
  }
  return files.map((file) => named ?? (file === "-" ? null : `${file}.rejected.csv`))
}

/** Before a large file is read in vain. Errors: usage, when nobody is there to be asked. */
export const refuseUnheardQuestion = (
  terminal: Terminal,
  { yes }: { readonly yes?: true },
): void => {
  if (yes || canAsk(terminal)) return
  throw usageError(
    "There is no terminal to show the plan on and ask.",
    "Add --yes to do it without asking.",
  )
}

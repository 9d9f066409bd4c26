// What commands that change the list print: a bounded result, and nothing with --quiet.

import type { GlobalOptions } from "../connection/global-options.ts"
import { isJsonGiven } from "../output/output-format.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { Prepared } from "./prepared.ts"

/** How many rows of each kind a result for programs lists. The file of rejected rows has all. */
export const SHOWN_MAX = 10

/** The result of reading, as short as a mail from cron should be. */
export const shortPrepared = (prepared: Prepared): Prepared => ({
  ...prepared,
  rejected: prepared.rejected.slice(0, SHOWN_MAX),
  freeMailDomains: prepared.freeMailDomains.slice(0, SHOWN_MAX),
})

/** Prints unless --quiet is set. A format that was asked for is printed anyway. */
export const printChange = async (
  { isQuiet }: Terminal,
  options: GlobalOptions,
  print: () => Promise<void>,
): Promise<void> => {
  if (!isQuiet || isJsonGiven(options) || options.output !== undefined) await print()
}

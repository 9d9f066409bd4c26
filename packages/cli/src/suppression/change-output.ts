// What commands that change the list print: a bounded result, and nothing with --quiet.

import type { GlobalOptions } from "../connection/global-options.ts"
import { isJsonGiven } from "../output/output-format.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { ServerPlan } from "./server-plan.ts"

/** How many rows of each kind a result for programs lists. The file of rejected rows has all. */
const SHOWN_MAX = 10

/** What the files contain, as short as a mail from cron should be. */
export const figuresOf = ({ files, plan }: ServerPlan) => ({
  rows: plan.rows,
  rules: plan.rules,
  rulesByType: plan.byType.rules,
  repeated: plan.repeated,
  rejectedCount: plan.rejected,
  rejectedByType: plan.byType.rejected,
  rejectedByReason: Object.fromEntries(
    plan.rejectedByReason.map(({ reason, rows }) => [reason, rows]),
  ),
  freeMailDomains: plan.freeMailDomains.slice(0, SHOWN_MAX),
  files: files.map(({ file, rejectedFile }, index) => {
    const { reading, rejected, rows } = plan.files[index]!
    return { file, reading, rows, rejectedCount: rejected, rejectedFile }
  }),
  rejected: plan.rejectedRows
    .slice(0, SHOWN_MAX)
    .map((row) => ({ ...row, file: files[row.file]!.file })),
})

/** Prints unless --quiet is set. A format that was asked for is printed anyway. */
export const printChange = async (
  { isQuiet }: Terminal,
  options: GlobalOptions,
  print: () => Promise<void>,
): Promise<void> => {
  if (!isQuiet || isJsonGiven(options) || options.output !== undefined) await print()
}

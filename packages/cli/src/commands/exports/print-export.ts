// Prints one export and the link to its file, as every command does that has one.

import type { ExportWithLink } from "@footfall/sdk"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"

export const printExport = (
  terminal: Terminal,
  options: GlobalOptions,
  result: ExportWithLink,
): Promise<void> =>
  printResult(terminal, options, result, async (columns) => {
    const [{ drawn }, { ExportView }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/ExportView.tsx"),
    ])
    return (
      drawn(ExportView, { result, now: terminal.now, screenColumns: columns }, columns) +
      linkText(result)
    )
  })

/** On one line however long, so that it can be copied. */
const linkText = ({ downloadUrl }: ExportWithLink): string =>
  downloadUrl === null ? "" : lines("", downloadUrl)

// Reads files into a spool and shows the progress.

import { statSync } from "node:fs"
import { counted, countText, rateText, sizeText } from "../ui/text.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { showWork } from "../terminal/work.ts"
import { prepare, type PrepareRequest } from "./prepare.ts"
import type { Prepared } from "./prepared.ts"
import { SpoolWriter } from "./rule-spool.ts"
import { sourceName } from "./source-file.ts"

/** Errors: those of `prepare`. */
export const prepareShown = async (
  terminal: Terminal,
  request: PrepareRequest,
  spool: string,
): Promise<Prepared> => {
  const { files } = request
  const bytesTotal = files.includes("-") ? null : sizeOf(files)
  const [first = ""] = files
  const title = `Reading ${files.length === 1 ? sourceName(first) : `${files.length} files`}`
  let bytes = 0
  let figures = { rows: 0, rejectedCount: 0 }
  const work = await showWork(terminal, (elapsedMs) => ({
    title,
    fraction: bytesTotal === null || bytesTotal === 0 ? null : bytes / bytesTotal,
    figures: [
      counted(figures.rows, "row"),
      rateText({ done: figures.rows, left: null, elapsedMs }, "rows"),
      figures.rejectedCount === 0 ? null : `${countText(figures.rejectedCount)} rejected`,
      bytesTotal === null ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(bytesTotal)}`,
    ].filter((figure) => figure !== null),
  }))
  try {
    return await prepare(terminal, request, new SpoolWriter(spool), {
      onBytes: (count) => (bytes += count),
      onRows: ({ rows, rejectedCount }) => (figures = { rows, rejectedCount }),
    })
  } finally {
    work.end()
  }
}

/** Unreadable files are reported when they are read. */
const sizeOf = (files: ReadonlyArray<string>): number =>
  files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

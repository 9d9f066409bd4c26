// The pages of an export, from where it stopped, and its progress. Each page is written before the next is requested,
// in constant memory.

import type { Footfall, Visitor, VisitorListMeta } from "@footfall/sdk"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { jsonLine } from "../output/json.ts"
import { type Waiting, withRetries } from "../retry/retry.ts"
import { type RunningWait, waitText } from "../retry/running-wait.ts"
import type { ProgressScreenProps } from "../terminal/progress-on-screen.tsx"
import { countText, rateText, sizeText, timeLeftText } from "../ui/text.ts"
import { visitorColumns } from "../visitors/columns.ts"
import type { ExportFormat, ExportJournal } from "./export-file.ts"

/** Where the rows go: a file with its journal, or standard output. */
interface ExportSink {
  readonly journal: ExportJournal
  readonly append: (text: string, state: Omit<ExportJournal, "bytes">) => void | Promise<void>
}

/** Writes every page that the sink does not have yet. Calls `onPage` after each page. */
export const exportPages = async (
  client: Footfall,
  sink: ExportSink,
  { onPage, ...waiting }: Waiting & { readonly onPage: (journal: ExportJournal) => void },
): Promise<void> => {
  const { question, format, cursor } = sink.journal
  const isNew = sink.journal.bytes === 0
  if (!isNew && cursor === null) return
  const list = client.visitors.list(
    cursor === null ? question : { ...question, cursor },
    // The SDK does not retry here, because we show the waits ourselves.
    { maxRetries: 0 },
  )
  let page = await withRetries(async () => list, waiting)
  let heading = isNew && format === "csv" ? csvHeader(visitorColumns) : ""
  for (;;) {
    await sink.append(heading + rowsText(format, page.data), {
      ...sink.journal,
      ...position(page.meta),
      rows: sink.journal.rows + page.data.length,
    })
    heading = ""
    onPage(sink.journal)
    const current = page
    const next = await withRetries(() => current.nextPage(), waiting)
    if (next === null) return
    page = next
  }
}

const position = (meta: VisitorListMeta): Pick<ExportJournal, "cursor" | "cursorAt" | "total"> => ({
  cursor: meta.nextCursor,
  // Uses this computer's clock, because a later run compares it with the same clock.
  cursorAt: new Date().toISOString(),
  total: meta.total,
})

const rowsText = (format: ExportFormat, visitors: ReadonlyArray<Visitor>): string =>
  visitors
    .map((visitor) => (format === "csv" ? csvRow(visitorColumns, visitor) : jsonLine(visitor)))
    .join("")

/** Everything the screen depends on. */
export interface ExportProgress {
  readonly title: string
  readonly journal: ExportJournal
  /** Rows already written when this run started. */
  readonly rowsBefore: number
  readonly beganMs: number
  readonly nowMs: number
  /** On the same clock as `nowMs`. */
  readonly wait: RunningWait | null
}

/** Rows written, total, rate and time left. */
export const exportProgress = (progress: ExportProgress): ProgressScreenProps => {
  const { title, journal, rowsBefore, beganMs, nowMs, wait } = progress
  const { rows, total, bytes } = journal
  const advance = { done: rows - rowsBefore, left: total - rows, elapsedMs: nowMs - beganMs }
  return {
    title,
    fraction: total === 0 ? null : rows / total,
    figures: [
      total === 0 ? `${countText(rows)} rows` : `${countText(rows)} of ${countText(total)} rows`,
      rateText(advance, "rows"),
      timeLeftText(advance),
      sizeText(bytes),
    ].filter((figure) => figure !== null),
    waitText: wait === null ? null : waitText(wait, nowMs),
  }
}

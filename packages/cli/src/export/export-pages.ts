// The pages of an export, from where it stopped, and its progress. Each page is written before the next is requested,
// in constant memory.

import type { Footfall, Visitor, VisitorListMeta } from "@footfall/sdk"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { setTimeout as wait } from "node:timers/promises"
import { jsonLine } from "../output/json.ts"
import { type RunningWait, type Waiting, waitText, withRetries } from "../retry/retry.ts"
import type { ProgressScreenProps } from "../terminal/progress-on-screen.tsx"
import { countText, rateText, sizeText, timeLeftText } from "../ui/text.ts"
import { visitorColumns } from "../visitors/columns.ts"
import type { ExportFormat, ExportJournal } from "./export-file.ts"
import { showProgress } from "../terminal/work.ts"
import { type Terminal, writeSafe } from "../terminal/terminal.ts"

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
  total: meta.total ?? 0, // null if counting took too long
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

// An export to a pipe: the same pages and waits, but it cannot be resumed.

/** Writes every row. Errors: those of the server. */
export const exportToStdout = async (
  terminal: Terminal,
  client: Footfall,
  { question, format }: Pick<ExportJournal, "question" | "format">,
): Promise<void> => {
  const cursorAt = terminal.now.toISOString()
  const begun = { version: 1, server: client.baseUrl, question, format, cursor: null } as const
  let journal: ExportJournal = { ...begun, cursorAt, rows: 0, bytes: 0, total: 0 }
  let running: RunningWait | null = null
  const beganMs = performance.now()
  const state = () =>
    exportProgress({
      title: "Exporting to standard output",
      journal,
      rowsBefore: 0,
      beganMs,
      nowMs: performance.now(),
      wait: running,
    })
  // On a terminal, the rows already show the progress, and a progress bar would mix with them.
  const progress = terminal.stdout.isTTY ? null : await showProgress(terminal, state)
  const sink = {
    get journal() {
      return journal
    },
    append: async (text: string, next: Omit<ExportJournal, "bytes">): Promise<void> => {
      await writeSafe(terminal, text)
      journal = { ...next, bytes: journal.bytes + Buffer.byteLength(text) }
    },
  }
  try {
    await exportPages(client, sink, {
      wait,
      onWait: (started) => {
        running = started === null ? null : { ...started, sinceMs: performance.now() }
        progress?.update()
      },
      onPage: () => progress?.update(),
    })
  } finally {
    progress?.end()
  }
}

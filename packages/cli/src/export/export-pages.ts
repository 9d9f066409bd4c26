// The walk of an export: page after page from where it stopped, each written before the next is asked
// for, in constant memory.

import type { Footfall, Visitor, VisitorListMeta } from "@footfall/sdk"
import { visitorColumns } from "../commands/visitors/visitor-columns.ts"
import { csvHeader, csvRow } from "../output/csv.ts"
import { jsonLine } from "../output/json.ts"
import type { ExportFormat, ExportJournal } from "./export-journal.ts"
import { patiently, type Patience } from "../patience/patience.ts"

/** Where the rows go: a file with its journal, or standard output. */
export interface ExportSink {
  readonly journal: ExportJournal
  readonly append: (text: string, state: Omit<ExportJournal, "bytes">) => void | Promise<void>
}

/** Writes every page that the sink has not yet. `onPage` hears after each. */
export const exportPages = async (
  client: Footfall,
  sink: ExportSink,
  { onPage, ...patience }: Patience & { readonly onPage: (journal: ExportJournal) => void },
): Promise<void> => {
  const { question, format, cursor } = sink.journal
  const isNew = sink.journal.bytes === 0
  if (!isNew && cursor === null) return
  const list = client.visitors.list(
    cursor === null ? question : { ...question, cursor },
    // Waits are said openly, so they are not left to the SDK.
    { retriesMax: 0 },
  )
  let page = await patiently(async () => list, patience)
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
    const next = await patiently(() => current.nextPage(), patience)
    if (next === null) return
    page = next
  }
}

const position = (meta: VisitorListMeta): Pick<ExportJournal, "cursor" | "cursorAt" | "total"> => ({
  cursor: meta.nextCursor,
  // By this computer's clock, because it is this one that a later run looks at.
  cursorAt: new Date().toISOString(),
  total: meta.total,
})

const rowsText = (format: ExportFormat, visitors: ReadonlyArray<Visitor>): string =>
  visitors
    .map((visitor) => (format === "csv" ? csvRow(visitorColumns, visitor) : jsonLine(visitor)))
    .join("")

// Export screens, as text.

import { renderToString } from "ink"
import { expect, test } from "vitest"
import { exportBegun, exportWithLink, runExport } from "../../test/fixtures/run-records.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { exportList } from "./exports.ts"
import { ExportView } from "./views.tsx"

const now = new Date("2026-03-11T10:03:01.480Z")
const meta = {
  timestamp: "2026-03-11T10:03:01.480Z",
  request_id: "req_1",
  total: 2,
  limit: 25,
  offset: 0,
  hasMore: false,
  nextCursor: null,
}

test.each([60, 80, 120])("at %i columns a table shows whole ids", (columns) => {
  const text = renderToString(
    <ListScreen
      table={exportList.table}
      rows={[exportBegun.export, { ...runExport, id: "5d3f0f4e-0000-4000-8000-000000000002" }]}
      meta={meta}
      now={now}
      screenColumns={columns}
    />,
    { columns },
  )

  expect(text).toContain(runExport.id)
  expect(text).toMatch(/processing .* 58m ago/)
  expect(/completed +2 +1\.5 KiB/.test(text)).toBe(columns >= 80)
  expect(text.includes("freight-readers-2026")).toBe(columns >= 120)
  expect(text).toContain("2 exports")
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test.each([60, 80, 120])("at %i columns an export describes its file", (columns) => {
  const view = (result: typeof exportWithLink) =>
    renderToString(
      <ExportView result={result} now={now} timeZone="UTC" screenColumns={columns} />,
      { columns },
    )

  const text = view(exportWithLink)
  expect(text).toContain("completed · freight-readers-2026-03-10.csv")
  expect(text).toMatch(/People +2 people\n/)
  expect(text).toMatch(/Size +1\.5 KiB\n/)
  expect(text).toMatch(/Kept until +2026-03-18 09:05\n/)
  expect(text).toMatch(/Link expires +2026-03-12 09:05\n/)
  expect(text.replaceAll(/\s+/g, "")).toContain(runExport.contentSha256)
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns)

  expect(view(exportBegun)).not.toMatch(/People|Size|SHA|until/)
  expect(view({ ...exportBegun, export: { ...runExport, status: "expired" } })).toMatch(
    /Removed +2026/,
  )
  const failed = { ...exportBegun.export, status: "failed", errorCode: "STORAGE_FULL" } as const
  expect(view({ ...exportBegun, export: { ...failed, errorMessage: "No room." } })).toContain(
    "STORAGE_FULL: No room.",
  )
})

// Run screens, as text.

import { renderToString } from "ink"
import { describe, expect, test } from "vitest"
import { run, runResult, runStatistics } from "../../test/fixtures/run-records.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { resultList, runList } from "./lists.ts"
import { RunStatisticsView, RunView } from "./views.tsx"
import { runFigures, runFraction, runStatusText } from "./words.ts"

const now = new Date("2026-03-11T10:03:01.480Z")
const listMeta = {
  timestamp: "2026-03-11T10:03:01.480Z",
  request_id: "req_1",
  total: 1,
  limit: 25,
  offset: 0,
  hasMore: false,
  nextCursor: null,
}
const drawn = (screen: Parameters<typeof renderToString>[0], columns = 80) =>
  renderToString(screen, { columns })

test("statistics are bars; values that are unknown for everyone share one line", () => {
  const text = drawn(<RunStatisticsView run={run} stats={runStatistics} screenColumns={80} />)

  expect(text).toContain("2 people on 2026-03-10 · average score 82.5, in 1.5 topics")
  expect(text).toMatch(/70-89 +1 +50\.00 % +█+/)
  expect(text).toMatch(/businessEmail +2 +100\.00 % +█+/)
  expect(text).toMatch(/50-69 +0 +0\.00 %\s*\n/)
  expect(text.replaceAll(/\s+/g, " ")).toContain("Unknown for everyone: linkedinUrl, headline,")
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80)
})

test("statistics without people have no bars", () => {
  const stats = { ...runStatistics, total: 0, averages: { score: null, topicOverlap: null } }

  expect(drawn(<RunStatisticsView run={run} stats={stats} screenColumns={80} />)).toMatch(
    /^0 people on 2026-03-10$/m,
  )
})

test("a run shows its result", () => {
  const view = (changes: Partial<typeof run>) =>
    drawn(<RunView run={{ ...run, ...changes }} now={now} timeZone="UTC" screenColumns={80} />)

  expect(view({})).toContain("completed · manual run on data from 2026-03-10")
  expect(view({})).toContain("2 people of 3 who match")
  const failed = view({ status: "failed", errorCode: "QUERY_TIMEOUT", errorMessage: "Too long." })
  expect(failed).toContain("QUERY_TIMEOUT: Too long.")
})

test.each([60, 80, 120])("at %i columns a run fits the screen in any state", (columns) => {
  const changes: ReadonlyArray<Partial<typeof run>> = [
    {},
    {
      status: "failed",
      errorCode: "QUERY_TIMEOUT",
      errorMessage: "It exceeded its time limit. ".repeat(5),
    },
    { status: "queued", attempts: 2, errorCode: "QUERY_TIMEOUT", nextAttemptAt: run.updatedAt },
  ]
  for (const change of changes) {
    const props = { run: { ...run, ...change }, now, timeZone: "UTC", screenColumns: columns }
    const text = drawn(<RunView {...props} />, columns)

    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns)
    expect(text.split("\n").filter((line) => /^[ ·]/.test(line))).toEqual([])
    expect(text).toContain(run.id)
  }
})

test("tables of runs and people never cut ids and addresses", () => {
  expect(
    drawn(
      <ListScreen
        table={runList.table}
        rows={[run]}
        meta={listMeta}
        now={now}
        screenColumns={80}
      />,
    ),
  ).toContain(run.id)
  const people = [runResult, { ...runResult, email: null }]
  const table = drawn(
    <ListScreen
      table={resultList.table}
      rows={people}
      meta={{ ...listMeta, total: 2 }}
      now={now}
      screenColumns={160}
    />,
    160,
  )
  expect(table).toContain("jane.mercer@harbor-logistics.example")
  expect(table).toContain("#930ddda806d6")
})

describe("progress", () => {
  test.each([
    [{ status: "queued", attempts: 0 }, "queued", null],
    [{ status: "running", attempts: 1 }, "running", null],
    [{ status: "running", attempts: 2 }, "running, attempt 2", null],
    [
      { status: "queued", attempts: 1, errorCode: "QUERY_TIMEOUT" },
      /again after QUERY_TIMEOUT/,
      null,
    ],
    [{ status: "completed" }, "completed", 1],
  ] as const)("%j reads", (changes, text, fraction) => {
    const present = { ...run, ...changes }

    expect(runStatusText(present)).toMatch(text)
    expect(runFraction(present)).toBe(fraction)
  })

  test("shows the counts when it ends, and the elapsed time until then", () => {
    expect(runFigures(run, 5_000)).toEqual(["completed", "2 people of 3 who match"])
    expect(runFigures({ ...run, status: "running" }, 65_000)).toEqual(["running", "1m 5s"])
  })
})

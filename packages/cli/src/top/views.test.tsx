// The live screen as text, at terminal widths.

import type { Company, Delivery, Run } from "@footfall/sdk"
import { renderToString } from "ink"
import { expect, test } from "vitest"
import { visitor } from "../../test/fixtures/records.ts"
import { run } from "../../test/fixtures/run-records.ts"
import type { Snapshot } from "./snapshot.ts"
import { minuteBars, TopView, type TopViewProps } from "./views.tsx"
import { textWidth } from "../ui/column-widths.ts"

const delivery: Delivery = {
  id: "0c8e1f0e-52b4-4a55-a03a-96c5d8f0a6a1",
  audienceId: run.audienceId,
  destinationId: "72c2caee-8b8d-4561-a8f3-fa549b992a9d",
  mode: "incremental",
  status: "processing",
  sourceRunId: run.id,
  baselineRunId: null,
  sourceCount: 1000,
  processedCount: 250,
  sentCount: 240,
  skippedCount: 8,
  failedCount: 2,
  removedCount: 0,
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  destinationConfigRevision: 1,
  batchIndex: 0,
  nextAttemptAt: null,
  retryOfDeliveryId: null,
  attempts: 1,
  errorCode: null,
  errorMessage: null,
  startedAt: "2026-03-11T10:00:00.000Z",
  completedAt: null,
  createdAt: "2026-03-11T10:00:00.000Z",
  updatedAt: "2026-03-11T10:00:00.000Z",
}

const snapshot: Snapshot = {
  at: new Date("2026-03-11T10:00:30.000Z"),
  perMinute: Array.from({ length: 60 }, (_, index) => index % 7),
  companies: [],
  latest: Array.from({ length: 50 }, (_, index) => visitor(index)),
  queues: [
    { queue: "runs", waiting: 2, delayed: 1, working: 3, lagSeconds: 75 },
    { queue: "ready_mails", waiting: 0, delayed: 0, working: 0, lagSeconds: 0 },
  ],
  runs: [{ kind: "run", audience: "Warehouse buyers", run: { ...run, status: "running" } }],
  deliveries: [{ kind: "delivery", audience: "Warehouse buyers", delivery }],
}

const drawn = (changes: Partial<TopViewProps> = {}, columns = 80): string =>
  renderToString(
    <TopView
      snapshot={snapshot}
      server="http://127.0.0.1:4100"
      footer="every 5 s · q quits"
      warning={null}
      screenColumns={columns}
      screenRows={30}
      {...changes}
    />,
    { columns },
  )

test.each([60, 80, 120])("at %i columns everything is shown and nothing is cut off", (columns) => {
  const text = drawn({}, columns)

  for (const part of [
    "Visitors per minute",
    "min ago",
    "Last seen",
    "runs 2 + 3 working + 1 later (1m 15s behind)",
    "ready mails 0",
    "delivery  Warehouse bu",
    "240 of 1,000 sent",
    "q quits",
  ]) {
    expect(text.replaceAll(/\s*\n\s*/g, " ")).toContain(part)
  }
  expect(Math.max(...text.split("\n").map(textWidth))).toBeLessThanOrEqual(columns)
})

test.each([24, 30, 50])("on %i rows it fits the screen, so that nothing scrolls", (rows) => {
  expect(drawn({ screenRows: rows }).split("\n").length).toBeLessThan(rows)
})

test.each([18, 20, 24, 30])(
  "on %i rows of any width every part is shown, and only the chart is left out",
  (screenRows) => {
    for (const columns of [60, 80, 120]) {
      const lines = drawn({ screenRows }, columns).trimEnd().split("\n")

      expect(lines.length).toBeLessThan(screenRows)
      for (const whole of ["Latest", "Queues", "In progress"]) expect(lines).toContain(whole)
      expect(lines.filter((line) => line.startsWith("Email "))).toHaveLength(1)
      expect(lines.filter((line) => /\d[hd] ago$/.test(line)).length).toBeGreaterThan(0)
      expect(lines.some((line) => line.includes("240 of 1,000 sent"))).toBe(true)
      expect(lines.at(-1)).toContain("q quits")
    }
  },
)

test("a taller screen shows more visitors", () => {
  const visitors = (screenRows: number) => (drawn({ screenRows }).match(/\d[hd] ago/g) ?? []).length

  expect(visitors(50) - visitors(30)).toBe(20)
})

test("companies are shown with their sessions, on one line", () => {
  const of = (name: string | null, domain: string, sessions: number, anonymousSessions: number) =>
    ({ name, domain, sessions, anonymousSessions }) as Company
  const companies = [of("Harbor", "harbor.example", 5, 3), of(null, "acme.example", 1, 0)]

  expect(drawn({ snapshot: { ...snapshot, companies } })).toContain(
    "Harbor (5 sessions, 3 anonymous) · acme.example (1 session)",
  )
  expect(drawn({ snapshot: { ...snapshot, companies }, screenRows: 20 })).not.toContain("Harbor (5")
})

test("an empty part says so and what to do", () => {
  const text = drawn({
    snapshot: {
      ...snapshot,
      latest: [],
      queues: null,
      runs: [],
      deliveries: null,
      perMinute: [0, 0],
    },
    warning: "Rate limit reached. Trying again in 30 s.",
  })

  expect(text).toContain("No visitors in the last 24 hours. To find out why: footfall doctor")
  expect(text).toContain("does not expose its queues")
  expect(text).toContain("No runs or deliveries.")
  expect(text).toContain("Sign in to see deliveries: footfall login")
  expect(text).toContain("Trying again in 30 s.")
  expect(text).not.toContain("q quits")
})

test("with many jobs the first are shown and the others counted", () => {
  const runs = Array.from({ length: 9 }, (_, index) => ({
    kind: "run" as const,
    audience: `Audience ${index}`,
    run: { ...run, id: `${index}`, status: "queued" as const, attempts: 0 },
  }))

  expect(drawn({ snapshot: { ...snapshot, runs, deliveries: [] } })).toContain("and 6 others")
})

test("untrusted text cannot control the terminal", () => {
  const hostile = "\u001B]0;owned\u0007\u001B[2J\u202Eevil\nline"
  const person = { ...visitor(1), email: hostile, companyName: hostile, jobTitle: hostile }
  // A newer server may send other codes.
  const queuedAgain: Run = JSON.parse(
    JSON.stringify({ ...run, errorCode: hostile, status: "queued", attempts: 1 }),
  )
  const text = drawn({
    server: hostile,
    warning: hostile,
    snapshot: {
      ...snapshot,
      latest: [person],
      queues: [{ queue: hostile, waiting: 1, delayed: 0, working: 0, lagSeconds: 0 }],
      runs: [{ kind: "run", audience: hostile, run: queuedAgain }],
    },
  })

  // Only the screen's own colors may remain, and there are none here.
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
})

test("bars are proportional, the highest fills the rows, and a single visitor is visible", () => {
  const rows = minuteBars([0, 1, 50, 100], { columns: 20, rows: 2 })

  expect(rows.map(({ label }) => label)).toEqual(["100 ┤", "  0 ┤"])
  expect(rows[0]?.bars).toBe("   ⡇")
  expect(rows[1]?.bars).toBe(" ⡀⡇⡇")
})

test("if not every minute fits, shows the newest", () => {
  const [row] = minuteBars([9, 9, 9, 0, 9], { columns: 5, rows: 1 })

  expect(row?.bars).toBe(" ⡇")
})

// The progress screen of an export.

import { expect, test } from "vitest"
import type { ExportJournal } from "./export-file.ts"
import { exportProgress, type ExportProgress } from "./export-pages.ts"

const journal: ExportJournal = {
  version: 1,
  server: "http://127.0.0.1:4100",
  question: { timeframe: "all", suppressed: "include" },
  format: "csv",
  cursor: "abc",
  cursorAt: "2026-03-11T09:00:00.000Z",
  rows: 1_250,
  bytes: 3 * 1024 * 1024,
  total: 5_000,
}

const shown = (changes: Partial<ExportProgress> = {}) =>
  exportProgress({
    title: "Exporting to visitors.csv",
    journal,
    rowsBefore: 250,
    beganMs: 0,
    nowMs: 10_000,
    wait: null,
    ...changes,
  })

test("shows rows and total, and a rate and time left that ignore earlier rows", () => {
  expect(shown()).toEqual({
    title: "Exporting to visitors.csv",
    fraction: 0.25,
    figures: ["1,250 of 5,000 rows", "100 rows/s", "38s left", "3.0 MiB"],
    waitText: null,
  })
})

test("does not know the total before the first response", () => {
  const begun = { ...journal, rows: 0, bytes: 0, total: 0 }

  expect(shown({ journal: begun, rowsBefore: 0, nowMs: 0 })).toMatchObject({
    fraction: null,
    figures: ["0 rows", "0 B"],
  })
})

test.each([
  ["rate_limit", "Rate limit reached: continuing in 23s."],
  ["unreachable", "Can't reach the server: trying again in 23s."],
] as const)("shows a countdown for %s", (reason, text) => {
  const wait = { reason, seconds: 30, sinceMs: 2_500 }

  expect(shown({ wait }).waitText).toBe(text)
  expect(shown({ wait, nowMs: 60_000 }).waitText).toContain("in 0s.")
})

// The progress screen of an import.

import { expect, test } from "vitest"
import { importProgress } from "./run-import.ts"

const state = {
  title: "Importing signals from signals.csv",
  bytes: 512 * 1024,
  bytesTotal: 1024 * 1024,
  rows: 5_000,
  elapsedMs: 2_000,
  mergingMs: null,
}

test("a file has a bar, a rate and the time left", () => {
  const { fraction, figures } = importProgress(state)

  expect(fraction).toBe(0.5)
  expect(figures).toEqual(["512 KiB of 1.0 MiB", "2s left", "2,500 rows/s", "5,000 rows"])
})

test("a pipe has neither a bar nor an end", () => {
  const { fraction, figures } = importProgress({ ...state, bytesTotal: null })

  expect(fraction).toBeNull()
  expect(figures).toEqual(["512 KiB", "2,500 rows/s", "5,000 rows"])
})

test.each([1024 * 1024, null])(
  "after the last row of %s bytes, shows how long the server has been merging",
  (bytesTotal) => {
    const sent = { ...state, bytesTotal, bytes: 1024 * 1024, mergingMs: 72_000 }

    const { fraction, figures } = importProgress(sent)

    expect(fraction).toBe(1)
    expect(figures).toEqual(["1.0 MiB", "all sent, the server is merging: 1m 12s", "5,000 rows"])
  },
)

test("an empty file has no bar", () => {
  const empty = { ...state, bytes: 0, bytesTotal: 0, rows: 0, mergingMs: 0 }

  expect(importProgress(empty).fraction).toBeNull()
})

// What an operator reads while an import runs.
import { describe, expect, it } from "vitest"
import { progressText } from "./import-progress.ts"

const committed = { inserted: 0, updated: 0 }

describe("the progress of an import", () => {
  it("says how much of a file is read, how fast, and how long the rest takes", () => {
    const text = progressText(
      { received: 1_234_000, committed },
      { read: 250, size: 1_000, seconds: 10 },
    )

    expect(text).toBe("25% · 1,234,000 rows · 123,400 rows/s · 30s left")
  })

  it("says only rows and their rate if the size is unknown or nothing is read", () => {
    const at = { read: 0, seconds: 2 }

    expect(progressText({ received: 10, committed }, { ...at, size: 0 })).toBe("10 rows · 5 rows/s")
    expect(progressText({ received: 10, committed }, { ...at, size: 9 })).toBe("10 rows · 5 rows/s")
  })

  it("never says more than 100%, although a file may grow while it is read", () => {
    const text = progressText({ received: 1, committed }, { read: 20, size: 10, seconds: 1 })

    expect(text).toBe("100% · 1 row · 1 rows/s · 0s left")
  })

  it("names the date that is merged after reading", () => {
    const text = progressText(
      { received: 5, committed, merging: { done: 2, total: 10 } },
      { read: 10, size: 10, seconds: 1 },
    )

    expect(text).toBe("merging date 3 of 10 · 5 rows read")
  })
})

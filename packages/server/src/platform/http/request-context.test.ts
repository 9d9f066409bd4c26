import { expect, it } from "vitest"
import { makeRequestId } from "./request-context.ts"

it("a request id is `req_` and 26 characters of 0-9a-z (spec 1.3)", () => {
  for (let count = 0; count < 1000; count++) {
    expect(makeRequestId()).toMatch(/^req_[0-9a-z]{26}$/)
  }
})

it("request ids do not repeat, and no character is more likely", () => {
  const ids = Array.from({ length: 20_000 }, makeRequestId)
  const counts = new Map<string, number>()
  for (const id of ids) {
    for (const letter of id.slice(4)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }

  expect(new Set(ids).size).toBe(ids.length)
  expect(counts.size).toBe(36)
  // 14,444 of each are expected. A modulo over the whole byte would give four of them 14 % more; ten standard
  // deviations are 8 %.
  const expected = (ids.length * 26) / 36
  for (const [letter, count] of counts) {
    expect(Math.abs(count - expected) / expected, letter).toBeLessThan(0.08)
  }
})

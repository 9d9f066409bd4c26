// Retry-After: both formats of RFC 9110, and nothing else.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { retryAfterSeconds } from "./retry.ts"

const nowMs = Date.parse("2026-03-11T09:00:00.000Z")

describe("retryAfterSeconds", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    [" 7 ", 7],
    ["Wed, 11 Mar 2026 09:00:30 GMT", 30],
    ["Wed, 11 Mar 2026 08:00:00 GMT", 0],
  ])("reads %j as %d seconds", (header, expected) => {
    expect(retryAfterSeconds(header, nowMs)).toBe(expected)
  })

  it.each([null, "", "-5", "1.5", "soon", "7s", "2026-03-11", "Wed, 99 Xyz 2026 09:00:30 GMT"])(
    "ignores %j",
    (header) => {
      expect(retryAfterSeconds(header, nowMs)).toBeNull()
    },
  )

  it("rounds up to whole seconds, so that the client is never early", () => {
    expect(retryAfterSeconds("Wed, 11 Mar 2026 09:00:30 GMT", nowMs - 1)).toBe(31)
  })

  it("returns null or a whole number of at least 0, whatever the header contains", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = retryAfterSeconds(header, nowMs)
        expect(seconds === null || (Number.isInteger(seconds) && seconds >= 0)).toBe(true)
      }),
    )
  })
})

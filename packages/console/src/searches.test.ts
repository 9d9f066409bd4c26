import { afterAll, beforeAll, expect, it, vi } from "vitest"
import {
  midnight,
  readAuditSearch,
  dayError,
  readCompaniesSearch,
  readSuppressionSearch,
} from "./searches.ts"

beforeAll(() => {
  vi.stubEnv("TZ", "America/New_York")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

it("a day begins at local midnight, also when clocks go forward", () => {
  expect(midnight("2026-02-28")).toBe("2026-02-28T05:00:00.000Z")
  expect(midnight("2026-03-08")).toBe("2026-03-08T05:00:00.000Z")
  expect(midnight("2026-03-08", 1)).toBe("2026-03-09T04:00:00.000Z")
})

it("the day after the last of a month or year is the first of the next", () => {
  expect(midnight("2026-02-28", 1)).toBe("2026-03-01T05:00:00.000Z")
  expect(midnight("2024-02-29", 1)).toBe("2024-03-01T05:00:00.000Z")
  expect(midnight("2026-12-31", 1)).toBe("2027-01-01T05:00:00.000Z")
})

it.each([
  "2026-02-31",
  "2026-02-29",
  "2026-04-31",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "0050-01-01",
])("%s is not a valid day, and the message names it", (text) => {
  expect(midnight(text)).toBeUndefined()
  expect(midnight(text, 1)).toBeUndefined()
  expect(dayError(text)).toBe(`${text} is not a valid date. Choose another day.`)
})

it("a search for a number stays, and so does a least number of sessions above one", () => {
  expect(readCompaniesSearch({ q: 2030, sessions: 2 })).toEqual({ q: "2030", sessions: 2 })
  expect(readCompaniesSearch({ q: "", sessions: 1, anonymous: "yes" })).toEqual({})
  expect(readSuppressionSearch({ q: 42, type: "email" })).toEqual({ q: "42", type: "email" })
})

it("neither an empty day nor a valid one is an error", () => {
  expect(midnight(undefined)).toBeUndefined()
  expect([dayError(undefined), dayError("2024-02-29")]).toEqual([undefined, undefined])
})

it("keeps URL parameters in the format of a day, and drops others", () => {
  expect(
    readAuditSearch({ action: "", actor: "system", since: "2026-02-31", until: "yesterday" }),
  ).toEqual({
    actor: "system",
    since: "2026-02-31",
  })
})

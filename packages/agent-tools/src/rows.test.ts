import { describe, expect, test } from "vitest"
import { cursorAt, cutRows, readCursor } from "./rows.ts"

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ index }))

describe("cutRows", () => {
  test("keeps the first rows of a list, and reports where rows were cut", () => {
    const { cuts, value } = cutRows(
      { people: rows(3), journey: { sessions: rows(5) } },
      {
        limit: 3,
        isSeries: false,
      },
    )

    expect(value).toEqual({ people: rows(3), journey: { sessions: rows(3) } })
    expect(cuts).toEqual([{ place: "journey.sessions", total: 5 }])
  })

  test("keeps the last rows of a series", () => {
    expect(cutRows(rows(5), { limit: 2, isSeries: true }).value).toEqual([
      { index: 3 },
      { index: 4 },
    ])
  })

  test("does not cut a list of strings, which is part of its row", () => {
    const value = { emails: ["a", "b", "c"] }

    expect(cutRows(value, { limit: 1, isSeries: false })).toEqual({ value, cuts: [] })
  })
})

test("a cursor within a page includes the page's cursor", () => {
  expect(readCursor(cursorAt(25, "abc:def"))).toEqual({ shown: 25, page: "abc:def" })
  expect(readCursor("abc")).toEqual({ shown: 0, page: "abc" })
  expect(readCursor(undefined)).toEqual({ shown: 0, page: "" })
})

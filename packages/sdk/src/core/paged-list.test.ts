import { expect, it } from "vitest"
import { atCursor } from "./paged-list.ts"

it("a later page is requested by its cursor alone, whatever position the first one was requested by", () => {
  for (const position of [{ page: 3 }, { offset: 50 }, { cursor: "first" }, {}]) {
    expect(atCursor({ ...position, limit: 10 }, "next")).toEqual({ cursor: "next", limit: 10 })
  }
  expect(atCursor({ offset: 50, limit: 10 }, undefined)).toEqual({ offset: 50, limit: 10 })
})

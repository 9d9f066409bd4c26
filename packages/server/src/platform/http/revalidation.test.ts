import { HttpServerResponse } from "effect/http"
import { expect, it } from "vitest"
import { revalidated } from "./revalidation.ts"

const page = (id: string, nextCursor: string, rows = [1]) =>
  HttpServerResponse.jsonUnsafe({
    data: rows,
    meta: { hasMore: true, nextCursor, timestamp: `2026-03-11T09:00:0${id}Z`, request_id: id },
  })

const nowMs = Date.parse("2026-03-11T09:10:00.000Z")

it("a page is unchanged if only its time, its request id and the cursor of the next page differ", () => {
  const first = revalidated(page("1", "cursor-a"), { id: "1", ifNoneMatch: undefined, nowMs })
  const { etag } = first.headers
  const again = (response: HttpServerResponse.HttpServerResponse) =>
    revalidated(response, { id: "2", ifNoneMatch: etag, nowMs }).status

  expect(again(page("2", "cursor-b"))).toBe(304)
  expect(again(page("2", "cursor-b", [1, 2]))).toBe(200)
})

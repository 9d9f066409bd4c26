// Iterating against a model of the list: for all page sizes and server failures, each item appears once and in order,
// within one iteration or resumed from its cursor.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PagedList, type PageMeta } from "../src/core/paged-list.ts"
import { ServiceUnavailableError, type Page } from "../src/index.ts"
import { collect } from "./support/collect.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { call, testTransport } from "./support/transport.ts"

/** Pages of items 0, 1, 2, ... Some pages may be empty. */
const anyPages = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 12 }).map((sizes) => {
  let next = 0
  return sizes.map((size) => Array.from({ length: size }, () => next++))
})

/** For each request in turn: whether the server fails it. */
const anyFailures = fc.array(fc.boolean(), { maxLength: 40 })

/** A list of the model, served through the real transport by an in-process server. */
function listOf(pages: ReadonlyArray<ReadonlyArray<number>>, failures: ReadonlyArray<boolean>) {
  let requests = 0
  const serve = async (request: Request): Promise<Response> => {
    if (failures[requests++] === true) return refusal()
    const cursor = new URL(request.url).searchParams.get("cursor")
    const index = cursor === null ? 0 : Number(cursor)
    const nextCursor = index + 1 < pages.length ? String(index + 1) : null
    return Response.json({ data: pages[index], meta: { nextCursor } })
  }
  const transport = testTransport({ fetch: serve, maxRetries: 2 }, new ManualClock())
  return {
    requests: () => requests,
    from: (start?: string) =>
      new PagedList<number, PageMeta>((cursor) =>
        transport.request(call({ query: { cursor: cursor ?? start } })),
      ),
  }
}

const refusal = (): Response =>
  Response.json({ error: { code: "SERVICE_UNAVAILABLE", message: "x" }, meta: {} }, { status: 503 })

describe("a walk", () => {
  it("returns each item once and in order, with one request per page", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const model = listOf(pages, [])

        expect(await collect(model.from())).toEqual(pages.flat())
        expect(model.requests()).toBe(pages.length)
      }),
    )
  })

  it("returns a prefix on a failure and, resumed at its cursor, each item once", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyFailures, async (pages, failures) => {
        const model = listOf(pages, failures)
        const seen: Array<number> = []
        let last: Page<number, PageMeta> | undefined

        // Three failures in a row end an iteration. The list of failures is finite, so this loop ends.
        while (last === undefined || last.hasNextPage()) {
          try {
            for await (const page of model.from(last?.meta.nextCursor ?? undefined).pages()) {
              seen.push(...page.data)
              last = page
            }
          } catch (error) {
            expect(error).toBeInstanceOf(ServiceUnavailableError)
            expect(pages.flat().slice(0, seen.length)).toEqual(seen)
          }
        }

        expect(seen).toEqual(pages.flat())
      }),
    )
  })

  it("nextPage returns the same items as the loop, and can be retried after a failure", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyFailures, async (pages, failures) => {
        const model = listOf(pages, [false, ...failures])
        const seen: Array<number> = []

        let page: Page<number, PageMeta> | null = await model.from()
        while (page !== null) {
          seen.push(...page.data)
          page = await untilAnswered(page)
        }

        expect(seen).toEqual(pages.flat())
      }),
    )
  })
})

async function untilAnswered(page: Page<number, PageMeta>): Promise<Page<number, PageMeta> | null> {
  for (;;) {
    try {
      return await page.nextPage()
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceUnavailableError)
    }
  }
}

// Iterates over pages through the SDK against a real server.

import fc from "fast-check"
import { expect, test } from "vitest"
import { FakeApi } from "../../test/fixtures/fake-api.ts"
import { apiKey } from "../../test/fixtures/records.ts"
import { Footfall, type Visitor } from "@footfall/sdk"
import { limitedPages } from "./limited-pages.ts"

test("returns exactly the requested rows, in order, and requests no extra page", async () => {
  await using api = await FakeApi.start()
  const client = new Footfall({ apiKey, baseUrl: api.baseUrl })

  const counts = fc.record({
    total: fc.nat({ max: 160 }),
    rowsMax: fc.integer({ min: 1, max: 170 }),
  })
  await fc.assert(
    fc.asyncProperty(counts, async ({ total, rowsMax }) => {
      api.visitorsTotal = total
      api.requests.length = 0

      const rows: Array<Visitor> = []
      for await (const page of limitedPages(client.visitors.list().pages(), rowsMax)) {
        rows.push(...page.data)
      }

      const count = Math.min(total, rowsMax)
      expect(rows.map(({ emailHash }) => parseInt(emailHash, 16))).toEqual([...Array(count).keys()])
      expect(api.requests).toHaveLength(Math.max(1, Math.ceil(count / 50)))
    }),
    { numRuns: 40 },
  )
})

test("a truncated last page has more rows, even if the server says that nothing follows", async () => {
  const pages = async function* () {
    yield { data: [1, 2, 3], meta: { hasMore: false, nextCursor: null } }
  }

  const { value } = await limitedPages(pages(), 2).next()

  expect(value).toEqual({ data: [1, 2], meta: { hasMore: true, nextCursor: null } })
})

test("requests no page once there are enough rows", async () => {
  let asked = 0
  const pages = async function* () {
    for (;;) {
      asked += 1
      yield { data: [1, 2], meta: { hasMore: true, nextCursor: "next" } }
    }
  }

  const rows: Array<number> = []
  for await (const { data } of limitedPages(pages(), 4)) rows.push(...data)

  expect(rows).toEqual([1, 2, 1, 2])
  expect(asked).toBe(2)
})

test("a truncated page has more rows and no cursor, because the server's would skip some", async () => {
  await using api = await FakeApi.start()
  api.visitorsTotal = 60
  const client = new Footfall({ apiKey, baseUrl: api.baseUrl })

  const pages = limitedPages(client.visitors.list().pages(), 10)

  const first = await pages.next()
  expect(first.value?.data).toHaveLength(10)
  expect(first.value?.meta).toMatchObject({ hasMore: true, nextCursor: null, total: 60 })
  expect((await pages.next()).done).toBe(true)
})

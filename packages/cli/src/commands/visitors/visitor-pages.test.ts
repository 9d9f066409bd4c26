// The walk over pages, through the SDK against a real server, and the columns its rows are printed in.

import fc from "fast-check"
import { expect, test } from "vitest"
import { FakeApi } from "../../../test/fixtures/fake-api.ts"
import { apiKey, jane } from "../../../test/fixtures/records.ts"
import { Footfall, type Visitor } from "@footfall/sdk"
import { csvRow } from "../../output/csv.ts"
import { visitorColumns } from "./visitor-columns.ts"
import { visitorPages } from "./visitor-pages.ts"

test("a walk gives exactly the rows asked for, in order, and asks for no page too many", async () => {
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
      for await (const page of visitorPages(client.visitors.list().pages(), rowsMax)) {
        rows.push(...page.data)
      }

      const count = Math.min(total, rowsMax)
      expect(rows.map(({ emailHash }) => parseInt(emailHash, 16))).toEqual([...Array(count).keys()])
      expect(api.requests).toHaveLength(Math.max(1, Math.ceil(count / 50)))
    }),
    { numRuns: 40 },
  )
})

test("a page that is cut has more rows and no cursor, because the server's would skip some", async () => {
  await using api = await FakeApi.start()
  api.visitorsTotal = 60
  const client = new Footfall({ apiKey, baseUrl: api.baseUrl })

  const pages = visitorPages(client.visitors.list().pages(), 10)

  const first = await pages.next()
  expect(first.value?.data).toHaveLength(10)
  expect(first.value?.meta).toMatchObject({ hasMore: true, nextCursor: null, total: 60 })
  expect((await pages.next()).done).toBe(true)
})

test("CSV has every canonical field of a visitor and no legacy one", () => {
  const legacy = new Set([
    ...["allEmails", "primaryPhone", "allPhones", "phonesDNC", "company", "companyZip"],
    ...["companySize", "companyRevenue", "companyIndustry", "firstSeen", "lastSeen"],
    ...["msclkid", "liFatId", "gbraid", "wbraid"],
  ])
  const canonical = Object.keys(jane).filter((name) => !legacy.has(name))

  const columns = new Set(visitorColumns.map((column) => column.split(".")[0]))
  expect([...columns].sort()).toEqual(canonical.sort())
  expect(csvRow(["emailHashes.sha1"], jane)).toBe(`${jane.emailHashes.sha1}\r\n`)
})

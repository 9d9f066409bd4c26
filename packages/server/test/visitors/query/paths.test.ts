// Rules about paths (spec 3.3.1, 6.4.2): Postgres and the pixel decode a path alike, and every spelling of a page is found
// by every spelling of the rule, in new sessions and in those that 0.2 stored.
import { decodedPath } from "@footfall/pixel/path-filter"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { foldCase } from "../../../src/platform/database/case-folding.ts"
import { makeSource } from "../../sources/source.ts"
import { startServer, type TestServer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const piece = fc.oneof(
  fc.constantFrom(
    "/",
    "%",
    "%2",
    "%2F",
    "%25",
    "%2a",
    "%00",
    "%0A",
    "%7F",
    "%7e",
    "é",
    "e",
    "\u0301",
    "ẞ",
  ),
  fc.constantFrom(
    "%C3%A9",
    "%c3",
    "%A9",
    "%E2%82%AC",
    "%ED%A0%80",
    "%F0%9F%98%80",
    "%F4%90%80%80",
    "%C0%AF",
  ),
  fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0")}`),
  fc.string({ unit: "grapheme", maxLength: 3 }).map((text) => text.replaceAll("\0", "")),
)

it("Postgres reads every path as the pixel does", async () => {
  const paths = fc.sample(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    5_000,
  )
  const rows = await server.sql(
    `select plain_path(path) as plain from unnest($1::text[]) with ordinality as p (path, place)
     order by place`,
    [paths],
  )
  expect(rows.map(({ plain }) => plain)).toEqual(paths.map((path) => foldCase(decodedPath(path))))
})

describe("a page whose path is not ASCII", () => {
  const spellings = [
    "/наши-цены",
    "/наши-цены/",
    "/НАШИ-ЦЕНЫ",
    "/%D0%BD%D0%B0%D1%88%D0%B8-%D1%86%D0%B5%D0%BD%D1%8B",
    "/%d0%bd%d0%b0%d1%88%d0%b8-%d1%86%d0%b5%d0%bd%d1%8b/",
  ]

  it.each(["as it is stored now", "as 0.2 stored it"])(
    "%s is found by every spelling of the rule",
    async (which) => {
      const source = await makeSource(server)
      const email = "reader@acme.example"
      const anonymousId = "b-1"
      const url = `https://${source.domain}${spellings[4]}`
      await source.batch(source.page({ anonymousId, properties: { url } }), {
        type: "identify",
        anonymousId,
        traits: { email },
      })
      await server.drain()
      if (which === "as 0.2 stored it") {
        await server.sql(
          `update session set paths = $2, entry_url = $3, exit_url = $3, page_urls = array[$3]
           where organization_id = $1`,
          [source.organizationId, `\n${new URL(url).pathname.toLowerCase()}\n`, url],
        )
      }
      const found = async (field: string, op: string, value: unknown) => {
        const ruleAst = { version: 1, rule: { field, op, value } }
        const response = await fetch(`${server.url}/v1/data/query`, {
          method: "POST",
          headers: { "x-api-key": source.apiKey, "content-type": "application/json" },
          body: JSON.stringify({ ruleAst }),
        })
        const { data } = (await response.json()) as { data: ReadonlyArray<{ email: string }> }
        return data.map((visitor) => visitor.email)
      }

      for (const field of ["visited_paths", "landing_paths", "exit_paths"]) {
        for (const path of spellings) {
          expect(await found(`behavior.${field}`, "any_eq", path)).toEqual([email])
          expect(await found(`behavior.${field}`, "any_in", ["/x", path])).toEqual([email])
        }
        expect(await found(`behavior.${field}`, "any_contains", "ЦЕН")).toEqual([email])
        expect(await found(`behavior.${field}`, "any_starts_with", "/наши")).toEqual([email])
        expect(await found(`behavior.${field}`, "none_contains", "цены")).toEqual([])
        expect(await found(`behavior.${field}`, "any_eq", "/цены")).toEqual([])
      }
    },
  )

  it("is one page, however links to it are written", async () => {
    const source = await makeSource(server)
    const anonymousId = "b-1"
    await source.batch(
      ...["/caf%C3%A9", "/caf%c3%a9", "/cafe%CC%81", "/café", "/cafe\u0301"].map((path) =>
        source.page({ anonymousId, properties: { url: `https://${source.domain}${path}` } }),
      ),
      { type: "identify", anonymousId, traits: { email: "reader@acme.example" } },
    )

    const [visitor] = await source.visitors()
    expect(visitor).toMatchObject({ pageviews: 5 })
    expect(visitor?.visitedPages).toEqual([`https://${source.domain}/caf%C3%A9`])
  })
})

// Reading the result of a query (spec 1.6): by cursor and by page, each visitor appears once and in the order of
// the list, even if many share a time. A cursor belongs to its query.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { hashOf } from "./put-people.ts"
import { ask, predicate, settle, someone } from "./scene.ts"

const count = 130
const now = Date.now()
let server: TestServer

/** Seven share each time. Every third one does not match. */
const people = Array.from({ length: count }, (_, index) => {
  const person = someone([now - 3_600_000 - Math.floor(index / 7) * 1_000])
  return index % 3 === 0 ? person : { ...person, profile: { ...person.profile, city: "Hamburg" } }
})
const qualified = people
  .filter(({ profile }) => profile.city !== null)
  .toSorted(
    (one, other) =>
      other.visits[0]!.endedAt - one.visits[0]!.endedAt || (hashOf(one) < hashOf(other) ? -1 : 1),
  )
  .map(hashOf)

const body = { ...predicate("contact.city", "eq", "hamburg"), limit: 10 }

beforeAll(async () => {
  server = await startServer({ workers: false })
  await settle(server, server, people)
})

afterAll(() => server.close())

const hashesOf = ({ data }: Awaited<ReturnType<typeof ask>>) =>
  data.map(({ emailHash }) => emailHash)

it("reading by cursor returns each qualifying visitor once, in order, with the total of the first page", async () => {
  const found: Array<unknown> = []
  for (let cursor: unknown, page = 1; cursor !== null; page++) {
    const answer = await ask(server, cursor === undefined ? body : { ...body, cursor })
    found.push(...hashesOf(answer))
    cursor = answer.meta["nextCursor"]
    expect(answer.meta).toMatchObject({
      page,
      limit: 10,
      total: qualified.length,
      hasMore: cursor !== null,
    })
  }

  expect(found).toEqual(qualified)
})

it("reading by page returns the same, and any page can be requested directly", async () => {
  const page = async (number: number) => hashesOf(await ask(server, { ...body, page: number }))
  const middle = await page(5)
  const found: Array<unknown> = []
  for (let number = 1; number <= Math.ceil(qualified.length / 10); number++) {
    found.push(...(await page(number)))
  }

  expect(found).toEqual(qualified)
  expect(middle).toEqual(qualified.slice(40, 50))
  expect(await page(1_000)).toEqual([])
})

it("the page size may change from page to page", async () => {
  const first = await ask(server, { ...body, limit: 7 })

  const next = await ask(server, { ...body, limit: 100, cursor: first.meta["nextCursor"] })

  expect([...hashesOf(first), ...hashesOf(next)]).toEqual(qualified)
})

it("a cursor of another rule, window, pixel, filter or list is rejected", async () => {
  const { nextCursor: cursor } = (await ask(server, body)).meta
  const list = (await (await server.get("/v1/data?timeframe=all")).json()) as {
    readonly meta: { readonly nextCursor: string }
  } // a list of more than a page
  const questions = [
    { ...predicate("contact.city", "eq", "Hamburg"), cursor },
    { ...predicate("contact.city", "neq", "hamburg"), cursor },
    { ...body, window: "30d", cursor },
    { ...body, pixelId: server.pixelId, cursor },
    { ...body, suppressed: "exclude", cursor },
    { ...body, cursor: list.meta.nextCursor },
  ]

  for (const question of questions) {
    const { error, status } = await ask(server, question)
    expect([status, error?.code, error?.details]).toEqual([
      400,
      "INVALID_CURSOR",
      { reason: "scope" },
    ])
  }
  const foreign = await server.makeOrganization()
  expect((await ask(server, { ...body, cursor }, { key: foreign.apiKey })).error?.code).toBe(
    "INVALID_CURSOR",
  )
  expect((await ask(server, { ...body, cursor: "x" })).error?.details).toEqual({
    reason: "malformed",
  })
  expect((await ask(server, { ...body, cursor })).status).toBe(200)
})

it("a changed segment is another query", async () => {
  const segmentId = randomUUID()
  await server.sql(
    "insert into segment (organization_id, id, name, rule_ast) values ($1, $2, 'Hamburg', $3)",
    [server.organizationId, segmentId, JSON.stringify(body.ruleAst)],
  )
  const { nextCursor: cursor } = (await ask(server, { segmentId, limit: 10 })).meta
  const same = await ask(server, { segmentId, limit: 10, cursor })

  await server.sql("update segment set rule_ast = $2 where id = $1", [
    segmentId,
    JSON.stringify(predicate("contact.city", "exists", true).ruleAst),
  ])

  expect(hashesOf(same)).toEqual(qualified.slice(10, 20))
  expect((await ask(server, { segmentId, limit: 10, cursor })).error?.code).toBe("INVALID_CURSOR")
})

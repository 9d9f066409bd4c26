// Rules take effect in the next sync cycle (spec 2.6): a visitor's mark follows the rules in force. Two servers on
// one database, with cycles of one second.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { insertPerson, sha256 } from "./visitors.ts"

const cycleSeconds = 1
let server: TestServer
let second: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  vi.stubEnv("SYNC_CYCLE_SECONDS", String(cycleSeconds))
  server = await startServer()
  second = await startServer({ beside: server })
})
afterAll(async () => {
  await second.close()
  await server.close()
})
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const write = async (method: string, rules: ReadonlyArray<unknown>) => {
  const response = await fetch(`${server.url}/v1/data/suppression-rules`, {
    method,
    headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  })
  expect(response.status).toBe(200)
}

const suppressed = async () => {
  const rows = await server.sql(
    "select email from visitor where organization_id = $1 and suppressed order by email",
    [tenant.organizationId],
  )
  return rows.map(({ email }) => email)
}

/** Unless the next cycle has already ended, which can happen on a busy machine. */
const expectStill = async (emails: ReadonlyArray<string>) => {
  const [row] = await server.sql(
    `select changed_at < cycle_at as "isOver", array(
       select email from visitor
       where visitor.organization_id = list.organization_id and suppressed order by email
     ) as suppressed
     from suppression_list as list where organization_id = $1`,
    [tenant.organizationId],
  )
  if (row?.["isOver"] === false) expect(row["suppressed"]).toEqual(emails)
}

/** Resolves once no change of the organization waits for a cycle, and no one waits for a mark. */
const nextCycle = () =>
  vi.waitFor(
    async () => {
      const [list] = await server.sql(
        `select changed_at < cycle_at and marks_from is null and not exists (
           select from suppression_mark as mark where mark.organization_id = list.organization_id
         ) as "isOver"
         from suppression_list as list where organization_id = $1`,
        [tenant.organizationId],
      )
      expect(list?.["isOver"]).toBe(true)
    },
    { timeout: 30_000, interval: 20 },
  )

const person = (email: string, more: { companyDomain?: string; industry?: string } = {}) =>
  insertPerson(server, tenant, { emails: [email, `second.${email}`], ...more })

const rules = [
  { type: "email", value: "second.a@one.example" },
  { type: "domain", value: "two.example" },
  { type: "company_domain", value: "three.example" },
  { type: "industry", value: "retail" },
]

describe("the mark of a visitor", () => {
  it("follows a rule of every type from the next cycle on, and its removal", async () => {
    await person("a@one.example")
    await person("b@two.example")
    await person("c@other.example", { companyDomain: "three.example" })
    await person("d@other.example", { industry: "retail" })
    await person("e@other.example", { companyDomain: "four.example", industry: "banking" })
    await write("POST", rules)
    await expectStill([])

    await nextCycle()
    const marked = ["a@one.example", "b@two.example", "c@other.example", "d@other.example"]
    expect(await suppressed()).toEqual(marked)

    await write("DELETE", [rules[1], rules[3]])
    await expectStill(marked)
    await nextCycle()
    expect(await suppressed()).toEqual(["a@one.example", "c@other.example"])
  })

  it("stays while at least one matching rule is left", async () => {
    await person("b@two.example", { industry: "retail" })
    await write("POST", rules)
    await nextCycle()

    await write("DELETE", [rules[1]])
    await nextCycle()

    expect(await suppressed()).toEqual(["b@two.example"])
  })

  it("follows a replacement, and a replacement by the same list keeps it in force throughout", async () => {
    await person("b@two.example")
    await person("d@other.example", { industry: "retail" })
    await write("POST", [rules[1]])
    await nextCycle()

    await write("PUT", [rules[1]])
    const [rule] = await server.sql(
      `select takes_part_at < cycle_at as "isInForce" from suppression_rule
       join suppression_list using (organization_id) where organization_id = $1`,
      [tenant.organizationId],
    )
    await nextCycle()
    expect(rule?.["isInForce"]).toBe(true)
    expect(await suppressed()).toEqual(["b@two.example"])

    await write("PUT", [rules[3]])
    await nextCycle()
    expect(await suppressed()).toEqual(["d@other.example"])
  })

  it("appears in the list of visitors, which can exclude suppressed visitors or return only those", async () => {
    await person("b@two.example")
    await person("e@other.example")
    await write("POST", rules)
    await nextCycle()
    const emails = async (query: string) => {
      const response = await fetch(`${server.url}/v1/data${query}`, {
        headers: { "x-api-key": tenant.apiKey },
      })
      type Answer = { data: ReadonlyArray<{ email: string; suppressed: boolean }> }
      const { data } = (await response.json()) as Answer
      return data.map(({ email, suppressed }) => [email, suppressed])
    }

    expect(await emails("?suppressed=only")).toEqual([["b@two.example", true]])
    expect(await emails("?suppressed=exclude")).toEqual([["e@other.example", false]])
    expect(await emails("")).toHaveLength(2)
    const why = await fetch(
      `${server.url}/v1/data/visitors/${sha256("b@two.example")}/suppression`,
      { headers: { "x-api-key": tenant.apiKey } },
    )
    expect(await why.json()).toMatchObject({ data: { suppressed: true, rules: [rules[1]] } })
  })

  it("is not affected by the rules of another organization", async () => {
    const other = tenant
    await person("b@two.example")
    tenant = await server.makeOrganization()
    await write("POST", rules)
    await nextCycle()
    tenant = other

    expect(await suppressed()).toEqual([])
  })
})

it("organizations whose marks cannot be written do not block others", async () => {
  await server.sql(
    `create function refuse_mark() returns trigger language plpgsql as
     $$ begin raise exception 'refused'; end $$`,
  )
  const failing: Array<string> = []
  for (let n = 0; n < 3; n++) {
    tenant = await server.makeOrganization()
    failing.push(tenant.organizationId)
    await person("b@two.example")
    await server.sql(
      `create trigger refuse_mark_${n} before update of suppressed on visitor for each row
       when (new.organization_id = '${tenant.organizationId}') execute function refuse_mark()`,
    )
    await write("POST", rules)
  }
  // Their cycle begins earlier, so they are marked earlier.
  await vi.waitFor(
    async () => {
      const waiting = await server.sql(
        `select from suppression_list
         where organization_id = any ($1) and (cycle_at is null or cycle_at < changed_at)`,
        [failing],
      )
      expect(waiting).toEqual([])
    },
    { timeout: 30_000 },
  )
  tenant = await server.makeOrganization()
  await person("b@two.example")
  await write("POST", rules)

  await nextCycle()
  expect(await suppressed()).toEqual(["b@two.example"])

  await server.sql("drop function refuse_mark cascade")
  for (const organizationId of failing) {
    tenant = { ...tenant, organizationId }
    await nextCycle()
    expect(await suppressed()).toEqual(["b@two.example"])
  }
})

it("a removed rule is deleted after its cycle", async () => {
  await write("POST", rules)
  await nextCycle()
  await write("PUT", [])
  await nextCycle()

  const [{ count } = {}] = await server.sql(
    "select count(*)::int as count from suppression_rule where organization_id = $1",
    [tenant.organizationId],
  )
  expect(count).toBe(0)
})

it("two servers begin a cycle once, and not before the last one is over", async () => {
  const begins = new Set<number>()
  await write("POST", [rules[0]])
  while (begins.size < 4) {
    await write("PUT", [rules[0]])
    const [{ at } = {}] = await server.sql(
      `select extract(epoch from cycle_at)::float8 as at from suppression_list
       where organization_id = $1`,
      [tenant.organizationId],
    )
    begins.add(Number(at))
  }

  const gaps = [...begins].slice(1).map((at, index) => at - [...begins][index]!)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(cycleSeconds)
})

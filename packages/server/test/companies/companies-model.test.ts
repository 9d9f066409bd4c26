// Companies after random steps (spec 13.1): visits from networks and with addresses, imports that name companies
// and connect people, suppression rules, retention and erasure. After each step, every company equals the result of
// a slow search through all sessions and people.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CompanyUpkeepStore } from "../../src/people/identification/companies/store.ts"
import { ErasureStore } from "../../src/people/erasure/store.ts"
import { Retention } from "../../src/people/retention/retention.ts"
import { RetentionStore } from "../../src/people/retention/store.ts"
import {
  arrive,
  contradictions,
  drain,
  event,
  identify,
  minute,
  nextId,
  organizationId,
  start,
} from "../identification/identification-layer.ts"
import { random } from "../identification/simulation.ts"
import { rows, sendLinks, sendPeople, sha256, testLayer } from "../people/people-layer.ts"

const modelLayer = Layer.provideMerge(
  Layer.mergeAll(Retention.layer, ErasureStore.layer),
  Layer.provideMerge(RetentionStore.layer, testLayer),
)

const pixels = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
const domains = ["harbor.example", "acme.example", "tidal.example", "quay.example"]
const people = ["ann@harbor.example", "bob@acme.example", "cy@gmail.com", "dee@quay.example"]

interface Described {
  readonly domain: string
  readonly name: string | null
  readonly industry: string | null
}

/** The slow version of rule 13.1.4: the most recently seen person comes first, the network last. */
const described = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = yield* sql<Described & { readonly network: Record<string, string> }>`
    select domain, name, industry, network from company order by domain`
  const visitors = yield* sql<{ key: string; name: string | null; industry: string | null }>`
    select company_key as key, company_name as name, industry from visitor
    order by last_seen_at desc, id`
  const due = all.map(({ domain, network }) => {
    const staff = visitors.filter(({ key }) => key === domain)
    return {
      domain,
      name: staff.find(({ name }) => name !== null)?.name ?? network["name"] ?? null,
      industry:
        staff.find(({ industry }) => industry !== null)?.industry ?? network["industry"] ?? null,
    }
  })
  assert.deepStrictEqual(
    all.map(({ domain, industry, name }) => ({ domain, name, industry })),
    due,
  )
})

layer(modelLayer, { excludeTestServices: true })("companies", (it) => {
  it.effect.each([3, 4, 5])("equal the totals of their sessions and people, seed %i", (seed) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ErasureStore
      const companies = yield* CompanyUpkeepStore
      const retention = yield* Retention
      const below = random(seed)
      const pick = <T>(all: ReadonlyArray<T>): T => all[below(all.length)]!
      const browsers = Array.from({ length: 8 }, () => nextId())
      yield* sql`
        insert into organization (id, name, slug, retention_days)
        values (${organizationId}, 'Tidewater', ${`tidewater-${seed}`}, null)
        on conflict (id) do update set retention_days = null`
      let now = (Date.now() - start) / minute - 60 * 24 * 60

      const visit = () => {
        now += below(90)
        const where = { pixelId: pick(pixels), anonymousId: pick(browsers) }
        const domain = pick(domains)
        const co =
          below(3) === 0 ? {} : { co: { domain, name: `Net ${domain}`, industry: "ports" } }
        const p = below(4) === 0 ? { p: { companyDomain: `www.${pick(domains)}` } } : {}
        return below(3) === 0
          ? identify(now, pick(people), { ...where, payload: { ...co, ...p } })
          : event(now, { ...where, payload: co })
      }
      const steps = [
        () => arrive(...Array.from({ length: 1 + below(12) }, visit)).pipe(Effect.andThen(drain)),
        () => arrive(visit()).pipe(Effect.andThen(drain)),
        () =>
          sendPeople([
            {
              email: pick(people),
              company:
                below(3) === 0 ? null : { domain: pick(domains), name: `Imported ${below(3)}` },
            },
          ]),
        // From now on the two are one person.
        () => sendLinks([{ kind: "email", value: pick(people), emailHash: sha256(pick(people)) }]),
        () =>
          sql`
            insert into suppression_list (organization_id, cycle_at, changed_at)
            values (${organizationId}, now(), now() - interval '1 day')
            on conflict (organization_id) do update set cycle_at = excluded.cycle_at`.pipe(
            Effect.andThen(sql`delete from suppression_rule where type = 'company_domain'`),
            Effect.andThen(sql`
              insert into suppression_rule
                (organization_id, type, value, match_key, created_at, takes_part_at)
              select ${organizationId}, 'company_domain', d, d, now() - interval '1 hour',
                now() - interval '1 hour'
              from unnest(${[pick(domains)]}::text[]) as d`),
          ),
        () =>
          sql`update organization set retention_days = 58 where id = ${organizationId}`.pipe(
            Effect.andThen(retention.apply),
            Effect.andThen(sql`update organization set retention_days = null`),
          ),
        () =>
          store.transaction(
            Effect.gen(function* () {
              const emailHash = sha256(pick(people))
              const visitorId = yield* store.find(organizationId, emailHash)
              if (visitorId === undefined) return
              const addresses = yield* store.addresses(organizationId, visitorId)
              yield* store.erase({ organizationId, visitorId, addresses })
              yield* companies.settle([organizationId])
            }),
          ),
      ]
      for (let step = 0; step < 60; step++) {
        yield* pick([steps[0]!, ...steps])()
        assert.deepStrictEqual(yield* contradictions, [], `step ${step}`)
        yield* described
      }
      assert.deepStrictEqual(yield* rows("select 1 from company_touched"), [])
      assert.isAbove((yield* rows("select 1 from company")).length, 0)
    }),
  )

  const daysAgo = (days: number) => (Date.now() - start) / minute - days * 24 * 60

  it.effect(
    "are deleted with their last session, even if an imported person still names them",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const retention = yield* Retention
        const found = Effect.all({
          companies: rows("select domain from company where domain = 'pier.example'"),
          people: rows("select email from person where email = 'eve@pier.example'"),
        })
        const people = [{ email: "eve@pier.example" }]
        yield* sendPeople([{ email: "eve@pier.example", company: { domain: "pier.example" } }])
        yield* arrive(identify(daysAgo(40), "eve@pier.example", { anonymousId: nextId() }))
        yield* drain
        assert.deepStrictEqual(yield* found, { companies: [{ domain: "pier.example" }], people })

        yield* sql`update organization set retention_days = 30`
        yield* retention.apply
        yield* sql`update organization set retention_days = null`

        assert.deepStrictEqual(yield* found, { companies: [], people })
      }),
  )

  it.effect("are described by the 50 people who were seen last", () =>
    Effect.gen(function* () {
      const name = rows("select name from company where domain = 'ferry.example'")
      const come = (first: number, count: number, p: object) =>
        arrive(
          ...Array.from({ length: count }, (_, n) =>
            identify(daysAgo(1) + first + n, `p${first + n}@ferry.example`, {
              anonymousId: nextId(),
              payload: { p },
            }),
          ),
        ).pipe(Effect.andThen(drain))

      yield* come(0, 1, { companyName: "Ferry Lines" })
      yield* come(1, 49, {})
      assert.deepStrictEqual(yield* name, [{ name: "Ferry Lines" }])
      yield* come(50, 1, {})
      assert.deepStrictEqual(yield* name, [{ name: null }])
    }),
  )
})

// From the address of a visit to its company (spec 13.2): the server looks up the whole address, however much of it
// is stored, and doesn't look it up if a visitor or the operator has declined. Afterwards no table contains the
// canary address.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  IpCompanies,
  readNetworks,
} from "../../src/people/identification/resolving/ip-companies.ts"
import type { CollectInput } from "../../src/collect/visits/collect.ts"
import { NetworkCompanies } from "../../src/collect/visits/network-companies.ts"
import { identificationLayer } from "../identification/identification-layer.ts"
import { rows } from "../people/people-layer.ts"
import {
  collectOne,
  collectTestLayer,
  collectTestLayerWith,
  makeBatch,
  makeEvent,
  makeInput,
  makePixel,
} from "../visits/collect-layer.ts"
import { drain } from "../identification/identification-layer.ts"

const canary = "203.0.113.130"
const table = new IpCompanies(
  readNetworks(
    Buffer.from(
      "cidr,name,domain,industry\n203.0.113.0/24,Group,group.example,ports\n203.0.113.128/28,Office,office.example,ports\n",
    ),
  ),
)

const asking = () => {
  const asked: Array<string> = []
  const layer = Layer.succeed(NetworkCompanies, {
    find: (address) => {
      asked.push(address)
      return table.find(address)
    },
    isExcluded: () => false,
  })
  return { asked, layer }
}

/** The tables that contain a text anywhere. */
const tablesWith = Effect.fnUntraced(function* (text: string) {
  const tables = yield* rows<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace",
  )
  const found = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      rows(`select 1 from ${name} as t where t::text like $1 limit 1`, [`%${text}%`]),
      (hits) => (hits.length > 0 ? [name] : []),
    ),
  )
  return found.flat()
})

const visited = (change: Partial<CollectInput> = {}, batch: unknown = makeBatch()) =>
  Effect.andThen(collectOne(makeInput(batch, { clientAddress: canary, ...change })), drain)

const within = (networks: ReturnType<typeof asking>, collect = collectTestLayer) =>
  identificationLayer.pipe(Layer.provideMerge(collect), Layer.provide(networks.layer))

const domains = Effect.map(rows<{ domain: string }>("select domain from company"), (found) =>
  found.map(({ domain }) => domain),
)

describe("the company of a visit", () => {
  it.live(
    "is that of the smallest network around the whole address, of which only a part is stored",
    () => {
      const networks = asking()
      return Effect.gen(function* () {
        yield* visited()

        assert.deepStrictEqual(networks.asked, [canary])
        assert.deepStrictEqual(yield* rows("select network_domain, visitor_id from session"), [
          { network_domain: "office.example", visitor_id: null },
        ])
        assert.deepStrictEqual(
          yield* rows("select domain, name, industry, sessions, anonymous_sessions from company"),
          [
            {
              domain: "office.example",
              name: "Office",
              industry: "ports",
              sessions: 1,
              anonymous_sessions: 1,
            },
          ],
        )
        assert.deepStrictEqual(yield* tablesWith(canary), [])
        assert.deepStrictEqual(yield* tablesWith("203.0.113.0"), ["event"])
        assert.deepStrictEqual(yield* rows("select 1 from event where payload ? 'co'"), [])
      }).pipe(Effect.provide(within(networks)))
    },
  )

  it.live("is the same if whole addresses are stored", () => {
    const networks = asking()
    return Effect.gen(function* () {
      yield* visited()
      assert.deepStrictEqual(yield* domains, ["office.example"])
      assert.deepStrictEqual(yield* tablesWith(canary), ["event"])
    }).pipe(Effect.provide(within(networks, collectTestLayerWith({ storeIp: "full" }))))
  })
})

const settings = (change: object) => ({ pixel: makePixel({ settings: change }) })
const notAsked: ReadonlyArray<readonly [string, Partial<CollectInput>, unknown?]> = [
  ["of a visitor who denied consent", {}, makeBatch({ consent: "denied" })],
  ["of a visitor without consent by the pixel's setting", settings({ consent: "denied" })],
  ["of a visitor who sends Global Privacy Control", { secGpc: "1" }],
  ["of a visitor whose script sends Global Privacy Control", {}, makeBatch({ gpc: true })],
  ["of a visitor who opted out", { hasOptedOut: true }],
  ["in an excluded network", { pixel: makePixel({ excludedIps: ["203.0.113.128/28"] }) }],
  ["of a crawler", { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)" }],
  ["without an id", {}, makeBatch({ anonymousId: null })],
  [
    "of a developer's machine",
    {},
    makeBatch({ debug: true, events: [makeEvent({ url: "http://localhost:3000/" })] }),
  ],
]

describe("no address is looked up", () => {
  for (const [what, change, batch] of notAsked) {
    it.live(what, () => {
      const networks = asking()
      return Effect.gen(function* () {
        yield* visited(change, batch ?? makeBatch())
        assert.deepStrictEqual(networks.asked, [])
        assert.deepStrictEqual(yield* domains, [])
        assert.deepStrictEqual(yield* tablesWith(canary), [])
      }).pipe(Effect.provide(within(networks)))
    })
  }
})

const rule = (type: string, value: string) =>
  Effect.gen(function* () {
    const { organizationId } = makePixel()
    yield* rows("insert into organization (id, name, slug) values ($1, 'Tidewater', 'tidewater')", [
      organizationId,
    ])
    yield* rows(
      `insert into suppression_list (organization_id, cycle_at, changed_at)
       values ($1, now(), now() - interval '1 day')`,
      [organizationId],
    )
    yield* rows(
      `insert into suppression_rule
         (organization_id, type, value, match_key, created_at, takes_part_at)
       values ($1, $2, $3, $3, now() - interval '1 hour', now() - interval '1 hour')`,
      [organizationId, type, value],
    )
  })

describe("a company named by a suppression rule leaves no trace", () => {
  for (const [type, value] of [
    ["company_domain", "office.example"],
    ["industry", "ports"],
  ] as const) {
    it.live(`by ${type}`, () => {
      const networks = asking()
      return Effect.gen(function* () {
        yield* rule(type, value)
        yield* visited()
        assert.deepStrictEqual(yield* domains, [])
        assert.deepStrictEqual(
          (yield* tablesWith("office.example")).filter((name) => name !== "suppression_rule"),
          [],
        )
        assert.deepStrictEqual(yield* tablesWith(canary), [])
      }).pipe(Effect.provide(within(networks)))
    })
  }
})

// Imports and visitors on a real Postgres: an import enriches visitors and merges them, links identify browsers,
// and the order of arrival makes no difference where the rules allow it (spec 2.1, 2.19, 6.7; docs/adr/0014).
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { PersonRecord } from "../../src/people/person/person.ts"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import {
  arrive,
  brief,
  browserId,
  contradictions,
  drain,
  event,
  identify,
  nextId,
  organizationId,
} from "../identification/identification-layer.ts"
import { random } from "../identification/simulation.ts"
import {
  type LinkRecord,
  otherOrganizationId,
  rows,
  sendLinks,
  sendPeople,
  sha256,
  testLayer,
  visitorsKnown,
} from "./people-layer.ts"

const jane = "jane@harbor.example"
const home = "jane@gmail.com"
const old = "jane@old.example"
const tom = "tom@acme.example"

const collect = (...events: ReadonlyArray<CollectedEvent>) =>
  Effect.andThen(arrive(...events), drain)
const link = (alias: string, to: string): LinkRecord => ({
  kind: "email",
  value: sha256(alias),
  emailHash: sha256(to),
})

const profiles = rows(
  "select email, first_name, job_title, company_name, phones from visitor order by email",
)

type Services = Layer.Success<typeof testLayer>

describe("an imported person", () => {
  it.live("creates no visitor", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane }])
      assert.deepStrictEqual(yield* visitorsKnown, [])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live(
    "enriches the visitor with the hash; a trait fills empty fields, even after an import clears them",
    () =>
      Effect.gen(function* () {
        const traits = { firstName: "Trait", jobTitle: "Trait", phone: "+14155550134" }
        yield* collect(identify(0, jane, { payload: { p: traits } }))
        const expected = (first_name: string, company_name: string | null, phones: string) => [
          { email: jane, first_name, job_title: "Trait", company_name, phones: [phones] },
        ]

        yield* sendPeople([
          {
            email: jane,
            firstName: "Imported",
            company: { name: "Harbor" },
            phones: ["+14155550199"],
          },
        ])
        assert.deepStrictEqual(yield* profiles, expected("Imported", "Harbor", "+14155550199"))

        yield* sendPeople([{ email: jane, firstName: null, company: null, phones: null }])
        assert.deepStrictEqual(yield* profiles, expected("Trait", null, "+14155550134"))
      }).pipe(Effect.provide(testLayer)),
  )

  it.live(
    "enriches the visitor that has an alias, whose primary address becomes the record's",
    () =>
      Effect.gen(function* () {
        yield* collect(identify(0, home))

        yield* sendPeople([{ email: jane, emails: [home], firstName: "Jane" }])

        assert.deepStrictEqual(yield* visitorsKnown, [
          [jane, `${home} personal`, `${jane} business`],
        ])
        assert.deepStrictEqual(
          yield* rows(
            "select v.email_hash = p.email_hash as same from visitor v join visitor_pixel p on p.visitor_id = v.id",
          ),
          [{ same: true }],
        )
      }).pipe(Effect.provide(testLayer)),
  )

  it.live("known only by hash has the business address it names as primary", () =>
    Effect.gen(function* () {
      yield* collect(event(0, { type: "identify", payload: { h: sha256(jane) } }))
      yield* sendPeople([{ emailHash: sha256(jane), businessEmail: old, personalEmail: home }])
      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [old],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("that is shared enriches visitors of every organization, below their own data", () =>
    Effect.gen(function* () {
      yield* rows(
        "insert into organization (id, name, slug, is_operator) values ($1, 'Operator', 'operator', true)",
        [otherOrganizationId],
      )
      yield* collect(
        identify(0, jane),
        identify(0, jane, { organizationId: otherOrganizationId, anonymousId: nextId() }),
      )
      yield* sendPeople([{ email: jane, firstName: "Own" }])
      yield* sendPeople(
        [{ email: jane, firstName: "Shared", jobTitle: "Shared", emails: [home] }],
        {
          organizationId: otherOrganizationId,
          isShared: true,
        },
      )

      assert.deepStrictEqual(
        yield* rows(
          "select organization_id = $1 as own, first_name, job_title from visitor order by own",
          [organizationId],
        ),
        [
          { own: false, first_name: "Shared", job_title: "Shared" },
          { own: true, first_name: "Own", job_title: "Shared" },
        ],
      )
      yield* collect(identify(1, home, { anonymousId: nextId() }))
      assert.lengthOf(yield* visitorsKnown, 2)
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("that changes nothing does not rewrite visitors", () =>
    Effect.gen(function* () {
      yield* collect(identify(0, jane))
      yield* sendPeople([{ email: jane, firstName: "Jane", emails: [home] }])
      const before = yield* rows("select xmin::text, ctid::text from visitor")
      yield* sendPeople([{ email: jane, isB2b: "y" }])
      assert.deepStrictEqual(yield* rows("select xmin::text, ctid::text from visitor"), before)
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("two visitors", () => {
  const two = collect(
    identify(0, home, { payload: { a: { plan: "a" }, p: { firstName: "First" } } }),
    event(1),
    identify(100, jane, {
      anonymousId: nextId(),
      payload: { a: { plan: "b" }, p: { firstName: "Later", lastName: "Last" } },
    }),
    event(101, { anonymousId: "11111111-1111-4111-8111-111111111111" }),
  )
  const ways = {
    "a record that names both": sendPeople([{ email: jane, emails: [home] }]),
    "a link from one to the other": sendLinks([link(home, jane)]),
    "a link in the other direction": sendLinks([link(jane, home)]),
    "links through a third address": sendLinks([link(jane, old), link(home, old)]),
  }
  for (const [way, join] of Object.entries(ways)) {
    it.live(`are merged by ${way} into the one seen first, with all data of both`, () =>
      Effect.gen(function* () {
        yield* two
        const [first] = yield* rows("select id from visitor where email = $1", [home])

        yield* join

        const all = yield* rows("select id, first_name, last_name from visitor")
        assert.deepStrictEqual(all, [{ id: first!["id"], first_name: "First", last_name: "Last" }])
        assert.deepStrictEqual(
          yield* rows("select distinct visitor_id from session where visitor_id is not null"),
          [{ visitor_id: first!["id"] }],
        )
        assert.deepStrictEqual(yield* rows("select distinct visitor_id from browser"), [
          { visitor_id: first!["id"] },
        ])
        assert.deepStrictEqual(yield* contradictions, [])
        assert.deepStrictEqual(
          yield* rows("select custom_attribution #>> '{plan,0}' as plan from visitor_pixel"),
          [{ plan: "b" }],
        )
      }).pipe(Effect.provide(testLayer)),
    )
  }

  it.live("that are merged are charged once, and nothing is refunded", () =>
    Effect.gen(function* () {
      yield* rows("insert into organization (id, name, slug) values ($1, 'O', 'org')", [
        organizationId,
      ])
      yield* two
      yield* sendLinks([link(home, jane)])
      yield* collect(identify(200, jane, { anonymousId: nextId() }))

      assert.deepStrictEqual(yield* rows("select count(*)::int as credits from credit"), [
        { credits: 1 },
      ])
      assert.deepStrictEqual(yield* rows("select used from credit_month"), [{ used: 2 }])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live(
    "of two imported people stay separate if one of them names the other's second address",
    () =>
      Effect.gen(function* () {
        yield* sendPeople([{ email: tom, emails: [home] }, { email: jane }])
        yield* collect(identify(0, tom), identify(1, jane, { anonymousId: nextId() }))

        yield* sendPeople([{ email: jane, emails: [home] }])

        assert.deepStrictEqual(
          (yield* visitorsKnown).map(([email]) => email),
          [jane, tom],
        )
      }).pipe(Effect.provide(testLayer)),
  )

  it.live("that were merged receive later events from the browsers of both", () =>
    Effect.gen(function* () {
      const browser = nextId()
      yield* collect(identify(0, home), identify(5, jane, { anonymousId: browser }))
      yield* sendLinks([link(home, jane)])
      yield* collect(event(200, { anonymousId: browser }), event(201))

      assert.deepStrictEqual(
        (yield* brief).map(([email]) => email),
        [jane, jane, jane, jane],
      )
      assert.deepStrictEqual(yield* contradictions, [])
    }).pipe(Effect.provide(testLayer)),
  )
})

it.live("a browser of a merged person names no one who is gone, whoever has it now", () =>
  Effect.gen(function* () {
    const browser = nextId()
    yield* collect(
      identify(0, jane),
      identify(5, home, { anonymousId: browser }),
      identify(100, tom, { anonymousId: browser }),
    )
    yield* sendLinks([link(home, jane)])

    assert.deepStrictEqual(
      yield* rows(
        `select (select email from visitor v where v.id = (one ->> 1)::uuid) as email
         from browser b, jsonb_array_elements(identifications) with ordinality as all_of (one, place)
         where b.anonymous_id = $1 order by place`,
        [browser],
      ),
      [{ email: jane }, { email: tom }],
    )
  }).pipe(Effect.provide(testLayer)),
)

describe("a link of a browser", () => {
  const browserLink = (to: string): LinkRecord => ({
    kind: "anonymous_id",
    value: browserId,
    emailHash: sha256(to),
  })

  it.live("identifies it from its next event on, and attaches earlier sessions", () =>
    Effect.gen(function* () {
      yield* collect(event(0), event(100))
      yield* sendPeople([{ email: jane }])
      yield* sendLinks([browserLink(jane)])
      assert.deepStrictEqual(yield* visitorsKnown, [])

      yield* collect(event(200))

      assert.deepStrictEqual(yield* brief, [
        [jane, 0, 0, 1],
        [jane, 100, 100, 1],
        [jane, 200, 200, 1],
      ])
      assert.deepStrictEqual(yield* contradictions, [])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("identifies it once: a person identified there later takes over the browser", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane }])
      yield* sendLinks([browserLink(jane)])
      yield* collect(event(0), identify(100, tom), event(101))
      yield* sendLinks([browserLink(jane)])
      yield* collect(event(200))

      assert.deepStrictEqual(
        (yield* brief).map(([email]) => email),
        [jane, tom, tom],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("is not used up by an event that is repeated", () =>
    Effect.gen(function* () {
      const first = event(0)
      yield* collect(first)
      yield* sendPeople([{ email: jane }])
      yield* sendLinks([browserLink(jane)])

      yield* collect(first, event(1))

      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [jane],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("ranks below a person named by the event itself", () =>
    Effect.gen(function* () {
      yield* sendLinks([browserLink(jane)])
      yield* collect(identify(0, tom), event(1))
      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [tom],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("to another person identifies it again", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane }, { email: tom }])
      yield* sendLinks([browserLink(jane)])
      yield* collect(event(0))
      yield* sendLinks([browserLink(tom)])
      yield* collect(event(1))
      assert.deepStrictEqual(
        (yield* brief).map(([email]) => email),
        [jane, tom],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("keeps its session when a late event names an earlier person", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane }])
      yield* collect(event(0))
      yield* sendLinks([browserLink(jane)])
      yield* collect(event(10))
      yield* collect(identify(5, tom))
      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [jane, tom],
      )
      assert.deepStrictEqual(yield* contradictions, [])
    }).pipe(Effect.provide(testLayer)),
  )
})

it.live(
  "an imported link takes precedence over the other spelling of an international address",
  () =>
    Effect.gen(function* () {
      const spelled = "jane@bücher.example"
      yield* sendLinks([link(spelled, tom)])
      yield* collect(
        identify(0, tom, { anonymousId: nextId() }),
        identify(1, "jane@xn--bcher-kva.example", { anonymousId: nextId() }),
        event(2, { type: "identify", anonymousId: nextId(), payload: { h: sha256(spelled) } }),
      )

      assert.deepStrictEqual(
        (yield* brief).map(([email]) => email),
        [tom, "jane@xn--bcher-kva.example", tom],
      )
    }).pipe(Effect.provide(testLayer)),
)

describe("a link of an external id", () => {
  const own: LinkRecord = { kind: "external_id", value: "crm-1", emailHash: sha256(jane) }
  const withId = (minutes: number, email: string) =>
    identify(minutes, email, { payload: { p: { custom: { external_id: "crm-1" } } } })

  it.live("merges people identified with it into the person", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane, firstName: "Jane" }])
      yield* sendLinks([own])
      yield* collect(withId(0, home))
      assert.deepStrictEqual(yield* visitorsKnown, [[jane, `${home} personal`, `${jane} business`]])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("also merges people who were identified with it earlier", () =>
    Effect.gen(function* () {
      yield* collect(withId(0, home), identify(1, jane, { anonymousId: nextId() }))
      yield* sendLinks([own])
      assert.deepStrictEqual(yield* visitorsKnown, [[jane, `${home} personal`, `${jane} business`]])
      assert.deepStrictEqual(yield* contradictions, [])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("ranks below a link of the address itself", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane }, { email: tom }])
      yield* sendLinks([own, link(home, tom)])
      yield* collect(withId(0, home))

      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [tom],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("ranks above a shared one of the same id", () =>
    Effect.gen(function* () {
      // Without a rank, the smaller hash would win.
      const [shared = jane, mine = tom] = [jane, tom].toSorted((one, other) =>
        sha256(one) < sha256(other) ? -1 : 1,
      )
      yield* rows(
        "insert into organization (id, name, slug, is_operator) values ($1, 'Operator', 'operator', true)",
        [otherOrganizationId],
      )
      yield* sendPeople([{ email: mine }, { email: shared }])
      yield* sendLinks([{ ...own, emailHash: sha256(shared) }], {
        organizationId: otherOrganizationId,
        isShared: true,
      })
      yield* sendLinks([{ ...own, emailHash: sha256(mine) }])
      yield* collect(withId(0, home))

      assert.deepStrictEqual(
        (yield* visitorsKnown).map(([email]) => email),
        [mine],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("merges two existing visitors when the id is sent", () =>
    Effect.gen(function* () {
      yield* collect(identify(0, home), identify(1, jane, { anonymousId: nextId() }))
      yield* sendLinks([own])
      assert.lengthOf(yield* visitorsKnown, 2)
      yield* collect(withId(2, home))
      assert.lengthOf(yield* visitorsKnown, 1)
      assert.deepStrictEqual(yield* contradictions, [])
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("in any order of events, people and links", () => {
  const addresses = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `${name}@site.example`)

  /** People with addresses that only they name, links, and identifications, each in a separate browser. */
  const story = (seed: number) => {
    const below = random(seed)
    const pick = () => addresses[below(addresses.length)]!
    const free = [...addresses].toSorted(() => below(3) - 1)
    const records: ReadonlyArray<PersonRecord> = free
      .splice(0, 3)
      .map((email) => ({ email, emails: free.splice(0, below(2)), firstName: email[0]! }))
    const aliases = new Map(Array.from({ length: below(4) }, () => [pick(), pick()] as const))
    const named = new Set(records.flatMap(({ emails }) => emails ?? []))
    const links = [...aliases]
      .filter(([from]) => !named.has(from))
      .map(([from, to]) => link(from, to))
    const events = Array.from({ length: 6 }, (_, index) =>
      identify(index * 60, pick(), { anonymousId: nextId() }),
    )
    return { records, links, events, below }
  }

  const outcome = Effect.gen(function* () {
    const people = yield* rows(`
      select v.email, v.first_name, array_agg(a.email_hash order by a.email_hash) as addresses,
        (select count(*)::int from session s where s.visitor_id = v.id) as sessions,
        v.first_seen_at, v.last_seen_at
      from visitor v join visitor_address a on a.visitor_id = v.id
      group by v.organization_id, v.id order by v.email_hash`)
    assert.deepStrictEqual(yield* contradictions, [])
    yield* Effect.forEach(
      [
        "visitor",
        "visitor_address",
        "visitor_pixel",
        "session",
        "browser",
        "person",
        "person_address",
        "event",
      ],
      (table) => rows(`delete from ${table}`),
    )
    return people
  })

  const stories = process.env["FOOTFALL_SOAK"] === "1" ? 25 : 4

  it.live("the resulting people are the same", () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= stories; seed++) {
        const { below, events, links, records } = story(seed)
        const steps: ReadonlyArray<Effect.Effect<void, unknown, Services>> = [
          ...records.map((record) => Effect.asVoid(sendPeople([record]))),
          ...links.map((one) => Effect.asVoid(sendLinks([one]))),
          ...events.map((one) =>
            Effect.suspend(() => Effect.asVoid(collect({ ...one, id: nextId() }))),
          ),
        ]
        yield* Effect.all(steps)
        const canonical = yield* outcome
        yield* Effect.all(steps.toSorted(() => below(3) - 1))
        assert.deepStrictEqual(yield* outcome, canonical, `seed ${seed}`)
      }
    }).pipe(Effect.provide(testLayer)),
  )
})

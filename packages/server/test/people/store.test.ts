// Imported people on a real Postgres: every address leads to its one person, and identification finds
// them by it (decisions.md 2.1, 2.19).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Person } from "../../src/people/person.ts"
import { PeopleStore } from "../../src/people/store.ts"
import { hashEmail } from "../../src/visits/email-address.ts"
import {
  arrive,
  drain,
  identificationLayer,
  identify,
  nextId,
  organizationId,
} from "../identification/identification-layer.ts"
import { TestDatabase } from "../support/database.ts"

const otherOrganizationId = "99999999-9999-4999-8999-999999999999"
const jane = "jane.mercer@harbor-logistics.example"
const tom = "tom@acme.example"
const old = "jane@old.example"
const home = "jane@home.example"
const work = "jane@work.example"
const shared = "desk@acme.example"

const testLayer = Layer.merge(PeopleStore.layer, identificationLayer).pipe(
  Layer.provideMerge(TestDatabase.layer),
)

const person = (email: string, change: Partial<Person> = {}): Person => ({
  email,
  emails: [],
  businessEmail: null,
  personalEmail: null,
  firstName: null,
  lastName: null,
  linkedinUrl: null,
  phones: [],
  phonesDnc: null,
  jobTitle: null,
  seniority: null,
  department: null,
  companyName: null,
  companyDomain: null,
  companyLinkedinUrl: null,
  companyEmployeeCount: null,
  companyTotalRevenue: null,
  companyZipCode: null,
  industry: null,
  city: null,
  state: null,
  country: null,
  ...change,
})

const put = (...people: ReadonlyArray<Person>) =>
  Effect.flatMap(PeopleStore, (store) => store.put(organizationId, people))

/** Of every address, the email of the person it leads to. */
const holders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = [jane, tom, old, home, work, shared]
  const rows = yield* sql<{ email_hash: string; email: string }>`
    select a.email_hash, p.email
    from person_address a
    join person p on p.organization_id = a.organization_id and p.email_hash = a.person_hash
    where a.organization_id = ${organizationId}`
  return Object.fromEntries(
    rows.map((row) => [
      known.find((email) => hashEmail(email).sha256 === row.email_hash),
      row.email,
    ]),
  )
})

const addresses = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    select email, emails, business_email as business, personal_email as personal
    from person order by email collate "C"`,
)

/** Every visitor: the primary address, and all addresses with their kinds. */
const known = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ email: string; all: ReadonlyArray<string> }>`
    select v.email, array_agg(a.email || ' ' || a.kind order by a.email collate "C") as all
    from visitor v
    join visitor_address a on a.organization_id = v.organization_id and a.visitor_id = v.id
    group by v.email
    order by v.email collate "C"`
  return rows.map(({ email, all }) => [email, ...all])
})

const everything = person(jane, {
  emails: [jane, old],
  businessEmail: work,
  personalEmail: home,
  firstName: "Jane",
  lastName: "Mercer",
  linkedinUrl: "https://linkedin.example/in/jane",
  phones: ["+14155550134", "+14155550135"],
  phonesDnc: [false, true],
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  companyName: "Harbor Logistics",
  companyDomain: "harbor-logistics.example",
  companyLinkedinUrl: "https://linkedin.example/company/harbor",
  companyEmployeeCount: 340,
  companyTotalRevenue: "50 million to 100 million",
  companyZipCode: "94111",
  industry: "maritime transportation",
  city: "San Francisco",
  state: "CA",
  country: "US",
})

describe("put", () => {
  it.live("keeps every field, and leads from every address to the person", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      yield* put(everything)

      const [row] = yield* sql`select * from person`
      const { email_hash: hash, organization_id: organization, updated_at: _, ...rest } = row ?? {}
      const camel = (column: string) => column.replace(/_./g, (text) => text.slice(1).toUpperCase())
      assert.deepStrictEqual(
        Object.fromEntries(Object.entries(rest).map(([column, value]) => [camel(column), value])),
        { ...everything },
      )
      assert.deepStrictEqual([organization, hash], [organizationId, hashEmail(jane).sha256])
      assert.deepStrictEqual(yield* holders, {
        [jane]: jane,
        [old]: jane,
        [work]: jane,
        [home]: jane,
      })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("again changes nothing", () =>
    Effect.gen(function* () {
      yield* put(everything, person(tom, { emails: [tom, shared] }))
      const once = [yield* addresses, yield* holders]

      yield* put(everything, person(tom, { emails: [tom, shared] }))

      assert.deepStrictEqual([yield* addresses, yield* holders], once)
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("replaces what the same person had before", () =>
    Effect.gen(function* () {
      yield* put(everything)

      yield* put(person(jane, { emails: [jane, work] }))

      assert.deepStrictEqual(yield* holders, { [jane]: jane, [work]: jane })
      assert.deepStrictEqual(yield* addresses, [
        { email: jane, emails: [jane, work], business: null, personal: null },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of two rows of one person the last one counts", () =>
    Effect.gen(function* () {
      const last = person(jane, { emails: [jane, shared] })

      yield* put(everything, person(tom, { emails: [shared] }), last)

      assert.deepStrictEqual(yield* holders, { [jane]: jane, [shared]: jane, [tom]: tom })
    }).pipe(Effect.provide(testLayer)),
  )

  const takers = [
    ["in a later list", true],
    ["in a later row of the list", false],
  ] as const
  for (const [when, isLater] of takers) {
    it.live(`an address that another person names ${when} is theirs alone`, () =>
      Effect.gen(function* () {
        const before = [
          person(tom, { emails: [tom, shared, home], businessEmail: shared, personalEmail: home }),
          person(old, { emails: [old], businessEmail: old, personalEmail: work }),
        ]
        const after = person(jane, { emails: [jane, shared], personalEmail: work })

        if (isLater) yield* put(...before)
        yield* put(...(isLater ? [after] : [...before, after]))

        assert.deepStrictEqual(yield* addresses, [
          { email: jane, emails: [jane, shared], business: null, personal: work },
          { email: old, emails: [old], business: old, personal: null },
          { email: tom, emails: [tom, home], business: null, personal: home },
        ])
        assert.deepStrictEqual(yield* holders, {
          [jane]: jane,
          [shared]: jane,
          [work]: jane,
          [old]: old,
          [tom]: tom,
          [home]: tom,
        })
      }).pipe(Effect.provide(testLayer)),
    )
  }

  it.live("another person's own email stays theirs, and leads to who named it last", () =>
    Effect.gen(function* () {
      yield* put(person(tom, { emails: [tom, shared], businessEmail: tom }))

      yield* put(person(jane, { emails: [jane, tom] }))

      assert.deepStrictEqual(yield* addresses, [
        { email: jane, emails: [jane, tom], business: null, personal: null },
        { email: tom, emails: [shared], business: null, personal: null },
      ])
      assert.deepStrictEqual(yield* holders, { [jane]: jane, [tom]: jane, [shared]: tom })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("touches no other organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PeopleStore
      yield* store.put(otherOrganizationId, [person(tom, { emails: [tom, shared] }), everything])
      const theirs = sql`
        select * from person_address where organization_id = ${otherOrganizationId}
        order by email_hash`
      const before = [yield* theirs, yield* addresses]

      yield* put(person(jane, { emails: [shared] }))

      const [addressesAfter, peopleAfter] = [
        yield* theirs,
        yield* sql`
          select email, emails, business_email as business, personal_email as personal
          from person where organization_id = ${otherOrganizationId}
          order by email collate "C"`,
      ]
      assert.deepStrictEqual([addressesAfter, peopleAfter], before)
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("is all or nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* put(person(tom, { emails: [tom, shared] }))
      const before = [yield* addresses, yield* holders]
      yield* sql`
        alter table person_address add check (email_hash <> ${sql.literal(`'${hashEmail(home).sha256}'`)})`

      const exit = yield* Effect.exit(put(person(jane, { emails: [shared, home] })))

      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual([yield* addresses, yield* holders], before)
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("identification", () => {
  it.live("by an alias finds the imported person, and carries all addresses", () =>
    Effect.gen(function* () {
      yield* put(everything)
      yield* arrive(identify(0, home))

      yield* drain

      assert.deepStrictEqual(yield* known, [
        [jane, `${jane} business`, `${home} personal`, `${old} business`, `${work} business`],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("by an address that moved finds the person it moved to", () =>
    Effect.gen(function* () {
      yield* put(person(tom, { emails: [tom, shared] }))
      yield* put(person(jane, { emails: [jane, shared] }))
      yield* arrive(identify(0, tom), identify(1, shared, { anonymousId: nextId() }))

      yield* drain

      assert.deepStrictEqual(yield* known, [
        [jane, `${shared} business`, `${jane} business`],
        [tom, `${tom} business`],
      ])
    }).pipe(Effect.provide(testLayer)),
  )
})

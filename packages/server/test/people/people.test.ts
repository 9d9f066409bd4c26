// Imported people on a real Postgres: how a record is stored, what an absent field and null do, and who owns an address
// (spec 2.19, 5.14).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DataVersions } from "../../src/people/imports/data-versions.ts"
import { People } from "../../src/people/person/people.ts"
import type { PersonRecord } from "../../src/people/person/person.ts"
import {
  drain,
  arrive,
  identify,
  nextId,
  organizationId,
} from "../identification/identification-layer.ts"
import {
  otherOrganizationId,
  rows,
  sendLinks,
  sendPeople,
  sha256,
  testLayer,
  visitorsKnown,
} from "./people-layer.ts"

const jane = "jane.mercer@harbor-logistics.example"
const tom = "tom@acme.example"
const old = "jane@old.example"
const home = "jane@home.example"
const work = "jane@work.example"
const shared = "desk@acme.example"

/** For every address with an owner, the owner's email. */
const leads = Effect.map(
  rows<{ email_hash: string; person_hash: string }>(
    `select email_hash, person_hash from person_address where organization_id = $1`,
    [organizationId],
  ),
  (found) => {
    const nameOf = (hash: string) =>
      [jane, tom, old, home, work, shared].find((email) => sha256(email) === hash) ?? hash
    return Object.fromEntries(found.map((row) => [nameOf(row.email_hash), nameOf(row.person_hash)]))
  },
)

const everything: PersonRecord = {
  email: jane,
  emails: [jane, old],
  businessEmail: work,
  personalEmail: home,
  emailStatus: "valid",
  firstName: "Jane",
  lastName: "Mercer",
  phones: ["+14155550134", "+14155550135"],
  phonesDnc: [false, true],
  linkedinUrl: "https://linkedin.example/in/jane",
  headline: "Moves things",
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  company: {
    name: "Harbor Logistics",
    domain: "harbor-logistics.example",
    industry: "maritime transportation",
    industryGroup: "transportation",
    employeeCount: 340,
    revenueRange: "50 million to 100 million",
    zipCode: "94111",
    linkedinUrl: "https://linkedin.example/company/harbor",
  },
  geo: { city: "San Francisco", state: "CA", country: "US" },
  demographics: { ageRange: "35-44", gender: "F" },
  isB2b: "y",
}

const stored = Effect.map(
  rows(`select * from person where organization_id = $1 and email_hash = $2`, [
    organizationId,
    sha256(jane),
  ]),
  ([row]) => {
    const {
      email_hash: _h,
      import_id: _i,
      organization_id: _o,
      updated_at: _u,
      ...fields
    } = row ?? {}
    return fields
  },
)

describe("a record", () => {
  it.live("is stored with every field", () =>
    Effect.gen(function* () {
      const result = yield* sendPeople([everything])

      assert.deepInclude(result, { received: 1, inserted: 1, updated: 0, unchanged: 0 })
      assert.deepStrictEqual(yield* stored, {
        email: jane,
        emails: [jane, old],
        business_email: work,
        personal_email: home,
        email_status: "valid",
        first_name: "Jane",
        last_name: "Mercer",
        phones: ["+14155550134", "+14155550135"],
        phones_dnc: [false, true],
        linkedin_url: "https://linkedin.example/in/jane",
        headline: "Moves things",
        job_title: "VP Operations",
        seniority: "vp",
        department: "operations",
        company_name: "Harbor Logistics",
        company_domain: "harbor-logistics.example",
        industry: "maritime transportation",
        company_industry_group: "transportation",
        company_employee_count: 340,
        company_total_revenue: "50 million to 100 million",
        company_zip_code: "94111",
        company_linkedin_url: "https://linkedin.example/company/harbor",
        city: "San Francisco",
        state: "CA",
        country: "US",
        age_range: "35-44",
        gender: "F",
        is_b2b: "y",
      })
      assert.deepStrictEqual(yield* leads, { [old]: jane, [work]: jane, [home]: jane })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("known only by hash has no email, and gains it from a later record", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ emailHash: sha256(jane), firstName: "Jane" }])
      assert.deepInclude(yield* stored, { email: null, first_name: "Jane" })

      const result = yield* sendPeople([{ email: jane }])

      assert.deepInclude(result, { inserted: 0, updated: 1 })
      assert.deepInclude(yield* stored, { email: jane, first_name: "Jane" })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("sent again changes nothing", () =>
    Effect.gen(function* () {
      yield* sendPeople([everything])

      const result = yield* sendPeople([everything])

      assert.deepInclude(result, { inserted: 0, updated: 0, unchanged: 1 })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("an absent field keeps its value, null clears it, a group of nulls the whole group", () =>
    Effect.gen(function* () {
      yield* sendPeople([everything])
      const before = yield* stored

      yield* sendPeople([
        {
          email: jane,
          jobTitle: null,
          emails: null,
          phones: null,
          company: null,
          geo: { city: null },
        },
      ])

      assert.deepStrictEqual(yield* stored, {
        ...before,
        job_title: null,
        emails: [],
        phones: [],
        phones_dnc: null,
        company_name: null,
        company_domain: null,
        industry: null,
        company_industry_group: null,
        company_employee_count: null,
        company_total_revenue: null,
        company_zip_code: null,
        company_linkedin_url: null,
        city: null,
      })
      assert.deepStrictEqual(yield* leads, { [work]: jane, [home]: jane })
    }).pipe(Effect.provide(testLayer)),
  )

  const marks: ReadonlyArray<readonly [string, PersonRecord, ReadonlyArray<boolean> | null]> = [
    ["one mark applies to all phones of the record", { phonesDnc: true }, [true, true]],
    ["new phones drop the marks of the old ones", { phones: ["+14155550199"] }, null],
    [
      "the same phones keep their marks",
      { phones: ["+14155550134", "+14155550135"] },
      [false, true],
    ],
    ["null drops the marks", { phonesDnc: null }, null],
    ["phones and marks come together", { phones: ["+14155550199"], phonesDnc: [true] }, [true]],
  ]
  for (const [rule, change, expected] of marks) {
    it.live(rule, () =>
      Effect.gen(function* () {
        yield* sendPeople([everything])
        yield* sendPeople([{ email: jane, ...change }])
        assert.deepInclude(yield* stored, { phones_dnc: expected })
      }).pipe(Effect.provide(testLayer)),
    )
  }
})

describe("a key repeated inside one import", () => {
  const first = {
    email: jane,
    firstName: "First",
    jobTitle: "Kept",
    phones: ["+14155550134"],
    phonesDnc: true,
  }
  const last = { email: jane, firstName: "Last", phones: ["+14155550135"] }

  it.live("counts once, and the later record takes precedence", () =>
    Effect.gen(function* () {
      const result = yield* sendPeople([first, { email: tom }, last])

      assert.deepInclude(result, { received: 3, inserted: 2, updated: 0, unchanged: 1 })
      assert.deepInclude(yield* stored, {
        first_name: "Last",
        job_title: "Kept",
        phones: ["+14155550135"],
        phones_dnc: null,
      })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("is cleared where the later record has null", () =>
    Effect.gen(function* () {
      yield* sendPeople([first, { ...last, jobTitle: null }])

      assert.deepInclude(yield* stored, { first_name: "Last", job_title: null })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("gives the same result as two imports", () =>
    Effect.gen(function* () {
      yield* sendPeople([first])
      yield* sendPeople([last])
      const apart = yield* stored
      yield* rows("delete from person")

      yield* sendPeople([first, last])

      assert.deepStrictEqual(yield* stored, apart)
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("an address", () => {
  it.live("belongs to a later record that names it", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: tom, emails: [tom, shared, home] }])
      yield* sendPeople([{ email: jane, emails: [shared] }])
      assert.deepStrictEqual(yield* leads, { [shared]: jane, [home]: tom })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("named by two records of one import belongs to the last one", () =>
    Effect.gen(function* () {
      yield* sendPeople([
        { email: tom, emails: [shared] },
        { email: jane, emails: [shared] },
      ])
      assert.deepStrictEqual(yield* leads, { [shared]: jane })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("keeps its owner when an unchanged record is sent again", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: tom, emails: [shared] }])
      yield* sendPeople([{ email: jane, emails: [shared] }])
      yield* sendPeople([{ email: tom, emails: [shared] }])
      assert.deepStrictEqual(yield* leads, { [shared]: jane })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("that its record no longer names has no owner", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane, emails: [old], businessEmail: work }])
      yield* sendPeople([{ email: jane, emails: [home] }])
      assert.deepStrictEqual(yield* leads, { [home]: jane, [work]: jane })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of a link keeps its owner, whatever records name", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: jane, emails: [shared] }])
      const result = yield* sendLinks([
        { kind: "email", value: sha256(shared), emailHash: sha256(tom) },
      ])
      yield* sendPeople([{ email: jane, emails: [shared, home] }])
      yield* sendPeople([{ email: jane, emails: [] }])

      assert.deepInclude(result, { inserted: 1, updated: 0 })
      assert.deepStrictEqual(yield* leads, { [shared]: tom })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("belongs only to its organization", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: tom, emails: [shared] }, everything], {
        organizationId: otherOrganizationId,
      })
      const before = yield* rows(`select * from person order by email_hash`)

      yield* sendPeople([{ email: jane, emails: [shared] }])

      assert.deepStrictEqual(
        yield* rows(`select * from person where organization_id = $1 order by email_hash`, [
          otherOrganizationId,
        ]),
        before,
      )
      assert.deepStrictEqual(yield* leads, { [shared]: jane })
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("identification", () => {
  it.live("by an alias finds the imported person, with all addresses", () =>
    Effect.gen(function* () {
      yield* sendPeople([everything])
      yield* arrive(identify(0, home))

      yield* drain

      assert.deepStrictEqual(yield* visitorsKnown, [
        [jane, `${jane} business`, `${home} personal`, `${old} business`, `${work} business`],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("by an address that moved finds the person it moved to", () =>
    Effect.gen(function* () {
      yield* sendPeople([{ email: tom, emails: [tom, shared] }])
      yield* sendPeople([{ email: jane, emails: [jane, shared] }])
      yield* arrive(identify(0, tom), identify(1, shared, { anonymousId: nextId() }))

      yield* drain

      assert.deepStrictEqual(yield* visitorsKnown, [
        [jane, `${shared} business`, `${jane} business`],
        [tom, `${tom} business`],
      ])
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("a list", () => {
  it.live("is merged like a stream, in the caller's transaction", () =>
    Effect.gen(function* () {
      yield* sendPeople([everything])
      const before = yield* stored
      yield* rows("delete from person")
      yield* rows("delete from person_address")
      const { put } = yield* People

      yield* put(organizationId, [
        everything,
        { email: tom, phones: ["+14155550134"], phonesDnc: true },
      ])

      assert.deepStrictEqual(yield* stored, before)
      assert.deepStrictEqual(yield* leads, { [old]: jane, [work]: jane, [home]: jane })
      assert.deepStrictEqual(yield* rows("select phones_dnc from person where email = $1", [tom]), [
        { phones_dnc: [true] },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("raises the version of its organization's people, as a stream does", () =>
    Effect.gen(function* () {
      const { put } = yield* People
      const { currentPeople } = yield* DataVersions
      const before = yield* currentPeople(organizationId)

      yield* put(organizationId, [{ email: tom }])

      assert.notStrictEqual(yield* currentPeople(organizationId), before)
    }).pipe(Effect.provide(testLayer)),
  )
})

// Who an address belongs to, which address is the primary one, and what fills a profile
// (decisions.md 1.5, 2.1, 6.7, 13).
import { assert, describe, it } from "@effect/vitest"
import { hashEmail } from "../visits/email-address.ts"
import type { Traits } from "../visits/traits.ts"
import { Directory } from "./directory.ts"
import { firstOf } from "./profile.ts"
import { type Address, addressesOf, type Person, primaryOf } from "./visitor.ts"

const jane = "jane@harbor.example"
const alias = "jane@gmail.com"
const sha256 = (email: string) => hashEmail(email).sha256

const address = (email: string, firstSeenAt: number, kind: Address["kind"]): Address => ({
  emailHash: sha256(email),
  email,
  kind,
  firstSeenAt,
})

const person = (change: Partial<Person> = {}): Person => ({
  organizationId: "o",
  emailHash: sha256(jane),
  email: jane,
  emails: [],
  businessEmail: null,
  personalEmail: null,
  profile: {},
  ...change,
})

const introduction = (email: string, at = 0, traits: Traits = {}) => ({
  organizationId: "o",
  emailHash: sha256(email),
  email,
  traits,
  at,
})

const ids = () => {
  let count = 0
  return () => `v${++count}`
}

describe("primary address", () => {
  it("is a business address before a personal one, then the one seen first", () => {
    const personal = address("a@gmail.com", 1, "personal")
    const early = address("a@harbor.example", 2, "business")
    const late = address("b@harbor.example", 3, "business")
    assert.strictEqual(primaryOf([personal, late, early], undefined).email, early.email)
    assert.strictEqual(primaryOf([personal], undefined).email, personal.email)
  })

  it("of an imported person is the email of the record", () => {
    const business = address("a@harbor.example", 1, "business")
    const told = person({ email: "a@gmail.com" })
    assert.strictEqual(
      primaryOf([business, address("a@gmail.com", 2, "personal")], told).email,
      "a@gmail.com",
    )
  })

  it("of a person known by hash alone is that hash, without sha1 and md5", () => {
    const hashed = { emailHash: "f".repeat(64), email: null, kind: null, firstSeenAt: 0 }
    assert.deepStrictEqual(primaryOf([hashed], undefined), {
      email: null,
      emailHash: "f".repeat(64),
      sha1: null,
      md5: null,
    })
    assert.strictEqual(primaryOf([hashed, address(jane, 9, "business")], undefined).email, jane)
  })
})

describe("addresses of an imported person", () => {
  it("are each there once, the record's own first", () => {
    const told = person({ emails: [alias, jane], businessEmail: jane, personalEmail: alias })
    assert.deepStrictEqual(
      addressesOf(told).map(({ email }) => email),
      [jane, alias],
    )
  })

  it("hold the record's hash when its email is not known", () => {
    const told = person({ email: null, emailHash: "f".repeat(64), emails: [alias] })
    assert.deepStrictEqual(addressesOf(told), [
      { emailHash: "f".repeat(64), email: null },
      { emailHash: sha256(alias), email: alias },
    ])
  })
})

describe("directory", () => {
  it("makes one visitor for one address, however often it is told", () => {
    const directory = new Directory({ visitors: [], people: [] }, ids())
    assert.deepStrictEqual(
      [jane, jane, alias].map((email) => directory.introduce(introduction(email))),
      ["v1", "v1", "v2"],
    )
  })

  it("makes one visitor for all addresses of an imported person, with the kinds it names", () => {
    const told = person({ emails: [alias, "j@mail.example"], personalEmail: "j@mail.example" })
    const directory = new Directory({ visitors: [], people: [told] }, ids())
    const told3 = ["j@mail.example", jane, alias].map((email, at) =>
      directory.introduce(introduction(email, at)),
    )

    assert.deepStrictEqual(told3, ["v1", "v1", "v1"])
    const [visitor] = directory.changed
    assert.strictEqual(visitor?.primary.email, jane)
    assert.deepStrictEqual(
      visitor?.addresses.map(({ email, kind }) => [email, kind]),
      [
        ["j@mail.example", "personal"],
        [jane, "business"],
        [alias, "personal"],
      ],
    )
  })

  it("leaves an address with the visitor that has it", () => {
    const known = {
      organizationId: "o",
      id: "other",
      addresses: [address(alias, 0, "personal")],
      profile: {},
    }
    const directory = new Directory(
      { visitors: [known], people: [person({ emails: [alias] })] },
      ids(),
    )
    const mine = { ...known, id: "mine", addresses: [address(jane, 0, "business")] }
    const both = new Directory(
      { visitors: [known, mine], people: [person({ emails: [alias] })] },
      ids(),
    )

    assert.strictEqual(directory.introduce(introduction(jane)), "other")
    assert.strictEqual(both.introduce(introduction(jane)), "mine")
    assert.deepStrictEqual(
      both.changed[0]?.addresses.map(({ email }) => email),
      [jane],
    )
  })

  it("an address known by hash gains its email and keeps its first moment", () => {
    const directory = new Directory({ visitors: [], people: [] }, ids())
    directory.introduce({ ...introduction(jane, 7), email: null })
    directory.introduce(introduction(jane, 9))

    assert.deepStrictEqual(directory.changed[0]?.addresses, [address(jane, 7, "business")])
    assert.strictEqual(directory.changed[0]?.primary.sha1, hashEmail(jane).sha1)
  })

  it("keeps organizations apart", () => {
    const directory = new Directory({ visitors: [], people: [] }, ids())
    const here = directory.introduce(introduction(jane))
    const there = directory.introduce({ ...introduction(jane), organizationId: "p" })
    assert.notStrictEqual(here, there)
  })

  it("imported before known, known before traits", () => {
    const known = {
      organizationId: "o",
      id: "v",
      addresses: [address(jane, 0, "business")],
      profile: { job_title: "VP", first_name: "Known", phones: [] },
    }
    const told = person({ profile: { first_name: "Imported", city: null } })
    const directory = new Directory({ visitors: [known], people: [told] }, ids())
    const traits = { firstName: "Told", jobTitle: "CEO", lastName: "Mercer", phone: "+14155550134" }
    directory.introduce(introduction(jane, 0, traits))

    const { profile } = directory.changed[0]!
    assert.deepInclude(profile, {
      first_name: "Imported",
      job_title: "VP",
      last_name: "Mercer",
      city: null,
      phones: ["+14155550134"],
      phones_dnc: null,
    })
  })

  it("do-not-call marks come with their phones, never with others", () => {
    const marked = { phones: ["+1"], phones_dnc: [true] }
    assert.deepInclude(firstOf([{ phones: ["+2"] }, marked]), { phones: ["+2"], phones_dnc: null })
    assert.deepInclude(firstOf([{ phones: [] }, marked]), marked)
  })
})

// Who an address belongs to, which address is primary, and which values a profile contains (spec 1.5, 2.1, 6.7).
import { assert, describe, it } from "@effect/vitest"
import { hashEmail } from "../../collect/visits/email-address.ts"
import type { Traits } from "../../collect/visits/traits.ts"
import { Directory } from "./directory.ts"
import { firstOf, type Person } from "./profile.ts"
import { type Address, primaryOf, type Visitor } from "./visitor.ts"

const jane = "jane@harbor.example"
const alias = "jane@gmail.com"
const sha256 = (email: string) => hashEmail(email).sha256

const address = (email: string, firstSeenAt: number | null, kind: Address["kind"]): Address => ({
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

/** The record's addresses belong to it, as an import writes them. */
const imported = (...people: ReadonlyArray<Person>) => ({
  people,
  aliases: people.flatMap(({ businessEmail, emailHash, emails, organizationId, personalEmail }) =>
    [...emails, businessEmail, personalEmail]
      .filter((email) => email !== null)
      .map((email) => ({ organizationId, emailHash: sha256(email), personHash: emailHash }))
      .filter((alias) => alias.emailHash !== alias.personHash),
  ),
  erased: [],
})

const visitor = (email: string, change: Partial<Visitor> = {}): Visitor => ({
  organizationId: "o",
  id: "v",
  emailHash: sha256(email),
  firstSeenAt: 0,
  addresses: [address(email, 0, "business")],
  traits: {},
  vendor: {},
  resolved: {},
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
  const personal = address("a@gmail.com", 1, "personal")
  const early = address("a@harbor.example", 2, "business")
  const late = address("b@harbor.example", 3, "business")

  it("is a business address rather than a personal one, and then the one seen first", () => {
    assert.strictEqual(primaryOf([personal, late, early], []).email, early.email)
    assert.strictEqual(primaryOf([personal], []).email, personal.email)
  })

  it("is an address that was seen rather than one that only an import names", () => {
    const never = address("z@harbor.example", null, "business")
    assert.strictEqual(primaryOf([never, late], []).email, late.email)
    assert.strictEqual(primaryOf([late, never], []).email, late.email)
  })

  it("of an imported person is the email of the record", () => {
    const told = person({ email: "a@gmail.com" })
    assert.strictEqual(primaryOf([early, personal], [told]).email, "a@gmail.com")
  })

  it("of a record without an email is the business address it names", () => {
    const told = person({ email: null, businessEmail: late.email })
    assert.strictEqual(primaryOf([early, late], [told]).email, late.email)
  })

  it("of a person known only by hash is that hash, without sha1 and md5", () => {
    const hashed = { emailHash: "f".repeat(64), email: null, kind: null, firstSeenAt: 0 }
    assert.deepStrictEqual(primaryOf([hashed], []), {
      email: null,
      emailHash: "f".repeat(64),
      sha1: null,
      md5: null,
    })
    assert.strictEqual(primaryOf([hashed, address(jane, 9, "business")], []).email, jane)
  })

  it("does not depend on the order of the addresses", () => {
    const two = [
      address("x@a.example", 1, "business"),
      address("y@a.example", 1, "business"),
    ] as const
    assert.deepStrictEqual(primaryOf(two, []), primaryOf([two[1], two[0]], []))
  })
})

describe("directory", () => {
  it("creates one visitor for an address, however often it is named", () => {
    const directory = new Directory({ visitors: [], ...imported() }, ids())
    assert.deepStrictEqual(
      [jane, jane, alias].map((email) => directory.introduce(introduction(email))),
      ["v1", "v1", "v2"],
    )
  })

  it("makes one visitor for all addresses of an imported person, with the kinds it names", () => {
    const told = person({ emails: [alias, "j@mail.example"], personalEmail: "j@mail.example" })
    const directory = new Directory({ visitors: [], ...imported(told) }, ids())
    const told3 = ["j@mail.example", jane, alias].map((email, at) =>
      directory.introduce(introduction(email, at)),
    )

    assert.deepStrictEqual(told3, ["v1", "v1", "v1"])
    const [made] = directory.changed
    assert.strictEqual(made?.primary.email, jane)
    assert.sameDeepMembers(
      [...made!.addresses],
      [
        address("j@mail.example", 0, "personal"),
        address(jane, 1, "business"),
        address(alias, 2, "personal"),
      ],
    )
  })

  it("an address that belongs to another person is not the record's", () => {
    const told = person({ emails: [alias] })
    const aliases = [
      { organizationId: "o", emailHash: sha256(alias), personHash: sha256("tom@acme.example") },
    ]
    const directory = new Directory({ visitors: [], people: [told], aliases, erased: [] }, ids())
    directory.introduce(introduction(jane))

    assert.deepStrictEqual(
      directory.changed[0]?.addresses.map(({ email }) => email),
      [jane],
    )
  })

  it("keeps an address with the visitor that has it", () => {
    const other = visitor(alias, { id: "other", addresses: [address(alias, 0, "personal")] })
    const mine = visitor(jane, { id: "mine" })
    const known = imported(person({ emails: [alias] }))
    const directory = new Directory({ visitors: [other], ...known }, ids())
    const both = new Directory({ visitors: [mine, other], ...known }, ids())

    assert.strictEqual(directory.introduce(introduction(jane)), "other")
    assert.strictEqual(both.introduce(introduction(jane)), "mine")
    assert.deepStrictEqual(
      both.changed[0]?.addresses.map(({ email }) => email),
      [jane],
    )
  })

  it("an address known by hash gains its email and keeps its first moment", () => {
    const directory = new Directory({ visitors: [], ...imported() }, ids())
    directory.introduce({ ...introduction(jane, 7), email: null })
    directory.introduce(introduction(jane, 9))

    assert.deepStrictEqual(directory.changed[0]?.addresses, [address(jane, 7, "business")])
    assert.strictEqual(directory.changed[0]?.primary.sha1, hashEmail(jane).sha1)
  })

  it("keeps organizations apart", () => {
    const directory = new Directory({ visitors: [], ...imported() }, ids())
    const here = directory.introduce(introduction(jane))
    const there = directory.introduce({ ...introduction(jane), organizationId: "p" })
    assert.notStrictEqual(here, there)
  })

  it("imported values come first, then traits, the earliest first, and a resolver last", () => {
    const known = visitor(jane, {
      traits: { job_title: "VP", first_name: "Known" },
      resolved: { company_name: "Resolved", industry: "resolved", job_title: "resolved" },
    })
    const told = person({ profile: { first_name: "Imported", city: null } })
    const directory = new Directory({ visitors: [known], ...imported(told) }, ids())
    const traits = {
      firstName: "Told",
      jobTitle: "CEO",
      companyName: "Told",
      phone: "+14155550134",
    }
    directory.introduce(introduction(jane, 0, traits))

    assert.deepInclude(directory.changed[0]!.profile, {
      first_name: "Imported",
      job_title: "VP",
      company_name: "Told",
      industry: "resolved",
      city: null,
      phones: ["+14155550134"],
      phones_dnc: null,
    })
  })

  it("the domain of a business address fills an empty company domain", () => {
    const domainOf = (
      email: string,
      {
        known = visitor(email),
        traits = {},
        isExcludedDomain = () => false,
      }: {
        readonly known?: Visitor
        readonly traits?: Traits
        readonly isExcludedDomain?: (domain: string) => boolean
      } = {},
    ) => {
      const found = { visitors: [known], people: [], aliases: [], erased: [], isExcludedDomain }
      const directory = new Directory(found, ids())
      directory.introduce(introduction(email, 0, traits))
      return directory.changed[0]!.profile.company_domain
    }
    const mail = "jane@eu.harbor.co.uk"
    assert.strictEqual(domainOf(mail), "harbor.co.uk")
    assert.isNull(domainOf("jane@gmail.com"))
    assert.strictEqual(
      domainOf(mail, { traits: { companyDomain: "told.example" } }),
      "told.example",
    )
    assert.strictEqual(
      domainOf(mail, { known: visitor(mail, { resolved: { company_domain: "net.example" } }) }),
      "net.example",
    )
    assert.isNull(domainOf(mail, { isExcludedDomain: (domain) => domain === "harbor.co.uk" }))
  })

  it("do-not-call marks come with their phones, never with others", () => {
    const marked = { phones: ["+1"], phones_dnc: [true] }
    assert.deepInclude(firstOf([{ phones: ["+2"] }, marked]), { phones: ["+2"], phones_dnc: null })
    assert.deepInclude(firstOf([{ phones: [] }, marked]), marked)
  })
})

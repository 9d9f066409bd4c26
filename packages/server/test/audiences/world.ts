// Random worlds of a dozen addresses: who imported whom, who visited which organization, which addresses belong
// together, who has which signals, the rules, and who was erased. As small as possible while all combinations can still
// occur.
import * as fc from "fast-check"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"

export const dataDate = "2026-03-10"
export const dayBefore = "2026-03-09"

/** The viewing organization, another one, or the shared one. */
export type Owner = "ours" | "theirs" | "shared"

export interface Fields {
  readonly job_title: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly company_name: string | null
  readonly company_domain: string | null
  readonly company_employee_count: number | null
  readonly company_total_revenue: string | null
  readonly industry: string | null
  readonly state: string | null
  readonly linkedin_url: string | null
  readonly phones: ReadonlyArray<string>
}

export interface PersonRecord extends Fields {
  readonly owner: Owner
  readonly hash: string
  readonly email: string | null
  readonly emails: ReadonlyArray<string>
  readonly business_email: string | null
  readonly personal_email: string | null
  readonly age_range: string | null
  readonly gender: string | null
  readonly is_b2b: string | null
}

export interface VisitorRecord extends Fields {
  readonly owner: "ours" | "theirs"
  readonly heldBack: boolean
  /** The primary address first. */
  readonly addresses: ReadonlyArray<{
    readonly hash: string
    readonly email: string
    readonly kind: string
  }>
}

export interface Lead {
  readonly owner: Owner
  readonly from: string
  readonly to: string
}

export interface SignalRecord {
  readonly owner: Owner
  readonly origin: "import" | "pixel"
  readonly date: string
  readonly topicId: number
  readonly hash: string
  readonly score: number
}

export interface RuleRecord {
  readonly owner: "ours" | "theirs"
  readonly type: "email" | "domain" | "company_domain" | "industry"
  readonly key: string
  readonly state: "in force" | "not yet" | "being removed" | "removed"
}

export interface World {
  readonly people: ReadonlyArray<PersonRecord>
  readonly visitors: ReadonlyArray<VisitorRecord>
  readonly leads: ReadonlyArray<Lead>
  readonly signals: ReadonlyArray<SignalRecord>
  readonly rules: ReadonlyArray<RuleRecord>
  readonly erased: ReadonlyArray<string>
}

const domains = ["acme.example", "gmail.com", "www.quayline.example"]
export const emails = Array.from({ length: 10 }, (_, n) => `p${n}@${domains[n % domains.length]}`)
const hashes = emails.map(emailHashOf)
const emailOf = new Map(emails.map((email) => [emailHashOf(email), email]))

const maybe = <Value>(...values: ReadonlyArray<Value>) => fc.constantFrom(null, ...values)

const fields = {
  job_title: maybe("VP Operations", "Director, Sales 50%", "engineer_1"),
  seniority: maybe("vp", "director", "c_suite"),
  department: maybe("sales", "operations"),
  company_name: maybe("Quay & Söhne", "Harbor Logistics"),
  company_domain: maybe("quayline.example", "acme.example"),
  company_employee_count: maybe(0, 10, 11, 200, 201, 10_001),
  company_total_revenue: maybe("under 1 million", "1 billion and over"),
  industry: maybe("logistics", "éducation"),
  state: maybe("CA", "Île-de-France"),
  linkedin_url: maybe("https://www.linkedin.com/in/mercer"),
  phones: fc.constantFrom([], ["+14155550134"]),
}

const person = fc.record({
  owner: fc.constantFrom("ours" as const, "shared" as const, "shared" as const, "theirs" as const),
  hash: fc.constantFrom(...hashes),
  hasEmail: fc.boolean(),
  emails: fc.subarray([...emails], { maxLength: 2 }),
  business_email: maybe(...emails.slice(0, 3)),
  personal_email: maybe(...emails.slice(1, 4)),
  age_range: maybe("25-34", "65 and older"),
  gender: maybe("M", "F"),
  is_b2b: maybe("y", "n"),
  ...fields,
})

const visitor = fc.record({
  owner: fc.constantFrom("ours" as const, "ours" as const, "theirs" as const),
  heldBack: fc.constantFrom(false, false, true),
  addresses: fc.uniqueArray(fc.constantFrom(...hashes), { minLength: 2, maxLength: 3 }),
  kind: fc.constantFrom("business", "personal"),
  ...fields,
})

const lead = fc.record({
  owner: fc.constantFrom("ours" as const, "shared" as const, "shared" as const, "theirs" as const),
  from: fc.constantFrom(...hashes),
  to: fc.constantFrom(...hashes),
})

export const topicIds = [11, 12, 13, 14]
export const scores = [40, 69, 70, 71, 85, 90, 100]

const signal = fc.record({
  owner: fc.constantFrom("shared" as const, "shared" as const, "ours" as const, "theirs" as const),
  origin: fc.constantFrom("import" as const, "import" as const, "pixel" as const),
  date: fc.constantFrom(dataDate, dataDate, dataDate, dayBefore),
  topicId: fc.constantFrom(...topicIds),
  hash: fc.constantFrom(...hashes),
  score: fc.constantFrom(...scores),
})

const rule = fc.record({
  owner: fc.constantFrom("ours" as const, "ours" as const, "theirs" as const),
  value: fc.oneof(
    fc.record({ type: fc.constant("email" as const), key: fc.constantFrom(...hashes) }),
    fc.record({
      type: fc.constantFrom("domain" as const, "company_domain" as const),
      key: fc.constantFrom("acme.example", "quayline.example", "gmail.com"),
    }),
    fc.record({ type: fc.constant("industry" as const), key: fc.constant("éducation") }),
  ),
  state: fc.constantFrom(
    "in force" as const,
    "in force" as const,
    "not yet" as const,
    "being removed" as const,
    "removed" as const,
  ),
})

export const world: fc.Arbitrary<World> = fc
  .record({
    people: fc.array(person, { maxLength: 12 }),
    visitors: fc.array(visitor, { maxLength: 3 }),
    leads: fc.array(lead, { maxLength: 6 }),
    signals: fc.array(signal, { minLength: 10, maxLength: 60 }),
    rules: fc.array(rule, { maxLength: 3 }),
    erased: fc.option(fc.constantFrom(...hashes), { nil: undefined }),
  })
  .map(({ erased, leads, people, rules, signals, visitors }) =>
    erase(
      {
        people: unique(people, ({ hash, owner }) => `${owner} ${hash}`).map(
          ({ hasEmail, ...record }) => ({
            ...record,
            email: hasEmail ? emailOf.get(record.hash)! : null,
          }),
        ),
        visitors: disjoint(visitors).map(({ kind, ...record }) => ({
          ...record,
          addresses: record.addresses.map((hash) => ({ hash, email: emailOf.get(hash)!, kind })),
        })),
        leads: unique(leads, ({ from, owner }) => `${owner} ${from}`),
        signals: unique(
          signals.map((one) => (one.owner === "shared" ? { ...one, origin: "import" } : one)),
          ({ date, hash, origin, owner, topicId }) =>
            `${owner} ${origin} ${date} ${topicId} ${hash}`,
        ),
        rules: unique(
          rules.map(({ value, ...one }) => ({ ...one, ...value })),
          ({ key, owner, type }) => `${owner} ${type} ${key}`,
        ),
        erased: [],
      },
      erased,
    ),
  )

const unique = <One>(all: ReadonlyArray<One>, keyOf: (one: One) => string): ReadonlyArray<One> => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
]

/** Ensures that an address belongs to one visitor of an organization. */
const disjoint = <
  One extends { readonly owner: string; readonly addresses: ReadonlyArray<string> },
>(
  all: ReadonlyArray<One>,
): ReadonlyArray<One> => {
  const taken = new Set<string>()
  return all.filter(({ addresses, owner }) => {
    const keys = addresses.map((hash) => `${owner} ${hash}`)
    if (keys.some((key) => taken.has(key))) return false
    for (const key of keys) taken.add(key)
    return true
  })
}

/** The world after an erasure: the organization keeps nothing that is connected with the address. */
const erase = (whole: World, address: string | undefined): World => {
  if (address === undefined) return whole
  const gone = new Set([address])
  const links = [
    ...whole.leads
      .filter(({ owner }) => owner !== "theirs")
      .map(({ from, to }) => [from, to] as const),
    ...whole.visitors
      .filter(({ owner }) => owner === "ours")
      .flatMap(({ addresses }) => addresses.map(({ hash }) => [addresses[0]!.hash, hash] as const)),
  ]
  for (const _ of hashes) {
    for (const ends of links) if (ends.some((hash) => gone.has(hash))) ends.map((h) => gone.add(h))
  }
  const stays = (owner: Owner, hash: string) => owner !== "ours" || !gone.has(hash)
  return {
    ...whole,
    people: whole.people.filter(({ hash, owner }) => stays(owner, hash)),
    visitors: whole.visitors.filter(({ addresses, owner }) => stays(owner, addresses[0]!.hash)),
    leads: whole.leads.filter(({ from, owner }) => stays(owner, from)),
    signals: whole.signals.filter(
      ({ hash, origin, owner }) => origin === "import" || stays(owner, hash),
    ),
    erased: [...gone],
  }
}

// Evaluates in memory, person by person, who is in an audience (spec 2.8, 2.9, 2.6).
import { foldCase } from "../../src/platform/database/case-folding.ts"
import {
  type AudienceConfig,
  type AudienceFilters,
  employeesOf,
} from "../../src/intent/audiences/config.ts"
import { isInSegment } from "./segments.ts"
import { emailKind } from "../../src/collect/visits/email-address.ts"
import {
  dataDate,
  type Fields,
  type PersonRecord,
  type VisitorRecord,
  type World,
} from "./world.ts"

export interface Found {
  readonly hem: string
  /** Null without topics, like the overlap and the topic. */
  readonly score: number | null
  readonly overlap: number | null
  readonly topicId: number | null
  readonly email: string | null
  readonly company: string | null
  readonly jobTitle: string | null
  /** Ids by highest score, then lowest id. */
  readonly matched: ReadonlyArray<number>
  readonly known: Profile
}

/** In the order of the results. */
export const evaluate = (world: World, config: AudienceConfig): ReadonlyArray<Found> =>
  config.topicIds.length > 0 ? byTopics(world, config) : ofSegment(world, config)

const ofSegment = (world: World, config: AudienceConfig): ReadonlyArray<Found> =>
  world.visitors
    .filter(({ heldBack, owner }) => owner === "ours" && !heldBack)
    .map(({ addresses }) => profileOf(world, addresses[0]!.hash))
    .filter((known) => qualifies(known, config) && passesAll(world, known, config))
    .map((known) => ({
      ...described(known),
      hem: known.visitor!.addresses[0]!.hash,
      score: null,
      overlap: null,
      topicId: null,
      matched: [],
    }))
    .toSorted((one, other) => (one.hem < other.hem ? -1 : 1))

const qualifies = ({ visitor }: Profile, { segmentId }: AudienceConfig): boolean =>
  segmentId === undefined || (visitor !== undefined && isInSegment(segmentId, visitor))

const passesAll = (world: World, known: Profile, { filters }: AudienceConfig): boolean =>
  passes(known, filters) && !isSuppressed(world, known)

const described = (known: Profile) => ({
  email: known.email,
  company: known.field("company_name"),
  jobTitle: known.field("job_title"),
  known,
})

const byTopics = (world: World, config: AudienceConfig): ReadonlyArray<Found> => {
  const { maxScore, minScore, minTopicOverlap, topicIds } = config
  const highest = new Map<string, Map<number, number>>()
  for (const { date, hash, owner, score, topicId } of world.signals) {
    const isCounted = owner !== "theirs" && date === dataDate && topicIds.includes(topicId)
    if (!isCounted || world.erased.includes(hash)) continue
    const root = rootOf(world, hash)
    const byTopic = highest.get(root) ?? new Map<number, number>()
    byTopic.set(topicId, Math.max(byTopic.get(topicId) ?? 0, score))
    highest.set(root, byTopic)
  }
  const found: Array<Found & { readonly score: number; readonly overlap: number }> = []
  for (const [root, byTopic] of highest) {
    const matched = [...byTopic]
      .filter(([, score]) => score >= minScore && score <= maxScore)
      .toSorted(([topic, score], [other, otherScore]) => otherScore - score || topic - other)
    if (matched.length < minTopicOverlap) continue
    const known = profileOf(world, root)
    if (!qualifies(known, config) || !passesAll(world, known, config)) continue
    found.push({
      ...described(known),
      hem: root,
      score: matched[0]![1],
      overlap: matched.length,
      topicId: matched[0]![0],
      matched: matched.map(([topicId]) => topicId),
    })
  }
  return found.toSorted(
    (one, other) =>
      other.score - one.score || other.overlap - one.overlap || (one.hem < other.hem ? -1 : 1),
  )
}

const visitorOf = (world: World, hash: string): VisitorRecord | undefined =>
  world.visitors.find(
    ({ addresses, heldBack, owner }) =>
      owner === "ours" && !heldBack && addresses.some((address) => address.hash === hash),
  )

const nextOf = (world: World, hash: string): string | undefined => {
  const lead = (wanted: "ours" | "shared") =>
    world.leads.find(({ from, owner }) => owner === wanted && from === hash)?.to
  const next = visitorOf(world, hash)?.addresses[0]!.hash ?? lead("ours") ?? lead("shared")
  return next === undefined || world.erased.includes(hash) || world.erased.includes(next)
    ? undefined
    : next
}

const rootOf = (world: World, hash: string): string => {
  const way = [hash]
  for (;;) {
    const next = nextOf(world, way.at(-1)!)
    if (next === undefined) return way.at(-1)!
    if (way.includes(next)) return way.slice(way.indexOf(next)).toSorted()[0]!
    way.push(next)
  }
}

export interface Profile {
  readonly members: ReadonlyArray<string>
  readonly records: ReadonlyArray<PersonRecord>
  readonly visitor: VisitorRecord | undefined
  readonly email: string | null
  readonly emailDomain: string | undefined
  field<Name extends keyof PersonRecord & string>(name: Name): PersonRecord[Name] | null
}

const profileOf = (world: World, root: string): Profile => {
  const visitor = visitorOf(world, root)
  const everyone = [
    root,
    ...world.leads.flatMap(({ from, to }) => [from, to]),
    ...(visitor?.addresses ?? []).map(({ hash }) => hash),
  ]
  const members = [...new Set(everyone)].filter((hash) => rootOf(world, hash) === root)
  const order = [root, ...members.filter((hash) => hash !== root).toSorted()]
  const records = (["ours", "shared"] as const).flatMap((wanted) =>
    order.flatMap((member) =>
      world.people.filter(({ hash, owner }) => owner === wanted && hash === member),
    ),
  )
  const field: Profile["field"] = (name) =>
    records.find((record) => record[name] !== null)?.[name] ??
    (visitor as Partial<PersonRecord> | undefined)?.[name] ??
    null
  const named = records
    .map(
      ({ business_email, email, emails, personal_email }) =>
        email ?? business_email ?? personal_email ?? emails[0] ?? null,
    )
    .find((email) => email !== null)
  const email = named ?? visitor?.addresses[0]!.email ?? null
  return {
    members,
    records,
    visitor,
    email,
    emailDomain: email?.split("@")[1]!.replace(/^www\./, ""),
    field,
  }
}

const hasKind = ({ records, visitor }: Profile, kind: "business" | "personal"): boolean => {
  const other = kind === "business" ? "personal_email" : "business_email"
  return (
    records.some(
      (record) =>
        record[`${kind}_email`] !== null ||
        [record.email, ...record.emails].some(
          (email) => email !== null && email !== record[other] && emailKind(email) === kind,
        ),
    ) || (visitor?.addresses ?? []).some((address) => address.kind === kind)
  )
}

const has = ({ records, visitor }: Profile, test: (fields: Fields) => boolean): boolean =>
  [...records, ...(visitor === undefined ? [] : [visitor])].some(test)

const passes = (known: Profile, filters: AudienceFilters): boolean => {
  const isOneOf = (value: string | null, wanted: ReadonlyArray<string> | undefined) =>
    wanted === undefined ||
    (value !== null && wanted.some((one) => foldCase(one) === foldCase(value)))
  const one = (wanted: string | undefined) => (wanted === undefined ? undefined : [wanted])
  const contains = (value: string | null, wanted: string | undefined) =>
    wanted === undefined ||
    (value !== null &&
      wanted
        .split(",")
        .map((item) => foldCase(item.trim()))
        .some((item) => item !== "" && foldCase(value).includes(item)))
  const is = (value: boolean, wanted: boolean | undefined) =>
    wanted === undefined || value === wanted
  const employees = known.field("company_employee_count")
  return (
    isOneOf(known.field("industry"), filters.companyIndustry) &&
    isOneOf(known.field("seniority"), filters.seniority) &&
    isOneOf(known.field("department"), filters.department) &&
    isOneOf(known.field("state"), one(filters.state)) &&
    isOneOf(known.field("company_total_revenue"), filters.companyRevenueRange) &&
    isOneOf(known.field("age_range"), filters.ageRange) &&
    isOneOf(known.field("gender"), one(filters.gender)) &&
    isOneOf(known.field("is_b2b"), one(filters.isB2b)) &&
    isOneOf(known.field("company_domain"), one(filters.companyDomain)) &&
    contains(known.field("job_title"), filters.jobTitle) &&
    contains(known.field("company_name"), filters.companyName) &&
    (filters.companySize === undefined ||
      (employees !== null &&
        filters.companySize.some((size) => {
          const [least, most] = employeesOf(size)
          return least <= employees && employees <= most
        }))) &&
    is(hasKind(known, "business"), filters.hasBusinessEmail) &&
    is(hasKind(known, "personal"), filters.hasPersonalEmail) &&
    is(
      has(known, ({ linkedin_url }) => linkedin_url !== null),
      filters.hasLinkedin,
    ) &&
    is(
      has(known, ({ phones }) => phones.length > 0),
      filters.hasPhone,
    )
  )
}

const isSuppressed = (world: World, known: Profile): boolean =>
  world.rules.some(({ key, owner, state, type }) => {
    if (owner !== "ours" || state === "not yet" || state === "removed") return false
    switch (type) {
      case "email":
        return known.members.includes(key)
      case "domain":
        return known.emailDomain === key
      case "company_domain":
        return known.field("company_domain") === key
      case "industry":
        return known.field("industry") === key
    }
  })

// Evaluates rules over people in memory, as spec 3 defines them, one predicate after the other, without the
// compiler's code. "Ignoring case" means `iu` in a JavaScript regular expression.
import { matchesAny } from "@footfall/pixel/path-filter"
import type { RuleNode } from "../../../src/people/visitors/query/rule.ts"
import type { Person, Question, SentEvent, Visit } from "./person.ts"

const hour = 3_600_000
const day = 24 * hour

/** Whether the person was seen in window and scope and matches the rule. */
export const matches = (rule: RuleNode, person: Person, question: Question): boolean =>
  !person.heldBack && visitsIn(person, question).length > 0 && holds(rule, person, question)

/** The person's company, as if all of its visits were of one person. */
const companyOf = (person: Person): Person => ({
  ...person,
  visits: [...person.visits, ...person.anonymousVisits],
})

/** A company has them already. */
const companyVisits = (person: Person, question: Question): ReadonlyArray<Visit> =>
  visitsOn(question.company === undefined ? companyOf(person) : person, question)

/**
 * Whether the person's company was seen in window and scope and matches the rule. A person who is held back says nothing
 * about their company.
 */
export const companyMatches = (
  rule: RuleNode,
  person: Person,
  question: Question,
  suppressed: "include" | "exclude" | "only",
): boolean => {
  const company = companyOf(person)
  if (visitsIn(company, question).length === 0) return false
  const isCounted =
    !person.suppressed ||
    visitsIn({ ...person, visits: person.anonymousVisits }, question).length > 0
  if (suppressed !== "include" && isCounted !== (suppressed === "exclude")) return false
  const counted =
    suppressed === "exclude" && person.suppressed ? person.anonymousVisits : company.visits
  return companyHolds(rule, person, question, counted)
}

/** Whether the rule holds for the person's company, if these visits of it count. */
export const companyHolds = (
  rule: RuleNode,
  person: Person,
  question: Question,
  counted: ReadonlyArray<Visit>,
): boolean => {
  const { profile } = person
  const isKnown = !person.heldBack
  return holds(rule, companyOf(person), {
    ...question,
    counted,
    company: {
      name: isKnown ? profile.company_name : null,
      domain: person.id,
      industry: isKnown ? profile.industry : null,
      zip_code: isKnown ? profile.company_zip_code : null,
      revenue_range: isKnown ? profile.company_total_revenue : null,
      employee_count: isKnown ? profile.company_employee_count : null,
    },
  })
}

const holds = (rule: RuleNode, person: Person, question: Question): boolean => {
  if ("all" in rule) return rule.all.every((node) => holds(node, person, question))
  if ("any" in rule) return rule.any.some((node) => holds(node, person, question))
  if (rule.field === "company.list") return person.companyIsListed === (rule.op === "in_list")
  if (rule.field === "contact.list") return isListed(person) === (rule.op === "in_list")
  if (rule.field === "intent.topics") {
    const ids = topicsOf(person, question).map(([topicId]) => topicId)
    if (rule.op === "count_gte") return ids.length >= rule.value
    return ids.some((id) => rule.value.includes(id)) === (rule.op === "any_in")
  }
  if (rule.field === "behavior.event_property") {
    const positive = positives[rule.op] ?? rule.op
    const isSaid = visitsIn(
      question.counted === undefined ? person : { ...person, visits: question.counted },
      question,
    )
      .flatMap(({ events, isUncounted }) => (isUncounted ? [] : events))
      .some((event) => isValueOf(event, String(rule.of), positive, rule.value, question.asOf))
    if (rule.op === "exists") return isSaid === rule.value
    return isSaid === (positive === rule.op)
  }
  const value = valueOf(rule.field, person, question, rule.of)
  const isMissing = value === undefined || (Array.isArray(value) && value.length === 0)
  if (rule.op === "exists") return isMissing !== rule.value
  if (isMissing) return negative.has(rule.op)
  const wanted = rule.field === "behavior.custom_events" ? onOneLine(rule.value) : rule.value
  if (rule.field.endsWith("_paths")) return testPaths(rule.op, value, wanted, question.asOf)
  return test(rule.op, value, wanted, question.asOf)
}

/** A part of an escape, as a random text may have, stays as it is. */
const decoded = (escapes: string): string => {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes
  }
}

const positives: Readonly<Record<string, string>> = {
  neq: "eq",
  not_contains: "contains",
  not_in: "in",
}

/** A text is tested by a text, a number by a number. */
const isValueOf = (
  { name, properties }: SentEvent,
  of: string,
  op: string,
  wanted: unknown,
  asOf: number,
): boolean => {
  const cut = of.lastIndexOf(".")
  if (name !== of.slice(0, cut)) return false
  const given = new Map(Object.entries(properties)).get(of.slice(cut + 1))
  if (given === undefined || given === "") return false
  if (op === "exists") return true
  const value = typeof given === "number" ? given : String(given)
  const [first] = Array.isArray(wanted) ? wanted : [wanted]
  return typeof first === typeof value && test(op, value, wanted, asOf)
}

const isListed = ({ listedAddress, otherAddress }: Person): boolean =>
  listedAddress === "first" || (listedAddress === "other" && otherAddress !== null)

/** Paths are compared in plain letters; a trailing slash makes no difference to a whole path. */
const testPaths = (op: string, value: Value, wanted: unknown, asOf: number): boolean => {
  const isWhole = op === "any_eq" || op === "any_in" || op === "none_in"
  const plain = (one: unknown): string => {
    const path = String(one)
      .replaceAll(/(?:%[89A-F][\dA-F])+/gi, decoded)
      .normalize()
    return isWhole && path.length > 1 ? path.replace(/\/$/, "") : path
  }
  const list = (value as ReadonlyArray<string>).map(plain)
  return test(op, list, Array.isArray(wanted) ? wanted.map(plain) : plain(wanted), asOf)
}

/** In event names, a line break is a space. */
const onOneLine = (wanted: unknown): unknown =>
  Array.isArray(wanted) ? wanted.map(onOneLine) : String(wanted).replaceAll("\n", " ")

const negative = new Set([
  "neq",
  "not_contains",
  "not_in",
  "none_contains",
  "none_in",
  "not_within",
])

type Value = string | number | boolean | ReadonlyArray<string>

const test = (op: string, value: Value, wanted: unknown, asOf: number): boolean => {
  const text = String(wanted)
  const texts = wanted as ReadonlyArray<string>
  const is = (one: string) => matchesText(`^${escaped(text)}$`, one)
  const has = (one: string) => matchesText(escaped(text), one)
  const begins = (one: string) => matchesText(`^${escaped(text)}`, one)
  const isIn = (one: string) => texts.some((each) => matchesText(`^${escaped(each)}$`, one))
  if (Array.isArray(value)) {
    const list = value as ReadonlyArray<string>
    if (op === "any_eq") return list.some(is)
    if (op === "any_contains") return list.some(has)
    if (op === "any_starts_with") return list.some(begins)
    if (op === "any_in") return list.some(isIn)
    if (op === "none_contains") return !list.some(has)
    if (op === "none_in") return !list.some(isIn)
  }
  if (typeof value === "string") {
    if (op === "eq") return is(value)
    if (op === "neq") return !is(value)
    if (op === "contains") return has(value)
    if (op === "not_contains") return !has(value)
    if (op === "starts_with") return begins(value)
    if (op === "ends_with") return matchesText(`${escaped(text)}$`, value)
    if (op === "in") return isIn(value)
    if (op === "not_in") return !isIn(value)
  }
  if (typeof value === "boolean") return value === wanted
  if (typeof value === "number") {
    if (op === "before") return value < Date.parse(text)
    if (op === "after") return value > Date.parse(text)
    if (op === "within") return value >= asOf - lengthOf(text)
    if (op === "not_within") return value < asOf - lengthOf(text)
    const number = Number(wanted)
    if (op === "eq") return value === number
    if (op === "neq") return value !== number
    if (op === "gt") return value > number
    if (op === "gte") return value >= number
    if (op === "lt") return value < number
    if (op === "lte") return value <= number
    const [least, greatest] = wanted as readonly [number, number]
    if (op === "between") return value >= least && value <= greatest
  }
  throw new Error(`${op} of ${typeof value}`)
}

const matchesText = (pattern: string, text: string): boolean =>
  new RegExp(pattern, "ius").test(text)

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

const lengthOf = (duration: string): number =>
  Number(duration.slice(0, -1)) * (duration.endsWith("h") ? hour : day)

const visitsOn = (person: Person, { pixel }: Question): ReadonlyArray<Visit> =>
  person.visits.filter((visit) => pixel === undefined || visit.pixel === pixel)

const visitsIn = (person: Person, question: Question): ReadonlyArray<Visit> =>
  visitsOn(person, question).filter(({ endedAt }) => endedAt >= (question.from ?? -Infinity))

const total = (visits: ReadonlyArray<Visit>, of: (visit: Visit) => number): number =>
  visits.reduce((sum, visit) => sum + of(visit), 0)

/** Undefined for a missing value. An empty text is a value. */
const valueOf = (
  field: string,
  person: Person,
  question: Question,
  about: string | number = "",
): Value | undefined => {
  const of = String(about)
  if (field === "intent.score") {
    const scores = topicsOf(person, question)
      .filter(([topicId]) => about === "" || topicId === about)
      .map(([, score]) => score)
    return scores.length === 0 ? undefined : Math.max(...scores)
  }
  if (field.startsWith("custom.")) return customOf(field.slice(7), person, question)
  const visits = visitsIn(
    question.counted === undefined ? person : { ...person, visits: question.counted },
    question,
  )
  const ofCompany = new Map(Object.entries(question.company ?? {})).get(
    field.replace("company.", ""),
  )
  if (ofCompany !== undefined) return ofCompany === "" ? undefined : (ofCompany ?? undefined)
  if (field === "behavior.event_count") return total(visits, (visit) => sentIn(visit, of))
  if (field === "behavior.path_views") return total(visits, (visit) => viewsIn(visit, of))
  const value = fields[field]!(person, visits, question)
  if (Array.isArray(value)) return value.filter((text) => text !== null && text !== "") as Value
  return value === null || value === "" ? undefined : (value as Value)
}

const customOf = (key: string, person: Person, { pixel }: Question): string | undefined =>
  person.attribution
    .filter((_, index) => pixel === undefined || index === pixel)
    .filter((_, index) => person.visits.some((visit) => visit.pixel === (pixel ?? index)))
    .flatMap((said) => (said[key] === undefined ? [] : [said[key]]))
    .toSorted(([a, at], [b, bt]) => bt - at || Buffer.compare(Buffer.from(b), Buffer.from(a)))
    .at(0)?.[0]

/** Version 0.2 only knew, without case, that it was sent. */
const sentIn = ({ events, isUncounted }: Visit, wanted: string): number =>
  isUncounted
    ? Number(
        events.some(({ name }) =>
          matchesText(`^${escaped(String(onOneLine(wanted)))}$`, String(onOneLine(name))),
        ),
      )
    : events.filter(({ name }) => name === wanted).length

/** Version 0.2 only knew which pages were viewed. */
const viewsIn = ({ isUncounted, urls, views }: Visit, filter: string): number =>
  urls.reduce(
    (sum, url, index) =>
      sum + (matchesAny([filter], pathOf(url)) ? (isUncounted ? 1 : views[index]!) : 0),
    0,
  )

const pathOf = (url: string): string => new URL(url).pathname

type Read = (
  person: Person,
  visits: ReadonlyArray<Visit>,
  question: Question,
) => Value | ReadonlyArray<string | null> | null

const addresses = (person: Person) => [
  ...(person.email === null ? [] : [{ kind: person.kind }]),
  ...(person.otherAddress === null ? [] : [person.otherAddress]),
]

const exposed = new Set(["gclid", "gbraid", "wbraid", "fbclid", "msclkid", "li_fat_id"])

const fields: Readonly<Record<string, Read>> = {
  "behavior.pageviews": (_, visits) => total(visits, (visit) => visit.pageviews),
  "behavior.sessions": (_, visits) => visits.length,
  "behavior.pricing_page_views": (_, visits) => total(visits, (visit) => visit.pricingPageViews),
  "behavior.demo_page_views": (_, visits) => total(visits, (visit) => visit.demoPageViews),
  "behavior.form_submissions": (_, visits) => total(visits, (visit) => visit.formSubmissions),
  "behavior.total_duration_seconds": (_, visits) =>
    total(visits, ({ activeSeconds, endedAt, startedAt }) =>
      Math.floor(activeSeconds ?? (endedAt - startedAt) / 1000),
    ),
  "behavior.max_session_pageviews": (_, visits) =>
    Math.max(...visits.map((visit) => visit.pageviews)),
  "behavior.active_days": (_, visits) =>
    new Set(visits.map((visit) => Math.floor(visit.startedAt / day))).size,
  "behavior.visited_paths": (_, visits) => visits.flatMap((visit) => visit.urls.map(pathOf)),
  "behavior.landing_paths": (_, visits) =>
    visits.flatMap((visit) => visit.urls.slice(0, 1).map(pathOf)),
  "behavior.exit_paths": (_, visits) => visits.flatMap((visit) => visit.urls.slice(-1).map(pathOf)),
  "behavior.custom_events": (_, visits) =>
    visits.flatMap((visit) => visit.events.map(({ name }) => name.replaceAll("\n", " "))),
  "timing.first_seen_at": (person, _, question) =>
    Math.min(...visitsOn(person, question).map((visit) => visit.startedAt)),
  "timing.last_seen_at": (person, _, question) => lastSeen(person, question),
  "timing.days_since_last_seen": (person, _, question) =>
    Math.max(0, Math.floor((question.asOf - lastSeen(person, question)) / day)),
  "timing.is_returning": (person, _, question) => visitsOn(person, question).length > 1,
  "company.name": ({ profile }) => profile.company_name,
  "company.domain": ({ profile }) => profile.company_domain,
  "company.industry": ({ profile }) => profile.industry,
  "company.zip_code": ({ profile }) => profile.company_zip_code,
  "company.employee_count": ({ profile }) => profile.company_employee_count,
  // put-people.ts makes everyone the only person of a company.
  "company.sessions": (person, _, question) => companyVisits(person, question).length,
  "company.anonymous_sessions": (person, _, question) =>
    visitsOn({ ...person, visits: person.anonymousVisits }, question).length,
  "company.last_seen": (person, _, question) =>
    Math.max(...companyVisits(person, question).map((visit) => visit.endedAt)),
  "company.revenue_range": ({ profile }) => profile.company_total_revenue,
  "company.job_title": ({ profile }) => profile.job_title,
  "company.seniority": ({ profile }) => profile.seniority,
  "company.department": ({ profile }) => profile.department,
  "company.owner": ({ companyOwner }) => companyOwner,
  "company.tags": ({ companyTags }) => companyTags,
  "contact.owner": ({ owner }) => owner,
  "contact.tags": ({ tags }) => tags,
  "contact.name": ({ profile }) =>
    [profile.first_name, profile.last_name]
      .filter((name) => name !== null && name !== "")
      .join(" "),
  "contact.email_domain": ({ email }) => email?.split("@").at(-1) ?? null,
  "contact.has_business_email": (person) =>
    addresses(person).some(({ kind }) => kind === "business"),
  "contact.has_personal_email": (person) =>
    addresses(person).some(({ kind }) => kind === "personal"),
  "contact.has_phone": ({ profile }) => profile.phones.length > 0,
  "contact.has_linkedin": ({ profile }) => (profile.linkedin_url ?? "") !== "",
  "contact.phones_dnc": ({ profile: { phones_dnc } }) =>
    phones_dnc === null || phones_dnc.length === 0 ? null : phones_dnc.includes(true),
  "contact.city": ({ profile }) => profile.city,
  "contact.state": ({ profile }) => profile.state,
  "contact.country": ({ profile }) => profile.country,
  "attribution.utm_source": (_, visits) => visits.map((visit) => visit.utmSource),
  "attribution.utm_medium": (_, visits) => visits.map((visit) => visit.utmMedium),
  "attribution.utm_campaign": (_, visits) => visits.map((visit) => visit.utmCampaign),
  "attribution.utm_term": (_, visits) => visits.map((visit) => visit.utmTerm),
  "attribution.utm_content": (_, visits) => visits.map((visit) => visit.utmContent),
  "attribution.referrer_domain": (_, visits) => visits.map((visit) => visit.referrerDomain),
  "attribution.click_id_types": (_, visits) =>
    visits.flatMap((visit) => visit.clickIds.filter((name) => exposed.has(name))),
  "attribution.channel": (_, visits) => visits.map((visit) => visit.channel),
  "score.total": (person, _, question) => scoreOf(person, question)?.total ?? null,
  "score.fit": (person, _, question) => scoreOf(person, question)?.fit ?? null,
  "score.interest": (person, _, question) => scoreOf(person, question)?.interest ?? null,
  "pixel.id": (_, visits, { pixels }) => visits.map((visit) => pixels[visit.pixel]!.id),
  "pixel.domain": (_, visits, { pixels }) => visits.map((visit) => pixels[visit.pixel]!.domain),
}

/** A company has those of the people who count for it. */
const topicsOf = (person: Person, { company, counted, pixel }: Question): Person["topics"] => {
  if (company === undefined) return person.topics
  const own = person.visits.filter((visit) => !person.anonymousVisits.includes(visit))
  const isSeen = own.some((visit) => pixel === undefined || visit.pixel === pixel)
  const isCounted = counted === undefined || own.every((visit) => counted.includes(visit))
  return !person.heldBack && isSeen && isCounted ? person.topics : []
}

/** Lists show no score of someone suppressed. */
const scoreOf = ({ companyScore, score, suppressed }: Person, { company }: Question) => {
  if (company !== undefined) return companyScore
  return suppressed ? null : score
}

const lastSeen = (person: Person, question: Question): number =>
  Math.max(...visitsOn(person, question).map((visit) => visit.endedAt))

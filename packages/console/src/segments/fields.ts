// Titles for the fields and operators of rules. The types ensure that none is missing and each has the right kind.
// spec 3.2, 3.3
import { isCompanyField } from "@footfall/normal-form/rule-fields"
import type {
  BooleanField,
  DatetimeField,
  ListField,
  MemberField,
  NumberField,
  NumberListField,
  OfField,
  PropertyField,
  TextField,
  TextListField,
} from "@footfall/sdk"

export type Kind =
  | "number"
  | "text"
  | "texts"
  | "boolean"
  | "datetime"
  | "property"
  | "list"
  | "numbers"
  | "member"

export interface Field {
  readonly field: string
  readonly kind: Kind
  /** For example `Visits: pages`. */
  readonly title: string
  /** What the field is about, for those that need it. */
  readonly of: Of | undefined
}

/** The input for what a field is about. */
interface Of {
  readonly label: string
  readonly example: string
  /** The id of a topic: a number, and any topic without it. */
  readonly isTopic?: true
}

const ofs: Readonly<Record<OfField, Of>> = {
  "behavior.event_count": { label: "Event", example: "Signed up" },
  "behavior.event_property": { label: "Event and property", example: "Signed up.plan" },
  "behavior.path_views": { label: "Path", example: "/pricing" },
  "intent.score": { label: "Topic id, or empty for any", example: "1203", isTopic: true },
}

const ofOf = (field: string): Of | undefined =>
  Object.entries(ofs).find(([name]) => name === field)?.[1]

type NamedText = Exclude<TextField, `custom.${string}`>

const numbers: Readonly<Record<NumberField, string>> = {
  "behavior.pageviews": "Visits: pages",
  "behavior.sessions": "Visits: how many",
  "behavior.pricing_page_views": "Visits: pricing pages",
  "behavior.demo_page_views": "Visits: demo pages",
  "behavior.total_duration_seconds": "Visits: total seconds",
  "behavior.max_session_pageviews": "Visits: pages in the longest",
  "behavior.active_days": "Visits: days with one",
  "behavior.form_submissions": "Visits: email forms",
  "behavior.event_count": "Visits: times a custom event was sent",
  "behavior.path_views": "Visits: pages under a path",
  "timing.days_since_last_seen": "Time: days since last seen",
  "company.employee_count": "Company: employees",
  "company.sessions": "Company: visits",
  "company.anonymous_sessions": "Company: anonymous visits",
  "intent.score": "Intent: highest score",
  "score.total": "Score: total",
  "score.fit": "Score: fit",
  "score.interest": "Score: interest",
}

const texts: Readonly<Record<NamedText, string>> = {
  "company.name": "Company: name",
  "company.domain": "Company: domain",
  "company.industry": "Company: industry",
  "company.zip_code": "Company: ZIP code",
  "company.revenue_range": "Company: revenue",
  "company.job_title": "Person: job title",
  "company.seniority": "Person: seniority",
  "company.department": "Person: department",
  "contact.name": "Person: name",
  "contact.email_domain": "Person: email domain",
  "contact.city": "Person: city",
  "contact.state": "Person: state",
  "contact.country": "Person: country",
}

const lists: Readonly<Record<TextListField, string>> = {
  "behavior.visited_paths": "Visits: page path",
  "behavior.landing_paths": "Visits: landing page path",
  "behavior.exit_paths": "Visits: exit page path",
  "behavior.custom_events": "Visits: custom event",
  "attribution.utm_source": "Source: utm_source",
  "attribution.utm_medium": "Source: utm_medium",
  "attribution.utm_campaign": "Source: utm_campaign",
  "attribution.utm_term": "Source: utm_term",
  "attribution.utm_content": "Source: utm_content",
  "attribution.referrer_domain": "Source: referrer",
  "attribution.click_id_types": "Source: type of ad click",
  "attribution.channel": "Source: channel",
  "pixel.id": "Site: pixel id",
  "pixel.domain": "Site: domain",
  "contact.tags": "Person: tag",
  "company.tags": "Company: tag",
}

const booleans: Readonly<Record<BooleanField, string>> = {
  "timing.is_returning": "Time: came more than once",
  "contact.has_business_email": "Person: has a business email",
  "contact.has_personal_email": "Person: has a personal email",
  "contact.has_phone": "Person: has a phone number",
  "contact.has_linkedin": "Person: has a LinkedIn profile",
  "contact.phones_dnc": "Person: phone is on a do-not-call list",
}

const times: Readonly<Record<DatetimeField, string>> = {
  "timing.first_seen_at": "Time: first seen",
  "timing.last_seen_at": "Time: last seen",
  "company.last_seen": "Company: last seen",
}

const properties: Readonly<Record<PropertyField, string>> = {
  "behavior.event_property": "Visits: property of a custom event",
}

const memberships: Readonly<Record<ListField, string>> = {
  "company.list": "Company: list",
  "contact.list": "Person: list",
}

const owners: Readonly<Record<MemberField, string>> = {
  "contact.owner": "Person: owner",
  "company.owner": "Company: owner",
}

const topics: Readonly<Record<NumberListField, string>> = {
  "intent.topics": "Intent: topic",
}

const named = (titles: Readonly<Record<string, string>>, kind: Kind): ReadonlyArray<Field> =>
  Object.entries(titles).map(([field, title]) => ({ field, kind, title, of: ofOf(field) }))

export const fields: ReadonlyArray<Field> = [
  ...named(numbers, "number"),
  ...named(texts, "text"),
  ...named(lists, "texts"),
  ...named(booleans, "boolean"),
  ...named(times, "datetime"),
  ...named(properties, "property"),
  ...named(memberships, "list"),
  ...named(topics, "numbers"),
  ...named(owners, "member"),
].toSorted((a, b) => a.title.localeCompare(b.title))

const customPattern = /^custom\.[A-Za-z0-9_.-]{1,64}$/

/** Undefined for a field that rules don't support. Any `custom.<key>` is valid. */
export const fieldOf = (name: string): Field | undefined =>
  customPattern.test(name)
    ? { field: name, kind: "text", title: `Custom: ${name.slice("custom.".length)}`, of: undefined }
    : fields.find(({ field }) => field === name)

/** The fields that a rule which selects companies may have. */
export const companyFields = fields.filter(({ field }) => isCompanyField(field))

/** Finds a field by what the user typed: its title or its name. Rules that select companies have no custom fields. */
export const fieldTyped = (text: string, among: ReadonlyArray<Field>): Field | undefined => {
  const typed = text.trim().toLowerCase()
  const custom = /^custom: *(.+)$/i.exec(text.trim())?.[1]
  const found = among.find(({ field, title }) => title.toLowerCase() === typed || field === typed)
  if (found !== undefined || among === companyFields) return found
  return fieldOf(custom === undefined ? text.trim() : `custom.${custom}`)
}

export interface Operator {
  readonly op: string
  readonly words: string
  /** The kind of value it takes. `scalar`: a number, or a text. `numbers`: ids of topics. */
  readonly takes:
    | "one"
    | "number"
    | "scalar"
    | "two"
    | "many"
    | "numbers"
    | "yes"
    | "date"
    | "duration"
    | "list"
    | "member"
    | "members"
}

const exists: Operator = { op: "exists", words: "is known", takes: "yes" }

export const operatorsOf: Readonly<Record<Kind, ReadonlyArray<Operator>>> = {
  number: [
    { op: "gte", words: "is at least", takes: "one" },
    { op: "lte", words: "is at most", takes: "one" },
    { op: "gt", words: "is more than", takes: "one" },
    { op: "lt", words: "is less than", takes: "one" },
    { op: "eq", words: "is", takes: "one" },
    { op: "neq", words: "is not", takes: "one" },
    { op: "between", words: "is between", takes: "two" },
    exists,
  ],
  text: [
    { op: "contains", words: "contains", takes: "one" },
    { op: "not_contains", words: "does not contain", takes: "one" },
    { op: "eq", words: "is", takes: "one" },
    { op: "neq", words: "is not", takes: "one" },
    { op: "starts_with", words: "starts with", takes: "one" },
    { op: "ends_with", words: "ends with", takes: "one" },
    { op: "in", words: "is one of", takes: "many" },
    { op: "not_in", words: "is none of", takes: "many" },
    exists,
  ],
  texts: [
    { op: "any_contains", words: "contains", takes: "one" },
    { op: "none_contains", words: "does not contain", takes: "one" },
    { op: "any_eq", words: "is", takes: "one" },
    { op: "any_starts_with", words: "starts with", takes: "one" },
    { op: "any_in", words: "is one of", takes: "many" },
    { op: "none_in", words: "is none of", takes: "many" },
    exists,
  ],
  boolean: [{ op: "eq", words: "is", takes: "yes" }, exists],
  datetime: [
    { op: "within", words: "is in the last", takes: "duration" },
    { op: "not_within", words: "is not in the last", takes: "duration" },
    { op: "before", words: "is before", takes: "date" },
    { op: "after", words: "is after", takes: "date" },
    exists,
  ],
  property: [
    { op: "eq", words: "is", takes: "scalar" },
    { op: "neq", words: "is never", takes: "scalar" },
    { op: "contains", words: "contains", takes: "one" },
    { op: "not_contains", words: "never contains", takes: "one" },
    { op: "starts_with", words: "starts with", takes: "one" },
    { op: "ends_with", words: "ends with", takes: "one" },
    { op: "in", words: "is one of", takes: "many" },
    { op: "not_in", words: "is never one of", takes: "many" },
    { op: "gte", words: "is at least", takes: "number" },
    { op: "lte", words: "is at most", takes: "number" },
    { op: "gt", words: "is more than", takes: "number" },
    { op: "lt", words: "is less than", takes: "number" },
    { op: "between", words: "is between", takes: "two" },
    exists,
  ],
  list: [
    { op: "in_list", words: "is", takes: "list" },
    { op: "not_in_list", words: "is not", takes: "list" },
  ],
  numbers: [
    { op: "any_in", words: "is one of", takes: "numbers" },
    { op: "none_in", words: "is none of", takes: "numbers" },
    { op: "count_gte", words: "number is at least", takes: "number" },
  ],
  member: [
    { op: "eq", words: "is", takes: "member" },
    { op: "neq", words: "is not", takes: "member" },
    { op: "in", words: "is one of", takes: "members" },
    { op: "not_in", words: "is none of", takes: "members" },
    exists,
  ],
}

export const operatorOf = (kind: Kind, op: string): Operator | undefined =>
  operatorsOf[kind].find((each) => each.op === op)

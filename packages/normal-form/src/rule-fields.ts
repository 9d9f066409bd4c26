// What a rule can test: the type of each field and the operators of each type. The field `custom.<key>` is the text
// value of one key of custom attribution. spec 3.2, 3.3

/**
 * `texts` is a list of texts: one or more per session in the window and scope, or the tags of the person or company. `property` is what custom events said: texts
 * and numbers. `list` is membership in a list that a team has put together. `numbers` is a list of numbers. `member` is a
 * member of the organization.
 */
export type FieldType =
  | "number"
  | "text"
  | "texts"
  | "boolean"
  | "datetime"
  | "property"
  | "list"
  | "numbers"
  | "member"

export const fieldTypes = {
  "behavior.pageviews": "number",
  "behavior.sessions": "number",
  "behavior.pricing_page_views": "number",
  "behavior.demo_page_views": "number",
  "behavior.visited_paths": "texts",
  "behavior.landing_paths": "texts",
  "behavior.exit_paths": "texts",
  "behavior.total_duration_seconds": "number",
  "behavior.max_session_pageviews": "number",
  "behavior.active_days": "number",
  "behavior.form_submissions": "number",
  "behavior.custom_events": "texts",
  "behavior.event_count": "number",
  "behavior.event_property": "property",
  "behavior.path_views": "number",
  "timing.first_seen_at": "datetime",
  "timing.last_seen_at": "datetime",
  "timing.days_since_last_seen": "number",
  "timing.is_returning": "boolean",
  "company.name": "text",
  "company.domain": "text",
  "company.industry": "text",
  "company.zip_code": "text",
  "company.employee_count": "number",
  "company.revenue_range": "text",
  "company.sessions": "number",
  "company.anonymous_sessions": "number",
  "company.last_seen": "datetime",
  "company.job_title": "text",
  "company.seniority": "text",
  "company.department": "text",
  "company.list": "list",
  "company.tags": "texts",
  "company.owner": "member",
  "contact.name": "text",
  "contact.email_domain": "text",
  "contact.has_business_email": "boolean",
  "contact.has_personal_email": "boolean",
  "contact.has_phone": "boolean",
  "contact.has_linkedin": "boolean",
  "contact.phones_dnc": "boolean",
  "contact.city": "text",
  "contact.state": "text",
  "contact.country": "text",
  "contact.list": "list",
  "contact.tags": "texts",
  "contact.owner": "member",
  "attribution.utm_source": "texts",
  "attribution.utm_medium": "texts",
  "attribution.utm_campaign": "texts",
  "attribution.utm_term": "texts",
  "attribution.utm_content": "texts",
  "attribution.referrer_domain": "texts",
  "attribution.click_id_types": "texts",
  "attribution.channel": "texts",
  "pixel.id": "texts",
  "pixel.domain": "texts",
  "intent.topics": "numbers",
  "intent.score": "number",
  "score.total": "number",
  "score.fit": "number",
  "score.interest": "number",
} as const satisfies Readonly<Record<string, FieldType>>

/** Whether a rule that selects companies may have the field. Any rule that selects people may have any field. */
export const isCompanyField = (field: string): boolean =>
  !["company.job_title", "company.seniority", "company.department"].includes(field) &&
  /^(?:attribution|behavior|company|intent|pixel|score|timing)\./.test(field)

/**
 * What the `of` of a predicate names, for the fields that are about one of many: a custom event, `<event>.<property>`, a
 * path filter, or the id of a topic, which is a number.
 */
export type OfKind = "event" | "property" | "path" | "topic"

/** The fields that take `of`. */
export const ofFields = {
  "behavior.event_count": "event",
  "behavior.event_property": "property",
  "behavior.path_views": "path",
  "intent.score": "topic",
} as const satisfies Partial<Readonly<Record<keyof typeof fieldTypes, OfKind>>>

/** Whether the field may be without `of`: then it is about all of them. */
export const isOfOptional = (field: string): boolean => field === "intent.score"

/** `scalar`: a number or a text. `moment`: an ISO 8601 timestamp or date. `duration`: `36h` or `14d`. `list`: the id of a list. `member`: the id of a member. */
export type ValueKind =
  | "number"
  | "range"
  | "text"
  | "scalar"
  | "texts"
  | "numbers"
  | "boolean"
  | "moment"
  | "duration"
  | "list"
  | "member"
  | "members"

const anyType = { exists: "boolean" } as const

/** The value each operator takes. */
export const operators = {
  number: {
    eq: "number",
    neq: "number",
    gt: "number",
    gte: "number",
    lt: "number",
    lte: "number",
    between: "range",
    ...anyType,
  },
  text: {
    eq: "text",
    neq: "text",
    contains: "text",
    not_contains: "text",
    starts_with: "text",
    ends_with: "text",
    in: "texts",
    not_in: "texts",
    ...anyType,
  },
  texts: {
    any_eq: "text",
    any_contains: "text",
    any_starts_with: "text",
    none_contains: "text",
    any_in: "texts",
    none_in: "texts",
    ...anyType,
  },
  boolean: { eq: "boolean", ...anyType },
  datetime: {
    before: "moment",
    after: "moment",
    within: "duration",
    not_within: "duration",
    ...anyType,
  },
  property: {
    eq: "scalar",
    neq: "scalar",
    gt: "number",
    gte: "number",
    lt: "number",
    lte: "number",
    between: "range",
    contains: "text",
    not_contains: "text",
    starts_with: "text",
    ends_with: "text",
    in: "texts",
    not_in: "texts",
    ...anyType,
  },
  list: { in_list: "list", not_in_list: "list" },
  numbers: { any_in: "numbers", none_in: "numbers", count_gte: "number" },
  member: { eq: "member", neq: "member", in: "members", not_in: "members", ...anyType },
} as const satisfies Readonly<Record<FieldType, Readonly<Record<string, ValueKind>>>>

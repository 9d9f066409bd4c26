// Qualification rules: groups and predicates, at most 50 predicates and 8 levels deep. The types allow only the
// operators and values of each field. The server checks sizes and texts, and names the invalid node
// (`BadRequestError.invalidRule`). spec 3

import type { Timeframe } from "./common.ts"

/** A complete rule. It matches only visitors with at least one event in the window. */
export interface RuleAst {
  readonly version: 1
  /** Default `30d`. A query's own `window` overrides it. */
  readonly window?: Timeframe | undefined
  readonly rule: RuleNode
}

/** A group or a predicate. */
export type RuleNode = RuleGroup | Predicate

/** `all`: every node must match. `any`: at least one must match. A group needs at least one node. */
export type RuleGroup =
  | {
      readonly all: ReadonlyArray<RuleNode>
      readonly any?: undefined
      readonly field?: undefined
      readonly of?: undefined
      readonly op?: undefined
      readonly value?: undefined
    }
  | {
      readonly any: ReadonlyArray<RuleNode>
      readonly all?: undefined
      readonly field?: undefined
      readonly of?: undefined
      readonly op?: undefined
      readonly value?: undefined
    }

/** A single condition of a rule. Texts are trimmed, compared case-insensitively, and at most 255 characters long. */
export type Predicate =
  | NumberPredicate
  | TextPredicate
  | TextListPredicate
  | BooleanPredicate
  | DatetimePredicate
  | PropertyPredicate
  | ListPredicate
  | NumberListPredicate
  | MemberPredicate
  | ExistsPredicate

export type NumberPredicate =
  | Leaf<NumberField, "eq" | "neq" | "gt" | "gte" | "lt" | "lte", number>
  /** Includes both ends. */
  | Leaf<NumberField, "between", readonly [min: number, max: number]>

export type TextPredicate =
  | Leaf<
      TextField,
      "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with",
      string
    >
  /** 1 to 1,000 texts. */
  | Leaf<TextField, "in" | "not_in", ReadonlyArray<string>>

export type TextListPredicate =
  | Leaf<TextListField, "any_eq" | "any_contains" | "any_starts_with" | "none_contains", string>
  /** 1 to 1,000 texts. */
  | Leaf<TextListField, "any_in" | "none_in", ReadonlyArray<string>>

export type BooleanPredicate = Leaf<BooleanField, "eq", boolean>

export type DatetimePredicate =
  /** ISO 8601, a timestamp or a date. */
  | Leaf<DatetimeField, "before" | "after", string>
  /** Within the last hours (1 to 8760) or days (1 to 3650), or not within them. */
  | Leaf<DatetimeField, "within" | "not_within", RuleDuration>

/** One event has such a value; with a negative operator, none has. A text never equals a number. */
export type PropertyPredicate =
  | Leaf<PropertyField, "eq" | "neq", string | number>
  | Leaf<PropertyField, "gt" | "gte" | "lt" | "lte", number>
  /** Includes both ends. */
  | Leaf<PropertyField, "between", readonly [min: number, max: number]>
  | Leaf<PropertyField, "contains" | "not_contains" | "starts_with" | "ends_with", string>
  /** 1 to 1,000 texts. */
  | Leaf<PropertyField, "in" | "not_in", ReadonlyArray<string>>

/** Membership in a list, by its id. */
export type ListPredicate = Leaf<ListField, "in_list" | "not_in_list", string>

/** Any of these numbers, none of them, or at least as many different ones. */
export type NumberListPredicate =
  /** 1 to 1,000 numbers. */
  | Leaf<NumberListField, "any_in" | "none_in", ReadonlyArray<number>>
  | Leaf<NumberListField, "count_gte", number>

/** The owner, by the id of a member. */
export type MemberPredicate =
  | Leaf<MemberField, "eq" | "neq", string>
  /** 1 to 1,000 ids. */
  | Leaf<MemberField, "in" | "not_in", ReadonlyArray<string>>

/** Whether the field has a non-empty value. */
export type ExistsPredicate = Leaf<
  Exclude<RuleField, ListField | NumberListField>,
  "exists",
  boolean
>

/** For example `36h` or `14d`. */
export type RuleDuration = `${number}h` | `${number}d`

/** The common shape of all predicates. */
type Leaf<Field extends RuleField, Operator extends string, Value> =
  | LeafOf<Exclude<Field, OfField>, Operator, Value, { readonly of?: undefined }>
  | LeafOf<
      Exclude<Extract<Field, OfField>, "intent.score">,
      Operator,
      Value,
      { readonly of: string }
    >
  | LeafOf<Extract<Field, "intent.score">, Operator, Value, { readonly of?: number | undefined }>

type LeafOf<Field extends RuleField, Operator extends string, Value, Of> = [Field] extends [never]
  ? never
  : Of & {
      readonly field: Field
      readonly op: Operator
      readonly value: Value
      readonly all?: undefined
      readonly any?: undefined
    }

/** Fields that are about one of many: `of` says which. */
export type OfField =
  /** Of the custom event with this name, such as `Signed up`. */
  | "behavior.event_count"
  /** Of `<event>.<property>`, such as `Signed up.plan`. Cut at the last dot. */
  | "behavior.event_property"
  /** Of a path filter, such as `/pricing` (with the pages below it) or `/app/*`. */
  | "behavior.path_views"
  /** Of the topic with this id, a number. Without `of`, of any topic. */
  | "intent.score"

/** Any rule field. */
export type RuleField =
  | NumberField
  | TextField
  | TextListField
  | BooleanField
  | DatetimeField
  | PropertyField
  | ListField
  | NumberListField
  | MemberField

/** Number fields. Those of `behavior` count within the window and pixel scope. */
export type NumberField =
  | "behavior.pageviews"
  | "behavior.sessions"
  | "behavior.pricing_page_views"
  | "behavior.demo_page_views"
  /** Total of all sessions. */
  | "behavior.total_duration_seconds"
  /** Page views of the session with the most. */
  | "behavior.max_session_pageviews"
  /** Distinct UTC days with a session. */
  | "behavior.active_days"
  /** Forms in which the visitor entered an email address. */
  | "behavior.form_submissions"
  /** How often a custom event was sent. */
  | "behavior.event_count"
  /** Page views under a path. */
  | "behavior.path_views"
  /** Whole days. */
  | "timing.days_since_last_seen"
  /** The highest intent score on the newest data date, 1 to 100. */
  | "intent.score"
  /** 0 to 100, as computed last. */
  | "score.total"
  | "score.fit"
  | "score.interest"
  | "company.employee_count"
  /** Sessions of the person's company within the pixel scope, over the whole history, including anonymous ones. */
  | "company.sessions"
  | "company.anonymous_sessions"

/** Fields with one text, compared case-insensitively. */
export type TextField =
  | "company.name"
  | "company.domain"
  | "company.industry"
  | "company.zip_code"
  /** A `CompanyRevenueRange`, for example `50 million to 100 million`. */
  | "company.revenue_range"
  | "company.job_title"
  /** A `Seniority`, for example `vp`. */
  | "company.seniority"
  /** A `Department`, for example `operations`. */
  | "company.department"
  /** First and last name, such as `Jane Doe`. */
  | "contact.name"
  /** Domain of the primary email address. */
  | "contact.email_domain"
  | "contact.city"
  | "contact.state"
  | "contact.country"
  /** A value of `customAttribution`; the key is 1 to 64 of `A-Z a-z 0-9 _ . -`. */
  | `custom.${string}`

/** Fields with a list of texts: tags, and all values seen within the window and scope. */
export type TextListField =
  /** Paths without the query, like the two fields below. */
  | "behavior.visited_paths"
  /** The first page of each session. */
  | "behavior.landing_paths"
  /** The last page of each session. */
  | "behavior.exit_paths"
  /** Names sent with `track()`. */
  | "behavior.custom_events"
  | "attribution.utm_source"
  | "attribution.utm_medium"
  | "attribution.utm_campaign"
  | "attribution.utm_term"
  | "attribution.utm_content"
  | "attribution.referrer_domain"
  /** Values of `ClickIdType`. */
  | "attribution.click_id_types"
  /** Values of `Channel`. */
  | "attribution.channel"
  /** The pixels that saw the visitor, like the field below. */
  | "pixel.id"
  | "pixel.domain"
  /** The tags of the person. */
  | "contact.tags"
  /** The tags of the person's company. */
  | "company.tags"

export type BooleanField =
  /** Whether the visitor has had more than one session, ever. */
  | "timing.is_returning"
  | "contact.has_business_email"
  | "contact.has_personal_email"
  | "contact.has_phone"
  | "contact.has_linkedin"
  | "contact.phones_dnc"

/** Date fields. They cover the whole history within the pixel scope. */
export type DatetimeField =
  | "timing.first_seen_at"
  | "timing.last_seen_at"
  /** Last session of anyone from the person's company within the pixel scope. */
  | "company.last_seen"

/** The values of one property of a custom event: texts and numbers. A flag is the text `true` or `false`. */
export type PropertyField = "behavior.event_property"

/** Membership of the person's company in a list of companies, or of any of their addresses in a list of people. */
export type ListField = "company.list" | "contact.list"

/** Who looks after the person, or after their company: the id of a member. */
export type MemberField = "contact.owner" | "company.owner"

/** The ids of topics for which the person has a score on the newest data date. */
export type NumberListField = "intent.topics"

/** Which visitors qualify: those of a saved segment or of a rule, not both. */
export type Qualification =
  | { readonly segmentId: string; readonly ruleAst?: undefined }
  | { readonly ruleAst: RuleAst; readonly segmentId?: undefined }

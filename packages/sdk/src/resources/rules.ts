// Qualification rules: groups and predicates, at most 25 predicates and 8 levels deep. The types limit operators and
// values to those of the field; the server checks sizes and texts, and names the invalid node
// (`BadRequestError.invalidRule`). spec 3

import type { Timeframe } from "./common.ts"

/** A whole rule. It matches only visitors with at least one event in the window. */
export interface RuleAst {
  readonly version: 1
  /** Default `30d`. A query's own `window` takes precedence. */
  readonly window?: Timeframe | undefined
  readonly rule: RuleNode
}

/** A group or a predicate. */
export type RuleNode = RuleGroup | Predicate

/** `all`: every node must match. `any`: at least one must. A group holds at least one node. */
export type RuleGroup =
  | {
      readonly all: ReadonlyArray<RuleNode>
      readonly any?: undefined
      readonly field?: undefined
      readonly op?: undefined
      readonly value?: undefined
    }
  | {
      readonly any: ReadonlyArray<RuleNode>
      readonly all?: undefined
      readonly field?: undefined
      readonly op?: undefined
      readonly value?: undefined
    }

/** A leaf of a rule. Texts are trimmed, compared without case, and at most 255 characters long. */
export type Predicate =
  | NumberPredicate
  | TextPredicate
  | TextListPredicate
  | BooleanPredicate
  | DatetimePredicate
  | ExistsPredicate

export type NumberPredicate =
  | Leaf<NumberField, "eq" | "neq" | "gt" | "gte" | "lt" | "lte", number>
  /** Both ends included. */
  | Leaf<NumberField, "between", readonly [min: number, max: number]>

export type TextPredicate =
  | Leaf<
      TextField,
      "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with",
      string
    >
  /** 1 to 100 texts. */
  | Leaf<TextField, "in" | "not_in", ReadonlyArray<string>>

export type TextListPredicate =
  | Leaf<TextListField, "any_eq" | "any_contains" | "any_starts_with" | "none_contains", string>
  /** 1 to 100 texts. */
  | Leaf<TextListField, "any_in", ReadonlyArray<string>>

export type BooleanPredicate = Leaf<BooleanField, "eq", boolean>

export type DatetimePredicate =
  /** ISO 8601, a timestamp or a date. */
  | Leaf<DatetimeField, "before" | "after", string>
  /** In the last hours (1 to 8760) or days (1 to 3650), or not in them. */
  | Leaf<DatetimeField, "within" | "not_within", RuleDuration>

/** Whether the field has a value that is not empty. */
export type ExistsPredicate = Leaf<RuleField, "exists", boolean>

/** For example `36h` or `14d`. */
export type RuleDuration = `${number}h` | `${number}d`

/** The shape of every predicate. */
interface Leaf<Field extends RuleField, Operator extends string, Value> {
  readonly field: Field
  readonly op: Operator
  readonly value: Value
  readonly all?: undefined
  readonly any?: undefined
}

/** Any field of a rule. */
export type RuleField = NumberField | TextField | TextListField | BooleanField | DatetimeField

/** Numbers. Those of `behavior` count within the window and pixel scope. */
export type NumberField =
  | "behavior.pageviews"
  | "behavior.sessions"
  | "behavior.pricing_page_views"
  | "behavior.demo_page_views"
  /** Sum over the sessions. */
  | "behavior.total_duration_seconds"
  /** Page views of the deepest session. */
  | "behavior.max_session_pageviews"
  /** Distinct UTC days with a session. */
  | "behavior.active_days"
  /** Forms in which the visitor gave an address. */
  | "behavior.form_submissions"
  /** Whole days. */
  | "timing.days_since_last_seen"
  | "company.employee_count"
  /** Sessions of the person's company within pixel scope, over the whole history, anonymous ones too. */
  | "company.sessions"
  | "company.anonymous_sessions"

/** One text, compared without case. */
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
  /** Domain of the primary address. */
  | "contact.email_domain"
  | "contact.city"
  | "contact.state"
  | "contact.country"
  /** A value of `customAttribution`; the key is 1 to 64 of `A-Z a-z 0-9 _ . -`. */
  | `custom.${string}`

/** Lists of texts: every value seen within window and scope. */
export type TextListField =
  /** Paths without query, as in the two fields below. */
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
  /** The pixels that saw the visitor, as in the field below. */
  | "pixel.id"
  | "pixel.domain"

export type BooleanField =
  /** More than one session ever. */
  | "timing.is_returning"
  | "contact.has_business_email"
  | "contact.has_personal_email"
  | "contact.has_phone"
  | "contact.has_linkedin"
  | "contact.phones_dnc"

/** Over the whole history, inside the pixel scope. */
export type DatetimeField =
  | "timing.first_seen_at"
  | "timing.last_seen_at"
  /** Last session of anyone of the person's company within pixel scope. */
  | "company.last_seen"

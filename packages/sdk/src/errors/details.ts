// What `details` of an error can hold. It is read by form, because a later server or a proxy may send
// another one: what has not the documented form counts as absent. Source: spec 9.

/** An entry of `details.issues` of a `VALIDATION_ERROR`. */
export interface ValidationIssue {
  /** JSON pointer into `{body, query, path, header}`, for example `/query/timeframe`. */
  readonly path: string
  /** A code for programs, for example `enum` or `unknown_parameter`. */
  readonly code: string
  /** A message for people. */
  readonly message: string
  /** The accepted values, if they are a closed list. */
  readonly allowed?: ReadonlyArray<unknown>
}

/** `details` of an `INVALID_RULE`. */
export interface InvalidRule {
  /** JSON pointer into `ruleAst`, for example `/rule/all/0/op`. */
  readonly path: string
  readonly reason: InvalidRuleReason
}

/** What is wrong with a node. More reasons may be added within /v1. */
export type InvalidRuleReason =
  | "unknown_key"
  | "unknown_field"
  | "unknown_operator"
  | "operator_not_for_type"
  | "wrong_value_type"
  | "value_too_long"
  | "empty_group"
  | "too_many_predicates"
  | "too_deep"
  | "unsupported_version"
  | "bad_window"

/** Why a web page could not be read. More reasons may be added within /v1. */
export type SiteUnreadableReason =
  | "unreachable"
  | "timeout"
  | "not_html"
  | "too_large"
  | "empty"
  | "status"

/** Why a device log-in gives no tokens, now or ever. More reasons may be added within /v1. */
export type DeviceLoginReason =
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"

/** `details` of a `SLOTS_FULL`. */
export interface SlotsInUse {
  /** Audience slots that are taken. */
  readonly used: number
  readonly limit: number
}

/** The issues that have the documented form. */
export function validationIssues(details: unknown): ReadonlyArray<ValidationIssue> {
  const issues = member(details, "issues")
  return Array.isArray(issues) ? issues.filter(isValidationIssue) : []
}

/** Where a rule is wrong. */
export function invalidRule(details: unknown): InvalidRule | null {
  const path = textDetail(details, "path")
  const reason = textDetail(details, "reason")
  // A newer server may send a reason that this version does not list.
  return path === null || reason === null ? null : { path, reason: reason as InvalidRuleReason }
}

/** How many audience slots there are. */
export function slotsInUse(details: unknown): SlotsInUse | null {
  const used = integerDetail(details, "used")
  const limit = integerDetail(details, "limit")
  return used === null || limit === null ? null : { used, limit }
}

/** A member that is a text. */
export function textDetail(details: unknown, name: string): string | null {
  const value = member(details, name)
  return typeof value === "string" ? value : null
}

/** A member that is a whole number. */
export function integerDetail(details: unknown, name: string): number | null {
  const value = member(details, name)
  return Number.isInteger(value) ? (value as number) : null // The compiler does not see it.
}

/** A member that is a list of texts. */
export function textsDetail(details: unknown, name: string): ReadonlyArray<string> {
  const value = member(details, name)
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
}

/** A member that is a list of whole numbers. */
export function integersDetail(details: unknown, name: string): ReadonlyArray<number> {
  const value = member(details, name)
  return Array.isArray(value) ? value.filter((each) => Number.isInteger(each)) : []
}

function isValidationIssue(value: unknown): value is ValidationIssue {
  return ["path", "code", "message"].every((name) => textDetail(value, name) !== null)
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

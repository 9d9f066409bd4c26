// Reads the `details` of an error. A later server or a proxy may send something else, so each function checks the
// format. Anything that does not have the documented format counts as missing. Source: spec 9.

/** An entry of `details.issues` of a `VALIDATION_ERROR`. */
export interface ValidationIssue {
  /** JSON pointer into `{body, query, path, header}`, for example `/query/timeframe`. */
  readonly path: string
  /** A machine-readable code, for example `enum` or `unknown_parameter`. */
  readonly code: string
  /** A human-readable message. */
  readonly message: string
  /** The accepted values, if there is a fixed set. */
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
  | "unknown_list"
  | "wrong_list"

/** `details` of a `COLUMN_UNKNOWN`. */
export interface UnknownColumn {
  /** What the request has to name. */
  readonly missing: ReadonlyArray<"column" | "type">
  /** The columns that could be meant, best first. */
  readonly choices: ReadonlyArray<{
    readonly column: string
    readonly type: "email" | "domain" | "company_domain" | "industry"
  }>
  /** The first rows of the file. */
  readonly firstRows: ReadonlyArray<ReadonlyArray<string>>
}

/** Why a web page could not be read. More reasons may be added within /v1. */
export type SiteUnreadableReason =
  | "unreachable"
  | "timeout"
  | "not_html"
  | "too_large"
  | "empty"
  | "status"

/** Why a device login has no tokens, for now or for good. More reasons may be added within /v1. */
export type DeviceLoginReason =
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"

/** `details` of a `SLOTS_FULL`. */
export interface SlotsInUse {
  /** Audience slots in use. */
  readonly used: number
  readonly limit: number
}

/** Returns the issues that have the documented format. */
export function validationIssues(details: unknown): ReadonlyArray<ValidationIssue> {
  const issues = member(details, "issues")
  return Array.isArray(issues) ? issues.filter(isValidationIssue) : []
}

/** Returns which node of a rule is invalid, and why. */
export function invalidRule(details: unknown): InvalidRule | null {
  const path = textDetail(details, "path")
  const reason = textDetail(details, "reason")
  // A newer server may send a reason that is not in the type.
  return path === null || reason === null ? null : { path, reason: reason as InvalidRuleReason }
}

/** Returns what a request has to name, and what could be meant. */
export function unknownColumn(details: unknown): UnknownColumn {
  const rows = member(details, "firstRows")
  return {
    missing: (["column", "type"] as const).filter((what) =>
      textsDetail(details, "missing").includes(what),
    ),
    choices: choicesOf(member(details, "choices")),
    firstRows: Array.isArray(rows) ? rows.map(texts) : [],
  }
}

type Choice = UnknownColumn["choices"][number]

function choicesOf(choices: unknown): ReadonlyArray<Choice> {
  if (!Array.isArray(choices)) return []
  return choices.flatMap((choice) => {
    const column = textDetail(choice, "column")
    const type = textDetail(choice, "type")
    // A newer server may send a type that is not in the type.
    return column === null || type === null ? [] : [{ column, type: type as Choice["type"] }]
  })
}

/** Returns the used audience slots and their limit. */
export function slotsInUse(details: unknown): SlotsInUse | null {
  const used = integerDetail(details, "used")
  const limit = integerDetail(details, "limit")
  return used === null || limit === null ? null : { used, limit }
}

/** Returns a string from the details. */
export function textDetail(details: unknown, name: string): string | null {
  const value = member(details, name)
  return typeof value === "string" ? value : null
}

/** Returns a whole number from the details. */
export function integerDetail(details: unknown, name: string): number | null {
  const value = member(details, name)
  return Number.isInteger(value) ? (value as number) : null // The compiler does not narrow on isInteger.
}

/** Returns a list of strings from the details. */
export function textsDetail(details: unknown, name: string): ReadonlyArray<string> {
  return texts(member(details, name))
}

function texts(value: unknown): ReadonlyArray<string> {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
}

/** Returns a list of whole numbers from the details. */
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

// The rule types, how many rules a request may have, and why a row is not a valid rule. Usable before the SDK is loaded. Source: spec 2.6.

import type { RowRejectionReason } from "@footfall/normal-form/reading"
import type { SuppressionRuleType } from "@footfall/sdk"

/** In the order used in all output. Source: spec 2.6. */
export const ruleTypes = [
  "email",
  "domain",
  "company_domain",
  "industry",
] as const satisfies ReadonlyArray<SuppressionRuleType>

/** Maximum number of rules per request. Source: spec 5.5. */
export const RULES_PER_REQUEST = 25_000

/** Unknown reasons from a newer server are shown as is. */
export const reasonText = (reason: string): string =>
  Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason

const reasons: Readonly<Partial<Record<string, string>>> = {
  not_an_object: "not a rule",
  invalid_type: "unknown rule type",
  type_not_in_types: "a type that --types excludes",
  empty_value: "no value",
  value_too_long: "too long",
  invalid_email: "not an email address",
  invalid_domain: "not a host name",
  invalid_industry: "an industry with an invisible character",
  public_suffix: "a public suffix, where anyone can register a domain",
  unreadable_text: "not readable as text: save the file as UTF-8",
  value_cut: "more cells than columns: put quotes around the value",
  erased: "a person you erased",
} satisfies Record<RowRejectionReason | "erased", string>

// Suppression rules and what the API says of them.
// Source: spec 2.6 and 5.5.

import type { PageMeta } from "../core/page.ts"
import type { ResponseMeta } from "./response-meta.ts"

/** What a rule is compared with: an address, its domain, the company's domain, the industry. */
export type SuppressionRuleType = "email" | "domain" | "company_domain" | "industry"

/** A rule to add, replace by, remove or try out; the server brings the value into its normal form. */
export interface SuppressionRuleInput {
  readonly type: SuppressionRuleType
  readonly value: string
}

/** A stored rule, its value in normal form. */
export interface SuppressionRule extends SuppressionRuleInput {
  readonly id: string
  readonly createdAt: string
}

/** How many rules of each type. */
export type SuppressionRuleCounts = Readonly<Record<SuppressionRuleType, number>>

/** Why a row is no rule; of several reasons the first of this order. */
export type SuppressionRejectionReason =
  | "not_an_object"
  | "invalid_type"
  | "type_not_in_types"
  | "empty_value"
  | "value_too_long"
  | "invalid_email"
  | "invalid_domain"
  | "invalid_industry"
  | "public_suffix"

/** A row that is no rule. */
export interface SuppressionRejection {
  /** Position among the submitted rows, from 0. */
  readonly index: number
  /** As submitted; null when it was no text. */
  readonly type: string | null
  /** As submitted, cut after 512 characters; null when it was no text. */
  readonly value: string | null
  readonly reason: SuppressionRejectionReason
  /** Where the reason alone does not say it: which character of the value cannot be seen. */
  readonly message?: string
}

/** What a write did. */
export interface SuppressionWrite {
  readonly added: number
  readonly removed: number
  /** Rows that were there already or repeat another row of the request. */
  readonly duplicates: number
  readonly rejectedCount: number
  /** The first 100 of them. */
  readonly rejected: ReadonlyArray<SuppressionRejection>
  /** Rules of the organization afterwards. */
  readonly total: number
}

/** What a removal did. */
export interface SuppressionRemoval {
  readonly deleted: number
  readonly total: number
}

/** What rules would do. */
export interface SuppressionPreview {
  readonly wouldAdd: number
  readonly duplicates: number
  readonly rejectedCount: number
  readonly rejected: ReadonlyArray<SuppressionRejection>
  /** People seen in the last 30 days whom these rules match and no stored rule does. */
  readonly affectedVisitors: number
  /** A person counts once in every type that matches. */
  readonly affectedByType: SuppressionRuleCounts
}

/** An industry that identified visitors carry. */
export interface SuppressionIndustry {
  /** The exact label. */
  readonly value: string
  readonly visitors: number
  /** Whether there is a rule for it. */
  readonly suppressed: boolean
}

/** What comes with the list of industries. */
export interface SuppressionIndustryMeta extends ResponseMeta {
  readonly visitorsWithoutIndustry: number
  readonly suppressedIndustryRules: number
  readonly limit: number
}

/** The industries, those with the most visitors first. */
export interface SuppressionIndustries {
  readonly data: ReadonlyArray<SuppressionIndustry>
  readonly meta: SuppressionIndustryMeta
}

/** Whether a visitor is suppressed, and by which rules. */
export interface VisitorSuppression {
  /** By the rules in force since the last sync cycle. */
  readonly suppressed: boolean
  /** The stored rules that match now, newest first, at most 100. */
  readonly rules: ReadonlyArray<SuppressionRule>
}

/** What comes with a page of rules. */
export interface SuppressionListMeta extends PageMeta, ResponseMeta {
  /** Of the whole list, whatever is filtered. */
  readonly counts: SuppressionRuleCounts
  readonly total: number
  /** Rules that pass the filter. */
  readonly filteredTotal: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}

/** Which rules, and which page of them. */
export interface SuppressionListParams {
  readonly type?: SuppressionRuleType | undefined
  /** Part of the value, without case. 1 to 320 characters. */
  readonly q?: string | undefined
  /** Rules of a page. 1 to 5,000, default 500. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** `meta.nextCursor` of an earlier page, with the same filter. */
  readonly cursor?: string | undefined
}

/** A replacement: of the whole list, or of some types. */
export interface SuppressionReplaceParams {
  /** At most 25,000. */
  readonly rules: ReadonlyArray<SuppressionRuleInput>
  /** Only rules of these types are replaced. */
  readonly types?: ReadonlyArray<SuppressionRuleType> | undefined
  /** Must be true to replace every rule there is by none. */
  readonly confirmClearAll?: boolean | undefined
}

/** What to remove: together at most 25,000, and what is not there is passed over. */
export interface SuppressionRemoveParams {
  readonly ids?: ReadonlyArray<string> | undefined
  readonly rules?: ReadonlyArray<SuppressionRuleInput> | undefined
}

// Suppression rules. People who match a rule cost no credit and trigger nothing, starting with the next sync cycle. spec 2.6 and 5.5
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ResponseMeta } from "../extensions/common.ts"

/** `footfall.suppression`. Needs an API key. Limit: 30 requests a minute per IP address. */
export class Suppression {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns suppression rules, newest first. `filteredTotal` counts the rules that match `type` and `q`; `total` and
   * `counts` cover all of them. Errors: BadRequestError (`INVALID_CURSOR`).
   */
  list(
    params: SuppressionListParams = {},
    options: RequestOptions = {},
  ): PagedList<SuppressionRule, SuppressionListMeta> {
    return this.#transport.list("/v1/data/suppression-rules", params, {
      rows: "rules",
      credentials: "apiKey",
      options,
    })
  }

  /** Deletes one rule. People it suppressed are visible again unless another rule matches. Errors: NotFoundError. */
  removeOne(ruleId: string, options: RequestOptions = {}): ApiCall<SuppressionRemoval> {
    return this.#transport.delete(path`/v1/data/suppression-rules/${ruleId}`, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Returns whether a visitor is suppressed, and the rules that match them now. Rules take effect in cycles, so the
   * two can differ briefly after a change. Errors: NotFoundError.
   */
  ofVisitor(visitorId: string, options: RequestOptions = {}): ApiCall<VisitorSuppression> {
    return this.#transport.get(path`/v1/data/visitors/${visitorId}/suppression`, {
      credentials: "apiKey",
      options,
    })
  }
}

/** Filter and position of a rule list. */
export interface SuppressionListParams {
  /** Page size, 1 to 5000. */
  readonly limit?: number | undefined
  /** How many rows to skip. Default 0. Cannot be combined with `cursor`. From 0 to 2,147,483,647. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Cannot be combined with `offset`. */
  readonly cursor?: string | undefined
  /** Only rules of this type. */
  readonly type?: SuppressionRuleType | undefined
  /** Only rules whose value contains this text. */
  readonly q?: string | undefined
  /** Only rules that come from this import, source or member: `origin.id` of a rule. */
  readonly originId?: string | undefined
}

/** A stored rule, with a normalized value. */
export interface SuppressionRule {
  /** Id of the rule. */
  readonly id: string
  /** What the value is compared with. */
  readonly type: SuppressionRuleType
  /** The value, in its normal form. */
  readonly value: string
  /** When the rule was created. */
  readonly createdAt: string
  /** Where the rule comes from; null if it is older than 0.3. */
  readonly origin: {
    /** Id of the origin: of the import or the source. Filter rules by it with `originId`. */
    readonly id: string
    /** `member`: someone wrote it. `import`: it was in a file. `source`: it is mirrored from a suppression source. */
    readonly kind: "member" | "import" | "source"
    /** Name of the file or the source; null for a member. */
    readonly name: string | null
    /** Address of the member or name of the API key; null for a source, and if they are gone. */
    readonly member: string | null
  } | null
  /** Why the rule is there; null without a note. */
  readonly note: string | null
}

/** `meta` of a page of rules. */
export interface SuppressionListMeta extends ResponseMeta {
  /** Counts of the whole list, regardless of the filter. */
  readonly counts: SuppressionRuleCounts
  /** Rules on the list. */
  readonly total: number
  /** Number of rules that match the filter. */
  readonly filteredTotal: number
  /** Rows per page. */
  readonly limit: number
  /** Rows before this page. */
  readonly offset: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** The result of a removal. */
export interface SuppressionRemoval {
  /** Rules that were deleted. */
  readonly deleted: number
  /** Rules left. */
  readonly total: number
}

/** Whether a visitor is suppressed, and by which rules. */
export interface VisitorSuppression {
  /** According to the rules at the last sync cycle. */
  readonly suppressed: boolean
  /** Stored rules that match now, newest first, at most 100. */
  readonly rules: ReadonlyArray<SuppressionRule>
}

/** The result of a write. */
export interface SuppressionWrite {
  /** Rules that were added. */
  readonly added: number
  /** Rules that were removed. */
  readonly removed: number
  /** Rows that repeat another row of the request; for an addition, also rules that already exist. */
  readonly duplicates: number
  /** Rules that were rejected. */
  readonly rejectedCount: number
  /** The first 100 rejected rows. */
  readonly rejected: ReadonlyArray<SuppressionRejection>
  /** The organization's rules after the write. */
  readonly total: number
}

/** The effect of adding rules. */
export interface SuppressionPreview {
  /** Rules that would be new. */
  readonly wouldAdd: number
  /** Rules that are on the list, or twice in the request. */
  readonly duplicates: number
  /** Rules that would be rejected. */
  readonly rejectedCount: number
  /** The first rejected rules, and why. */
  readonly rejected: ReadonlyArray<SuppressionRejection>
  /** People seen in the last 30 days who match these rules and none of the stored rules. */
  readonly affectedVisitors: number
  /** A person counts once for each type that matches. */
  readonly affectedByType: SuppressionRuleCounts
  /** Some of these people: at most 10, last seen first. */
  readonly sample: ReadonlyArray<SuppressionAffectedPerson>
}

/** An industry of identified visitors. */
export interface SuppressionIndustry {
  /** The exact label. */
  readonly value: string
  /** People of the industry. */
  readonly visitors: number
  /** Whether a rule exists for it. */
  readonly suppressed: boolean
}

/** What a rule matches: an email address, its domain, the company's domain or the industry. */
export type SuppressionRuleType = "email" | "domain" | "company_domain" | "industry"

/** Number of rules of each type. */
export interface SuppressionRuleCounts {
  /** People whom rules of addresses match. */
  readonly email: number
  /** People whom rules of address domains match. */
  readonly domain: number
  /** People whom rules of company domains match. */
  readonly company_domain: number
  /** People whom rules of industries match. */
  readonly industry: number
}

/** A row that is not a valid rule. */
export interface SuppressionRejection {
  /** Position in the submitted rows, starting at 0. */
  readonly index: number
  /** As submitted; null if it was not a string. */
  readonly type: string | null
  /** As submitted, cut after 512 characters; null if it was not a string. */
  readonly value: string | null
  /** A fixed code of the reason. */
  readonly reason: SuppressionRejectionReason
  /** Details in addition to the reason: which invisible character the value contains. */
  readonly message?: string
}

/** A person whom new rules would suppress. */
export interface SuppressionAffectedPerson {
  /** SHA-256 of the normalized primary email address, in lower-case hexadecimal. */
  readonly emailHash: string
  /** Primary email address; null only if only the person's hash is known. */
  readonly email: string | null
  /** First and last name, joined with a space. */
  readonly fullName: string | null
}

/** Why a row is not a valid rule. If several reasons apply, it is the first one in this order. */
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

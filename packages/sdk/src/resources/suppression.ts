// Suppression rules: who costs nothing and triggers nothing. Rules act from the next sync cycle on.
// Source: spec 5.5.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RateLimitState } from "../core/rate-limit-state.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ResponseMeta } from "./response-meta.ts"
import type {
  SuppressionIndustries,
  SuppressionListMeta,
  SuppressionListParams,
  SuppressionPreview,
  SuppressionRemoval,
  SuppressionRemoveParams,
  SuppressionReplaceParams,
  SuppressionRule,
  SuppressionRuleInput,
  SuppressionWrite,
  VisitorSuppression,
} from "./suppression-rule.ts"
import {
  type SuppressionRows,
  type SuppressionUpload,
  type SuppressionUploadOptions,
  uploadRules,
} from "./suppression-upload.ts"

const rulesPath = "/v1/data/suppression-rules"

/** `footfall.suppression`. Needs an API key; 30 requests a minute from one address. */
export class Suppression {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The rules, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(
    params: SuppressionListParams = {},
    options: RequestOptions = {},
  ): PagedList<SuppressionRule, SuppressionListMeta> {
    return new PagedList<SuppressionRule, SuppressionListMeta>(async (cursor) => {
      const { data, meta } = await this.#transport.request<RuleListData, RuleListMeta>({
        ...this.#call("GET", rulesPath, options),
        query: { ...atCursor(params, cursor) },
      })
      const { rules, ...about } = data
      return { data: rules, meta: { ...meta, ...about } }
    })
  }

  /**
   * Adds what is not there; a bad row is told and stops no other. At most 25,000 rows.
   * Guarantee: the same rows twice are the same as once.
   */
  add(
    rules: ReadonlyArray<SuppressionRuleInput>,
    options: RequestOptions = {},
  ): Promise<SuppressionWrite> {
    return this.#add(rules, options)
  }

  /**
   * Replaces the list, or the rules of some types, at once or not at all.
   * Errors: TypeError before anything is sent, when every rule would go without `confirmClearAll`.
   */
  async replace(
    { confirmClearAll, ...body }: SuppressionReplaceParams,
    options: RequestOptions = {},
  ): Promise<SuppressionWrite> {
    if (body.rules.length === 0 && body.types === undefined && confirmClearAll !== true) {
      throw new TypeError("This removes every rule: set confirmClearAll to true if that is meant")
    }
    return this.#transport.requestData({ ...this.#call("PUT", rulesPath, options), body })
  }

  /** Removes rules by id, or by type and value; unknown ones are passed over. */
  remove(
    params: SuppressionRemoveParams,
    options: RequestOptions = {},
  ): Promise<SuppressionRemoval> {
    const call = this.#call("DELETE", rulesPath, options)
    return this.#transport.requestData({ ...call, body: params })
  }

  /** Removes one rule. Errors: NotFoundError. */
  async removeOne(ruleId: string, options: RequestOptions = {}): Promise<SuppressionRemoval> {
    return this.#transport.requestData(
      this.#call("DELETE", path`/v1/data/suppression-rules/${ruleId}`, options),
    )
  }

  /** Tells what rules would do, and changes nothing. 1 to 25,000 rows. */
  preview(
    rules: ReadonlyArray<SuppressionRuleInput>,
    options: RequestOptions = {},
  ): Promise<SuppressionPreview> {
    return this.#transport.requestData({
      ...this.#call("POST", `${rulesPath}/preview`, options),
      isRepeatable: true,
      body: { rules },
    })
  }

  /** The industries of identified visitors. `limit`: 1 to 1,000, default 100. */
  industries(
    params: { readonly limit?: number | undefined } = {},
    options: RequestOptions = {},
  ): Promise<SuppressionIndustries> {
    return this.#transport.request({
      ...this.#call("GET", `${rulesPath}/industries`, options),
      query: { ...params },
    })
  }

  /** Why a visitor is suppressed, by the hash of any of their addresses. Errors: NotFoundError. */
  async ofVisitor(visitorId: string, options: RequestOptions = {}): Promise<VisitorSuppression> {
    return this.#transport.requestData(
      this.#call("GET", path`/v1/data/visitors/${visitorId}/suppression`, options),
    )
  }

  /**
   * Adds rules of any number, 25,000 to a request, at the pace of the server's rate limit, in the
   * memory of one request. It may be sent again from the last row that was told.
   * Errors: those of `add`, AbortedError, whatever the source throws; what `onProgress` has told of is
   * stored then.
   */
  upload(
    rules: SuppressionRows,
    options: SuppressionUploadOptions = {},
  ): Promise<SuppressionUpload> {
    const { signal, timeoutMs, retriesMax, hooks } = options
    return uploadRules(rules, options, (chunk, onRateLimit) =>
      this.#add(chunk, { signal, timeoutMs, retriesMax, hooks }, onRateLimit),
    )
  }

  #add(
    rules: ReadonlyArray<unknown>,
    options: RequestOptions,
    onRateLimit?: (state: RateLimitState) => void,
  ): Promise<SuppressionWrite> {
    return this.#transport.requestData({
      ...this.#call("POST", rulesPath, options),
      isRepeatable: true,
      ...(onRateLimit !== undefined && { onRateLimit }),
      body: { rules },
    })
  }

  #call(method: ApiRequest["method"], at: string, options: RequestOptions) {
    return { method, path: at, credentials: "apiKey", options } as const
  }
}

type RuleListData = Pick<
  SuppressionListMeta,
  "counts" | "total" | "filteredTotal" | "limit" | "offset" | "hasMore"
> & { readonly rules: ReadonlyArray<SuppressionRule> }

type RuleListMeta = ResponseMeta & Pick<SuppressionListMeta, "nextCursor" | "hasMore">

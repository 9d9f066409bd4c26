// Suppression: the calls that send rows, of which the contract accepts any, and an upload of any number. spec 2.6 and 5.5

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import { checkBound } from "../core/bound.ts"
import type { Path } from "../core/path.ts"
import { type RateLimitState, RateLimitWait } from "../core/rate-limit-state.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import {
  Suppression as Calls,
  type SuppressionIndustry,
  type SuppressionPreview,
  type SuppressionRejection,
  type SuppressionRemoval,
  type SuppressionRuleType,
  type SuppressionWrite,
} from "../resources/suppression.ts"
import type { ResponseMeta } from "./common.ts"

const rulesPath = "/v1/data/suppression-rules"

/** `footfall.suppression`. Needs an API key. Limit: 30 requests a minute per IP address. */
export class Suppression extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Adds up to 25,000 rules. Existing ones are skipped. An invalid row is reported and does not stop the others.
   * Guarantee: adding the same rows twice has the same effect as adding them once.
   */
  add(
    rules: ReadonlyArray<SuppressionRuleInput>,
    { note, ...options }: SuppressionAddOptions = {},
  ): ApiCall<SuppressionWrite> {
    return this.#add(rules, options, { note })
  }

  /**
   * Replaces the whole list, or all rules of some types. Either everything is replaced, or nothing changes. Errors:
   * TypeError, before anything is sent, if it would remove every rule and `confirmClearAll` is not set.
   */
  replace(
    { confirmClearAll, ...body }: SuppressionReplaceParams,
    options: RequestOptions = {},
  ): ApiCall<SuppressionWrite> {
    return this.#transport.requestData(() => {
      if (body.rules.length === 0 && body.types === undefined && confirmClearAll !== true) {
        throw new TypeError("This removes every rule. Set confirmClearAll to true to confirm")
      }
      return { ...this.#call("PUT", rulesPath, options), body }
    })
  }

  /** Removes rules by id, or by type and value. Unknown ones are ignored. */
  remove(
    params: SuppressionRemoveParams,
    options: RequestOptions = {},
  ): ApiCall<SuppressionRemoval> {
    const call = this.#call("DELETE", rulesPath, options)
    return this.#transport.requestData({ ...call, body: params })
  }

  /** Reports what adding 1 to 25,000 rules would do, without adding them. */
  preview(
    rules: ReadonlyArray<SuppressionRuleInput>,
    options: RequestOptions = {},
  ): ApiCall<SuppressionPreview> {
    return this.#transport.requestData({
      ...this.#call("POST", `${rulesPath}/preview`, options),
      isRepeatable: true,
      body: { rules },
    })
  }

  /** Lists the industries of identified visitors. `limit`: 1 to 1,000, default 100. */
  industries(
    params: { readonly limit?: number | undefined } = {},
    options: RequestOptions = {},
  ): ApiCall<SuppressionIndustries> {
    return this.#transport.request({
      ...this.#call("GET", `${rulesPath}/industries`, options),
      query: { ...params },
    })
  }

  /**
   * Adds any number of rules: 25,000 per request, within the server's rate limit. Only the requests under way are in
   * memory: one, or as many as `requestsAtOnce`. You can resume after the last reported row: everything reported to
   * `onProgress` is stored. Errors: same as `add`, AbortedError, and any error of the source.
   */
  upload(
    rules: SuppressionRows,
    options: SuppressionUploadOptions = {},
  ): Promise<SuppressionUpload> {
    const { signal, timeoutMs, maxRetries, hooks } = options
    return uploadRules(rules, options, (chunk, onRateLimit) =>
      this.#add(chunk, { signal, timeoutMs, maxRetries, hooks }, { onRateLimit }),
    )
  }

  #add(
    rules: ReadonlyArray<unknown>,
    options: RequestOptions,
    {
      note,
      onRateLimit,
    }: {
      readonly note?: string | undefined
      readonly onRateLimit?: (state: RateLimitState) => void
    },
  ): ApiCall<SuppressionWrite> {
    return this.#transport.requestData({
      ...this.#call("POST", rulesPath, options),
      isRepeatable: true,
      ...(onRateLimit !== undefined && { onRateLimit }),
      body: { rules, note },
    })
  }

  #call(method: ApiRequest["method"], at: Path, options: RequestOptions) {
    return { method, path: at, credentials: "apiKey", options } as const
  }
}

/** Options of adding rules. */
export interface SuppressionAddOptions extends RequestOptions {
  /** Why the rules are there. 1 to 500 characters. */
  readonly note?: string | undefined
}

/** A rule to add, remove or preview. The server normalizes the value. */
export interface SuppressionRuleInput {
  readonly type: SuppressionRuleType
  readonly value: string
}

/** `meta` of the list of industries. */
export interface SuppressionIndustryMeta extends ResponseMeta {
  readonly visitorsWithoutIndustry: number
  readonly suppressedIndustryRules: number
  readonly limit: number
}

/** The industries, most visitors first. */
export interface SuppressionIndustries {
  readonly data: ReadonlyArray<SuppressionIndustry>
  readonly meta: SuppressionIndustryMeta
}

/** A replacement for the whole list, or for some types. */
export interface SuppressionReplaceParams {
  /** At most 25,000. */
  readonly rules: ReadonlyArray<SuppressionRuleInput>
  /** Replaces only rules of these types. */
  readonly types?: ReadonlyArray<SuppressionRuleType> | undefined
  /** Why the rules are there. 1 to 500 characters. */
  readonly note?: string | undefined
  /** Set it to true to remove every rule without a replacement. */
  readonly confirmClearAll?: boolean | undefined
}

/** Rules to remove, at most 25,000 in total. Unknown ones are ignored. */
export interface SuppressionRemoveParams {
  readonly ids?: ReadonlyArray<string> | undefined
  readonly rules?: ReadonlyArray<SuppressionRuleInput> | undefined
}

/** The source of rows: an array, a generator, a stream of objects. */
export type SuppressionRows = Iterable<SuppressionRuleInput> | AsyncIterable<SuppressionRuleInput>

/** Progress of an upload. */
export interface SuppressionUpload {
  /** Rows that the server accepted or rejected, including skipped ones. Pass it as `skipRows` to resume an upload. */
  readonly rowsDone: number
  readonly added: number
  readonly duplicates: number
  readonly rejectedCount: number
  /** The first 100 rejected rows. `index` is the row's position in the source, starting at 0. */
  readonly rejected: ReadonlyArray<SuppressionRejection>
  /** The organization's rules after the last request; null before the first. */
  readonly total: number | null
}

/** Options of an upload. */
export interface SuppressionUploadOptions extends RequestOptions {
  /** Rows per request. 1 to 25,000, default 25,000. */
  readonly rowsPerRequest?: number | undefined
  /**
   * Requests in flight at the same time. 1 to 4, default 1. Progress is reported in the order of the source. An upload
   * that fails may have stored rows of later requests too; sending them again counts them as duplicates.
   */
  readonly requestsAtOnce?: number | undefined
  /** Rows to skip at the start of the source: the `rowsDone` of an interrupted upload. */
  readonly skipRows?: number | undefined
  /** Called after each request. Everything it reports is stored. */
  readonly onProgress?: ((upload: SuppressionUpload) => void | Promise<void>) | undefined
  /** Called with the first 100 rejected rows of each request. */
  readonly onRejected?: ((rejected: ReadonlyArray<SuppressionRejection>) => void) | undefined
  /** Called before a wait for the rate limit. Units: seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

/** Sends one request and reports the rate limit. */
type SendRows = (
  rows: ReadonlyArray<unknown>,
  onRateLimit: (state: RateLimitState) => void,
) => Promise<SuppressionWrite>

const rowsPerRequestMax = 25_000
const requestsAtOnceMax = 4
const rejectedMax = 100

/** Sends all rows and returns the final progress. Errors: see `Suppression.upload`. */
async function uploadRules(
  source: SuppressionRows,
  options: SuppressionUploadOptions,
  send: SendRows,
): Promise<SuppressionUpload> {
  const size = checkBound("rowsPerRequest", options.rowsPerRequest ?? rowsPerRequestMax, {
    min: 1,
    max: rowsPerRequestMax,
  })
  const requestsAtOnce = checkBound("requestsAtOnce", options.requestsAtOnce ?? 1, {
    min: 1,
    max: requestsAtOnceMax,
  })
  const skipRows = options.skipRows ?? 0
  const pace = new RateLimitWait(options)
  /** The oldest first. */
  const inFlight: Array<{ readonly rowCount: number; readonly write: Promise<SuppressionWrite> }> =
    []
  /**
   * Totals of the requests that may overlap. The server may have written an earlier one last. An
   * upload only adds rules, so the largest total is the latest.
   */
  const totals: Array<number> = []
  let upload: SuppressionUpload = {
    rowsDone: skipRows,
    added: 0,
    duplicates: 0,
    rejectedCount: 0,
    rejected: [],
    total: null,
  }
  const finishOldest = async (): Promise<void> => {
    const [oldest] = inFlight
    if (oldest === undefined) return
    const write = await oldest.write
    inFlight.shift()
    const rejected = write.rejected.map((row) => ({ ...row, index: row.index + upload.rowsDone }))
    totals.push(write.total)
    if (totals.length > requestsAtOnce) totals.shift()
    upload = {
      rowsDone: upload.rowsDone + oldest.rowCount,
      added: upload.added + write.added,
      duplicates: upload.duplicates + write.duplicates,
      rejectedCount: upload.rejectedCount + write.rejectedCount,
      rejected: [...upload.rejected, ...rejected].slice(0, rejectedMax),
      total: Math.max(...totals),
    }
    if (rejected.length > 0) options.onRejected?.(rejected)
    await options.onProgress?.(upload)
  }
  try {
    for await (const rows of chunks(source, { size, skipRows })) {
      const write = pace.send((onRateLimit) => send(rows, onRateLimit))
      // `finishOldest` throws the failure.
      write.catch(() => {})
      inFlight.push({ rowCount: rows.length, write })
      while (inFlight.length >= requestsAtOnce || !pace.allows(inFlight.length + 1)) {
        if (inFlight.length === 0) break
        await finishOldest()
      }
    }
    while (inFlight.length > 0) await finishOldest()
  } finally {
    await Promise.allSettled(inFlight.map(({ write }) => write))
  }
  return upload
}

async function* chunks(
  source: SuppressionRows,
  { size, skipRows }: { readonly size: number; readonly skipRows: number },
): AsyncGenerator<ReadonlyArray<unknown>, void, undefined> {
  let position = 0
  let rows: Array<unknown> = []
  /** Whether this row completes a request. */
  const take = (row: unknown): boolean => {
    position += 1
    return position > skipRows && rows.push(row) === size
  }
  const takeAll = (): ReadonlyArray<unknown> => {
    const all = rows
    rows = []
    return all
  }
  // Awaiting each row of an array or a sync generator would take longer than reading it.
  if (Symbol.iterator in source) {
    for (const row of source) if (take(row)) yield takeAll()
  } else {
    for await (const row of source) if (take(row)) yield takeAll()
  }
  if (rows.length > 0) yield rows
}

// An upload of suppression rules of any number: cut into requests, paced by the rate limit, told of
// as it goes. Holds one request's rows at a time.

import { setTimeout as sleep } from "node:timers/promises"
import { checkBound } from "../core/bound.ts"
import type { RateLimitState } from "../core/rate-limit-state.ts"
import type { RequestOptions } from "../core/request-options.ts"
import { AbortedError } from "../errors/aborted-error.ts"
import { RateLimitedError } from "../errors/status-errors.ts"
import type {
  SuppressionRejection,
  SuppressionRuleInput,
  SuppressionWrite,
} from "./suppression-rule.ts"

/** Where rows come from: an array, a generator, a stream of objects. */
export type SuppressionRows = Iterable<SuppressionRuleInput> | AsyncIterable<SuppressionRuleInput>

/** How far an upload has come. */
export interface SuppressionUpload {
  /** Rows the server has taken or refused, those passed over included: where to go on. */
  readonly rowsDone: number
  readonly added: number
  readonly duplicates: number
  readonly rejectedCount: number
  /** The first 100; `index` is the row's position in the source, from 0. */
  readonly rejected: ReadonlyArray<SuppressionRejection>
  /** Rules of the organization after the last request; null before the first. */
  readonly total: number | null
}

/** How to upload. */
export interface SuppressionUploadOptions extends RequestOptions {
  /** Rows of one request. 1 to 25,000, default 25,000. */
  readonly rowsPerRequest?: number | undefined
  /** Rows at the begin of the source to pass over: `rowsDone` of an upload that was broken off. */
  readonly skipRows?: number | undefined
  /** Hears after each request; what it was told of is stored. */
  readonly onProgress?: ((upload: SuppressionUpload) => void | Promise<void>) | undefined
  /** Hears of the rejected rows of each request that the server names: its first 100. */
  readonly onRejected?: ((rejected: ReadonlyArray<SuppressionRejection>) => void) | undefined
  /** Hears before a wait for the rate limit; units: seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

/** Sends one request; hears what the server says of its rate limit. */
export type SendRows = (
  rows: ReadonlyArray<unknown>,
  onRateLimit: (state: RateLimitState) => void,
) => Promise<SuppressionWrite>

const rowsPerRequestMax = 25_000
const rejectedMax = 100

/** Sends every row; the result is the last progress. Errors: see `Suppression.upload`. */
export async function uploadRules(
  source: SuppressionRows,
  options: SuppressionUploadOptions,
  send: SendRows,
): Promise<SuppressionUpload> {
  const size = checkBound("rowsPerRequest", options.rowsPerRequest ?? rowsPerRequestMax, {
    min: 1,
    max: rowsPerRequestMax,
  })
  const skipRows = options.skipRows ?? 0
  const pace = new Pace(options)
  let upload: SuppressionUpload = {
    rowsDone: skipRows,
    added: 0,
    duplicates: 0,
    rejectedCount: 0,
    rejected: [],
    total: null,
  }
  for await (const rows of chunks(source, { size, skipRows })) {
    const write = await pace.send((onRateLimit) => send(rows, onRateLimit))
    const rejected = write.rejected.map((row) => ({ ...row, index: row.index + upload.rowsDone }))
    upload = {
      rowsDone: upload.rowsDone + rows.length,
      added: upload.added + write.added,
      duplicates: upload.duplicates + write.duplicates,
      rejectedCount: upload.rejectedCount + write.rejectedCount,
      rejected: [...upload.rejected, ...rejected].slice(0, rejectedMax),
      total: write.total,
    }
    if (rejected.length > 0) options.onRejected?.(rejected)
    await options.onProgress?.(upload)
  }
  return upload
}

async function* chunks(
  source: SuppressionRows,
  { size, skipRows }: { readonly size: number; readonly skipRows: number },
): AsyncGenerator<ReadonlyArray<unknown>, void, undefined> {
  let position = 0
  let rows: Array<unknown> = []
  for await (const row of source) {
    position += 1
    if (position <= skipRows) continue
    rows.push(row)
    if (rows.length < size) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** Sends no request that the rate limit would refuse, as far as the server has told. */
class Pace {
  readonly #options: SuppressionUploadOptions
  #waitSeconds = 0

  constructor(options: SuppressionUploadOptions) {
    this.#options = options
  }

  async send<A>(request: (onRateLimit: (state: RateLimitState) => void) => Promise<A>): Promise<A> {
    for (;;) {
      await this.#wait()
      try {
        return await request(({ remaining, resetSeconds }) => {
          this.#waitSeconds = remaining === 0 ? resetSeconds : 0
        })
      } catch (error) {
        // Others may use up the same limit: however long that takes, the rows are not lost for it.
        if (!(error instanceof RateLimitedError)) throw error
        this.#waitSeconds = error.retryAfterSeconds ?? this.#waitSeconds
        if (this.#waitSeconds <= 0) throw error
      }
    }
  }

  async #wait(): Promise<void> {
    const { onWait, signal } = this.#options
    if (this.#waitSeconds > 0) {
      onWait?.(this.#waitSeconds)
      await sleep(this.#waitSeconds * 1000, undefined, signal ? { signal } : {}).catch(() => {})
      this.#waitSeconds = 0
    }
    if (signal?.aborted) {
      throw new AbortedError("The upload was aborted by its signal", { cause: signal.reason })
    }
  }
}

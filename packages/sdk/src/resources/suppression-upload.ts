// An upload of suppression rules of any number: cut into requests, paced by the rate limit, told of
// as it goes. The next request is read by the server while the one before is stored, so the rows of
// two are held at a time.

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
  const settle = async ({ rows, answer }: Sent): Promise<void> => {
    const write = await answer
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
  const underWay: Array<Sent> = []
  try {
    for await (const rows of chunks(source, { size, skipRows })) {
      const answer = pace.send((onRateLimit) => send(rows, onRateLimit))
      // Heard when its turn comes, and until then no rejection of nobody's.
      answer.catch(() => undefined)
      underWay.push({ rows, answer })
      if (underWay.length === requestsMax) await settle(underWay.shift()!)
    }
    while (underWay.length > 0) await settle(underWay.shift()!)
  } finally {
    // After an error nothing goes on behind the caller's back.
    await Promise.allSettled(underWay.map(({ answer }) => answer))
  }
  return upload
}

/** Requests at the same time: one is stored, one is read. */
const requestsMax = 2

interface Sent {
  readonly rows: ReadonlyArray<unknown>
  readonly answer: Promise<SuppressionWrite>
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
  /** Requests the server would still take, and when it says anew; undefined until it has told. */
  #left: number | undefined
  #resetSeconds = 0
  #underWay = 0
  #waiting: Promise<void> | undefined

  constructor(options: SuppressionUploadOptions) {
    this.#options = options
  }

  async send<A>(request: (onRateLimit: (state: RateLimitState) => void) => Promise<A>): Promise<A> {
    for (;;) {
      await this.#wait()
      if (this.#left !== undefined) this.#left -= 1
      this.#underWay += 1
      try {
        return await request(({ remaining, resetSeconds }) => {
          // Those under way may be counted in it or not.
          this.#left = remaining - (this.#underWay - 1)
          this.#resetSeconds = resetSeconds
        })
      } catch (error) {
        // Others may use up the same limit: however long that takes, the rows are not lost for it.
        if (!(error instanceof RateLimitedError)) throw error
        this.#left = 0
        this.#resetSeconds = error.retryAfterSeconds ?? this.#resetSeconds
        if (this.#resetSeconds <= 0) throw error
      } finally {
        this.#underWay -= 1
      }
    }
  }

  async #wait(): Promise<void> {
    const { signal } = this.#options
    if (this.#left !== undefined && this.#left <= 0 && this.#resetSeconds > 0) {
      this.#waiting ??= this.#waitForReset()
      await this.#waiting
    }
    if (signal?.aborted) {
      throw new AbortedError("The upload was aborted by its signal", { cause: signal.reason })
    }
  }

  async #waitForReset(): Promise<void> {
    const { onWait, signal } = this.#options
    onWait?.(this.#resetSeconds)
    const options = signal ? { signal } : {}
    await sleep(this.#resetSeconds * 1000, undefined, options).catch(() => {})
    this.#left = undefined
    this.#waiting = undefined
  }
}

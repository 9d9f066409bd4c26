// Retries for as long as a person would wait, and shows the wait: as long as a rate limit requires,
// and one minute in total for an unreachable server.

import {
  AbortedError,
  ApiError,
  ConnectionError,
  type Page,
  type PagedList,
  type PageMeta,
  TimeoutError,
} from "@footfall/sdk"

/** The reason of a wait, and its end in milliseconds of `performance.now()`. */
export interface Wait {
  readonly reason: "rate_limit" | "unreachable"
  readonly seconds: number
}

/** What a wait depends on. */
export interface Waiting {
  readonly onWait: (wait: Wait | null) => void
  readonly wait: (delayMs: number) => Promise<unknown>
}

/**
 * Seconds between attempts while the server is unreachable. After about a minute in total, the last error is thrown.
 */
const UNREACHABLE_DELAYS_SECONDS = [1, 2, 4, 8, 16, 32]

/** If the server asks for more, fail at once. */
const RATE_LIMIT_WAIT_MAX_SECONDS = 900

/** The wait for a rate limit that does not state a time. */
const RATE_LIMIT_WAIT_SECONDS = 10

/** Calls until it succeeds or fails with an error that waiting does not fix. Errors: those of the last call. */
export const withRetries = async <Result>(
  call: () => Promise<Result>,
  { onWait, wait }: Waiting,
): Promise<Result> => {
  for (let unreachable = 0; ;) {
    try {
      return await call()
    } catch (error) {
      const seconds = rateLimitSeconds(error) ?? unreachableSeconds(error, unreachable)
      if (seconds === null) throw error
      const isRateLimit = rateLimitSeconds(error) !== null
      unreachable = isRateLimit ? 0 : unreachable + 1
      onWait({ reason: isRateLimit ? "rate_limit" : "unreachable", seconds })
      await wait(seconds * 1000)
      onWait(null)
    }
  }
}

const rateLimitSeconds = (error: unknown): number | null => {
  if (!(error instanceof ApiError) || error.status !== 429) return null
  const seconds = error.retryAfterSeconds ?? RATE_LIMIT_WAIT_SECONDS
  return seconds <= RATE_LIMIT_WAIT_MAX_SECONDS ? seconds : null
}

const unreachableSeconds = (error: unknown, attemptsFailed: number): number | null => {
  const mayRecover =
    (isUnreachable(error) && !isPermanent(error)) ||
    (error instanceof ApiError && [408, 502, 503, 504].includes(error.status))
  return mayRecover ? (UNREACHABLE_DELAYS_SECONDS[attemptsFailed] ?? null) : null
}

/** Whether waiting cannot help: a certificate that is not trusted, or another protocol. */
export const isPermanent = (error: unknown): boolean =>
  error instanceof ConnectionError && error.isPermanent

/** Whether the server could not be reached, or sent no response in time. */
export const isUnreachable = (error: unknown): error is ConnectionError | TimeoutError =>
  error instanceof ConnectionError || error instanceof TimeoutError

/** Whether the same request may succeed later, that is, the server did not reject it. */
export const isTemporary = (error: unknown): error is Error =>
  (isUnreachable(error) && !isPermanent(error)) ||
  error instanceof AbortedError ||
  (error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status)))

/** Every page. Create the list without retries of its own. Errors: those of the last call. */
export async function* pagesWithRetries<Item, Meta extends PageMeta>(
  list: PagedList<Item, Meta>,
  waiting: Waiting,
): AsyncGenerator<Page<Item, Meta>, void, undefined> {
  let page: Page<Item, Meta> | null = await withRetries(async () => list, waiting)
  while (page !== null) {
    yield page
    const current: Page<Item, Meta> = page
    page = await withRetries(() => current.nextPage(), waiting)
  }
}

// The text shown during a wait. Pure except for the clock.

/** A wait and when it began, in milliseconds of the same clock that counts it down. */
export type RunningWait = Wait & { readonly sinceMs: number }

/** Why nothing is happening, and for how much longer. */
export const waitText = ({ reason, seconds, sinceMs }: RunningWait, nowMs: number): string => {
  const left = Math.max(0, Math.ceil(seconds - (nowMs - sinceMs) / 1000))
  return reason === "rate_limit"
    ? `Rate limit reached: continuing in ${left}s.`
    : `Can't reach the server: trying again in ${left}s.`
}

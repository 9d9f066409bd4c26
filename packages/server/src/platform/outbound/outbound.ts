// The only way to send requests to an address that a customer typed (spec 1.9): one guard before every request and
// redirect, and one limit on time and bytes for everything. Ignores proxy variables, keeps no cookies, and follows only
// a given number of redirects.
import { Clock, Context, Effect, Latch, Layer, Result, Schedule, type Scope, Stream } from "effect"
import {
  exchange,
  type Exchanged,
  isAnnouncedAbove,
  type Opened,
  openExchange,
} from "./exchange.ts"
import { keepAliveMaxMs, KeptConnections } from "./kept-connections.ts"
import {
  NameNotResolved,
  type OutboundError,
  outboundErrorOf,
  type PageError,
  RedirectedTooOften,
  TimedOut,
  TooLarge,
  UrlNotAllowed,
} from "./outbound-error.ts"
import { readOutboundUrl } from "./outbound-url.ts"
import {
  answerBytesMax,
  type Endpoint,
  type OutboundAnswer,
  type OutboundRequest,
  Sending,
} from "./sending.ts"
import { type Guard, NameLookup, sharedLookup, vettedAddresses } from "./vetted-addresses.ts"

/** `ALLOW_PRIVATE_WEBHOOKS`: lifts the rules for scheme and address. */ // spec 1.2, 1.9
export const PrivateAddressesAllowed = Context.Reference<boolean>(
  "@footfall/server/outbound/PrivateAddressesAllowed",
  { defaultValue: () => false },
)

export interface PageRequest {
  readonly url: string
  /** Default 0: a redirect is returned as the response. Beyond the limit: RedirectedTooOften. */
  readonly redirectsMax?: number
  /** For everything: lookups, connections, redirects and the body. */
  readonly timeoutMs: number
  /** Maximum size of the response body. */
  readonly bytesMax: number
  /** Default: true. */
  readonly isPlainAllowed?: boolean
  /** Lower-case names; added to ours, or replacing them. Another origin never gets them. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface OutboundPage extends Exchanged {
  /** The final URL after redirects. */
  readonly url: string
}

/** A page whose body arrives while it is read. */
export interface OpenedPage extends Omit<OutboundPage, "body"> {
  /**
   * *Errors*: TimedOut once the body has been waited for as long as the request may take, however long its reader
   * took in between; TooLarge.
   */
  readonly body: Stream.Stream<Uint8Array, PageError>
}

/** For a hostname lookup without a request. */
const checkTimeoutMs = 10_000

const urlsRememberedMax = 256

/** Open until the layer closes. undici is loaded on first use. */
const keptConnections = Effect.gen(function* () {
  let kept: Promise<KeptConnections> | undefined
  const load = () =>
    (kept ??= import("undici").then((undici) => new KeptConnections(undici.default)))
  yield* Effect.addFinalizer(() => Effect.promise(async () => (await kept)?.close()))
  const sweep = Effect.promise(async () => (await kept)?.sweep())
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(keepAliveMaxMs / 2)))
  return load
})

export class Outbound extends Context.Service<
  Outbound,
  {
    /** Fetches a page by GET, also over `http:`. Any status is a page. */
    readPage(request: PageRequest): Effect.Effect<OutboundPage, PageError>
    /** Like `readPage`, without its body in memory. The connection lasts as long as the scope. */
    openPage(request: PageRequest): Effect.Effect<OpenedPage, PageError, Scope.Scope>
    /**
     * Sends one request and returns its response, whatever the status; redirects are not followed. The hostname is
     * resolved and vetted again, and only connections to those addresses are used. *Errors*: no response headers
     * arrived within `timeoutMs`. Once they have, they count, whatever happens to the body.
     */ // spec 1.9, 8.1
    send(request: OutboundRequest): Effect.Effect<OutboundAnswer, OutboundError>
    /**
     * Whether a request could be sent there now: checks the form and every address of the hostname. Connects to
     * nothing. A lookup that takes longer than 10 seconds counts as unresolved.
     */
    check(url: string): Effect.Effect<void, UrlNotAllowed | NameNotResolved>
  }
>()("@footfall/server/outbound/Outbound") {
  static readonly layer = Layer.effect(
    Outbound,
    Effect.gen(function* () {
      const guard: Guard = {
        lookup: sharedLookup(yield* NameLookup),
        isPrivateAllowed: yield* PrivateAddressesAllowed,
      }
      const { isPrivateAllowed } = guard
      const webhookRules = { isPlainAllowed: false, isPrivateAllowed }
      const connections = yield* keptConnections
      const setDeadline = yield* makeDeadlines
      const endpointOf = memoized((url: string) =>
        Result.map(readOutboundUrl(url, webhookRules), partsOf),
      )

      /** Follows redirects. `ask` sends one request; `leave` ends one that was a redirect. */
      const walk = Effect.fnUntraced(function* <
        Answer extends Pick<Exchanged, "status" | "headers">,
      >(
        request: PageRequest,
        ask: (
          url: URL,
          options: Guard & {
            readonly signal: AbortSignal
            readonly bytesMax: number
            readonly headers: Readonly<Record<string, string>> | undefined
          },
        ) => Promise<Answer>,
        leave: (answer: Answer) => Effect.Effect<void>,
      ) {
        const { bytesMax, headers, isPlainAllowed = true, redirectsMax = 0, url } = request
        let next = url
        let origin: string | undefined
        for (let redirects = 0; ; redirects++) {
          const checked = yield* Effect.fromResult(
            readOutboundUrl(next, { isPlainAllowed, isPrivateAllowed }),
          )
          origin ??= checked.origin
          const own = checked.origin === origin ? headers : undefined
          const answer = yield* Effect.tryPromise({
            try: (signal) => ask(checked, { ...guard, bytesMax, signal, headers: own }),
            catch: pageErrorOf,
          })
          const location = locationOf(answer, checked)
          if (location === undefined || redirectsMax === 0) return { ...answer, url: checked.href }
          yield* leave(answer)
          if (redirects === redirectsMax) return yield* new RedirectedTooOften({ redirectsMax })
          next = location
        }
      })

      /** Has no span, timer or layer of its own, because hundreds of thousands of contacts are sent through it. */
      const send = (request: OutboundRequest) =>
        Effect.callback<OutboundAnswer, OutboundError>((resume) => {
          const { bytesMax = answerBytesMax, timeoutMs } = request
          const checked = endpointOf(request.url)
          if (Result.isFailure(checked)) return resume(Effect.fail(checked.failure))
          const endpoint = checked.success
          const sending = new Sending(bytesMax, (result) => {
            deadline.cancel()
            resume(result instanceof Error ? outboundErrorOf(result) : Effect.succeed(result))
          })
          const deadline = setDeadline(timeoutMs, () => {
            const answer = sending.answer(true)
            sending.abort()
            resume(answer === undefined ? new TimedOut({ timeoutMs }) : Effect.succeed(answer))
          })
          const begin = async () => {
            const addresses = await vettedAddresses(endpoint.host, guard)
            const pool = (await connections()).pool(endpoint.origin, addresses)
            sending.begin(pool, endpoint.path, request)
          }
          begin().catch((error: Error) => sending.fail(error))
          return Effect.sync(() => {
            deadline.cancel()
            sending.abort()
          })
        })

      const vetted = (url: URL) =>
        Effect.tryPromise({
          try: () => vettedAddresses(url.hostname, guard),
          catch: (error) => (error instanceof UrlNotAllowed ? error : new NameNotResolved()),
        })

      return Outbound.of({
        readPage: Effect.fn("Outbound.readPage")(function* (request) {
          const { timeoutMs } = request
          return yield* Effect.timeoutOrElse(
            walk(request, exchange, () => Effect.void),
            { duration: timeoutMs, orElse: () => new TimedOut({ timeoutMs }) },
          )
        }),
        openPage: Effect.fn("Outbound.openPage")(function* (request) {
          const { bytesMax, timeoutMs } = request
          const beganAt = yield* Clock.currentTimeMillis
          const close = (opened: Opened) => Effect.promise(() => opened.close())
          // An opened connection is closed whatever happens next.
          const opened = yield* Effect.acquireRelease(
            Effect.timeoutOrElse(walk(request, openExchange, close), {
              duration: timeoutMs,
              orElse: () => new TimedOut({ timeoutMs }),
            }),
            close,
            { interruptible: true },
          )
          const { headers, status, url } = opened
          if (isAnnouncedAbove(bytesMax, opened)) return yield* new TooLarge({ bytesMax })
          const leftMs = timeoutMs - ((yield* Clock.currentTimeMillis) - beganAt)
          return {
            status,
            headers,
            url,
            body: bodyOf(opened.body, { bytesMax, timeoutMs, leftMs }),
          }
        }),
        send,
        check: Effect.fn("Outbound.check")(function* (text) {
          const url = yield* Effect.fromResult(readOutboundUrl(text, webhookRules))
          yield* Effect.timeoutOrElse(vetted(url), {
            duration: checkTimeoutMs,
            orElse: () => new NameNotResolved(),
          })
        }),
      })
    }),
  )
}

const pageErrorOf = (error: unknown): PageError =>
  error instanceof TooLarge ? error : outboundErrorOf(error)

/** A body within limits. Only waiting for it counts, because its reader may be slow. */
const bodyOf = (
  body: AsyncIterable<Uint8Array>,
  {
    bytesMax,
    leftMs,
    timeoutMs,
  }: { readonly bytesMax: number; readonly leftMs: number; readonly timeoutMs: number },
): Stream.Stream<Uint8Array, PageError> => {
  const chunks = body[Symbol.asyncIterator]()
  const next = Effect.tryPromise({ try: () => chunks.next(), catch: pageErrorOf })
  return Stream.unfold({ bytes: 0, leftMs }, (before) =>
    Effect.gen(function* () {
      const askedAt = yield* Clock.currentTimeMillis
      const chunk = yield* Effect.timeoutOrElse(next, {
        duration: Math.max(0, before.leftMs),
        orElse: () => new TimedOut({ timeoutMs }),
      })
      if (chunk.done === true) return undefined
      const bytes = before.bytes + chunk.value.length
      if (bytes > bytesMax) return yield* new TooLarge({ bytesMax })
      const waitedMs = (yield* Clock.currentTimeMillis) - askedAt
      return [chunk.value, { bytes, leftMs: before.leftMs - waitedMs }] as const
    }),
  )
}

const partsOf = ({ hostname, origin, pathname, search }: URL): Endpoint => ({
  origin,
  host: hostname,
  path: pathname + search,
})

/** Caches the results of a pure function for recent inputs, because the same addresses are requested repeatedly. */
const memoized = <A>(read: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const now = read(text)
    if (known.size >= urlsRememberedMax) known.clear()
    known.set(text, now)
    return now
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where a response redirects to. An unreadable Location is not a redirect. */
const locationOf = (
  { headers, status }: Pick<Exchanged, "headers" | "status">,
  base: URL,
): string | undefined => {
  const { location } = headers
  return location !== undefined && redirectStatuses.has(status) && URL.canParse(location, base.href)
    ? new URL(location, base.href).href
    : undefined
}

// Ends requests whose time is up. One fiber watches all of them, because a timer and a race of fibers per request would
// take a third of the time of sending it. Sleeps when nothing is in progress.
/** Maximum delay between a request's deadline and its end. */
const tickMs = 50

/** `end`: called once, unless `cancel` comes first. */
export interface Deadline {
  cancel(): void
}

interface Due {
  /** By the process's monotonic clock. Units: milliseconds. */
  readonly at: number
  readonly end: () => void
}

/** Returns the function that sets a deadline, and watches deadlines while the scope is open. */
export const makeDeadlines = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000
  const underWay = yield* Latch.make()
  /** One queue per time limit, so each queue ends in the order it started. */
  const queues = new Map<number, Set<Due>>()

  const sweep = Effect.sync(() => {
    const now = monotonicMs()
    for (const [timeoutMs, queue] of queues) {
      for (const due of queue) {
        if (due.at > now) break
        queue.delete(due)
        due.end()
      }
      if (queue.size === 0) queues.delete(timeoutMs)
    }
    if (queues.size === 0) underWay.closeUnsafe()
  })
  const tick = underWay.await.pipe(Effect.andThen(Effect.sleep(tickMs)), Effect.andThen(sweep))
  yield* Effect.forkScoped(Effect.forever(tick))

  return (timeoutMs: number, end: () => void): Deadline => {
    const due = { at: monotonicMs() + timeoutMs, end }
    let queue = queues.get(timeoutMs)
    if (queue === undefined) queues.set(timeoutMs, (queue = new Set()))
    queue.add(due)
    underWay.openUnsafe()
    return { cancel: () => queues.get(timeoutMs)?.delete(due) }
  }
})

// The collect path without HTTP: one body in, one outcome out, the same for every adapter. A batch is acknowledged only
// after its commit. The method returns a promise and starts no fiber: typed layers cost about 30 microseconds per
// request, which matters only on this path. Each commit is one fiber. Closing the scope drains accepted batches.
import { hash } from "node:crypto"
import { Clock, Context, Effect, Layer, Metric, Redacted, Schedule } from "effect"
import { Hex } from "effect/encoding"
import { RateLimitsEnabled } from "../../platform/http/rate-limit.ts"
import { Arrivals } from "./arrivals.ts"
import { readBatch } from "./batch.ts"
import { cleanText } from "./clean-text.ts"
import { CollectConfig } from "./collect-config.ts"
import type { CollectPixel } from "./collect-pixel.ts"
import { CommitQueue, type QueueLimits } from "../../platform/jobs/batcher.ts"
import { permissionOf } from "./consent.ts"
import { readConsentCountry, readCountry } from "./country.ts"
import { deviceType } from "./device.ts"
import type { DropReason } from "./collected-event.ts"
import { readLinkToken } from "./link-token.ts"
import { isExcluded, readVisitorAddress, type VisitorAddress } from "./network-address.ts"
import { NetworkCompanies, type NetworkCompanyLookUp } from "./network-companies.ts"
import { readEvents } from "./read-events.ts"
import { type CollectedBatch, VisitsStore } from "./store.ts"

export type CollectOutcome =
  | KeepOutcome
  | { readonly outcome: "dropped"; readonly reason: DropReason }

export type KeepOutcome =
  | { readonly outcome: "stored" }
  /** Not stored; the sender keeps the batch and sends it again. */
  | { readonly outcome: "unavailable" | "above_rate"; readonly retryAfterSeconds: number }

/** One request to `POST /p/{pixelId}/e`, after the size check. */
export interface CollectInput {
  /** Undefined when no pixel has the id, or the pixel is deleted. */
  readonly pixel: CollectPixel | undefined
  readonly body: Uint8Array
  readonly userAgent: string | undefined
  /** The request header `Sec-GPC`, as received. */
  readonly secGpc: string | undefined
  /** The request header `DNT`, as received. */
  readonly dnt?: string | undefined
  /** The browser has the pixel host's opt-out cookie. */
  readonly hasOptedOut: boolean
  /**
   * The visitor's address behind trusted proxies; undefined when unknown. Without an address there is no rate limit,
   * because one bucket for all of a pixel's visitors would reject most of them.
   */
  readonly clientAddress: string | undefined
  /** ISO 3166-1 alpha-2, from the header named by GEO_COUNTRY_HEADER. */
  readonly country: string | undefined
  /** Epoch milliseconds by the server's clock. */
  readonly receivedAt: number
}

/** The events of one request, and whose share of the queue they take (jobs/fair-turns.ts). */
export interface QueuedBatch extends CollectedBatch {
  readonly party: string
}

const queueLimits: QueueLimits = {
  itemsMax: 10_000,
  bytesMax: 32 * 1024 * 1024,
  rowsPerCommitMax: 500,
  bytesPerCommitMax: 2 * 1024 * 1024,
  commitsInFlightMax: 2,
}

/** Units: code points. The specification has no limit. */
export const userAgentLengthMax = 255

/** The Retry-After of a 503. */
const retryAfterSeconds = 5

/** The Retry-After of a 429: by then the window has ended. Counted from each answer, it spreads the retries. */
const aboveRateRetryAfterSeconds = 60

/** Retries of one commit after the first try, about a second in total. */
const commitRetries = Schedule.max([Schedule.exponential("100 millis"), Schedule.recurs(3)])

export class Collect extends Context.Service<
  Collect,
  {
    /**
     * Stores one batch. Never rejects. Guarantee: "stored" means committed; an event id is stored only once.
     */ // spec 6.3
    collect(input: CollectInput): Promise<CollectOutcome>
    /** The same for events from other sources. `bytes`: their approximate size in memory. */
    keep(batch: QueuedBatch, bytes: number): Promise<KeepOutcome>
    /** The rate counter for an address on a pixel; undefined when nothing is limited. */
    bucketOf(pixelId: string, address: VisitorAddress | undefined): string | undefined
  }
>()("@footfall/server/visits/Collect") {
  static readonly layer = Layer.effect(
    Collect,
    Effect.gen(function* () {
      const config = yield* CollectConfig
      const isLimited = yield* RateLimitsEnabled
      const companies = yield* NetworkCompanies
      const queue = yield* commitQueue

      const dropped = yield* dropCounter
      const context = yield* Effect.context<never>()
      const clock = yield* Clock.Clock
      // Initialized at start, so that rates can be computed from the first scrape.
      for (const counter of [storedBatches, storedEvents, refusedBatches, limitedBatches]) {
        counter.updateUnsafe(0, context)
      }

      const rules = {
        gpcMode: config.gpcMode,
        storeIp: config.storeIp,
        isLimited,
        addressKey: Hex.encode(Redacted.value(config.addressKey)),
        linkTokenKeys: config.linkTokenKeys,
        keepsUserAgent: config.keepsUserAgent,
        companies,
      }

      const outcomeOf = (isStored: boolean | undefined): KeepOutcome => {
        if (isStored === undefined) return { outcome: "unavailable", retryAfterSeconds }
        return isStored
          ? { outcome: "stored" }
          : { outcome: "above_rate", retryAfterSeconds: aboveRateRetryAfterSeconds }
      }
      const counted = (outcome: KeepOutcome, events: number, startedAt: bigint) => {
        if (outcome.outcome === "stored") {
          storedBatches.updateUnsafe(1, context)
          storedEvents.updateUnsafe(events, context)
        }
        if (outcome.outcome === "unavailable") refusedBatches.updateUnsafe(1, context)
        if (outcome.outcome === "above_rate") limitedBatches.updateUnsafe(1, context)
        const seconds = Number(clock.currentTimeNanosUnsafe() - startedAt) / 1e9
        storeSeconds.updateUnsafe(seconds, context)
        return outcome
      }

      const collect = (input: CollectInput): Promise<CollectOutcome> => {
        const batch = readInput(input, rules)
        if (typeof batch === "string") return Promise.resolve(dropped(batch))
        return keep(batch, input.body.length)
      }

      const keep = (batch: QueuedBatch, bytes: number): Promise<KeepOutcome> => {
        const startedAt = clock.currentTimeNanosUnsafe()
        return queue
          .offer({
            item: batch,
            party: batch.party,
            bytes,
            rows: batch.events.length,
          })
          .then((isStored) => counted(outcomeOf(isStored), batch.events.length, startedAt))
      }

      return Collect.of({
        collect,
        keep,
        bucketOf: (pixelId, address) =>
          address && isLimited ? bucketOf(pixelId, address.subject, rules) : undefined,
      })
    }),
  )
}

const commitQueue = Effect.gen(function* () {
  const store = yield* VisitsStore
  const arrivals = yield* Arrivals
  const runPromise = Effect.runPromiseWith(yield* Effect.context())
  const commit = (batches: ReadonlyArray<CollectedBatch>) =>
    store.insert(batches).pipe(
      Effect.retry(commitRetries),
      Effect.tap(() => Effect.sync(arrivals.notify)),
      Effect.tapCause((cause) => Effect.logError("collected batches not stored", cause)),
    )
  const queue = new CommitQueue<QueuedBatch, boolean>({
    limits: queueLimits,
    commit: (batches) => runPromise(commit(batches)),
  })
  yield* Effect.addFinalizer(() => Effect.promise(() => queue.close()))
  return queue
})

const storedBatches = Metric.counter("footfall_collect_stored_batches", {
  description: "Batches of the pixel that were stored",
  incremental: true,
})
const storedEvents = Metric.counter("footfall_collect_stored_events", {
  description: "Events in the batches that were stored, repeats included",
  incremental: true,
})
const refusedBatches = Metric.counter("footfall_collect_unavailable_batches", {
  description: "Batches that could not be stored and were answered with 503",
  incremental: true,
})
const limitedBatches = Metric.counter("footfall_collect_limited_batches", {
  description: "Batches above the rate of their address, answered with 429",
  incremental: true,
})
const storeSeconds = Metric.histogram("footfall_collect_store_seconds", {
  description: "Time until a batch was committed, or given up",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})
const droppedBatches = Metric.counter("footfall_collect_dropped_batches", {
  description: "Batches of the pixel that were dropped on purpose, by reason",
  incremental: true,
})

/** Counts a dropped batch and returns its outcome. */
const dropCounter = Effect.map(
  Effect.context(),
  (context) =>
    (reason: DropReason): CollectOutcome => {
      Metric.withAttributes(droppedBatches, { reason }).updateUnsafe(1, context)
      return { outcome: "dropped", reason }
    },
)

type Rules = Pick<
  CollectConfig["Service"],
  "gpcMode" | "keepsUserAgent" | "linkTokenKeys" | "storeIp"
> & {
  readonly isLimited: boolean
  readonly addressKey: string
  readonly companies: NetworkCompanyLookUp
}

// Ordered by cost: the checks that reject the most for the least come first.
const readInput = (input: CollectInput, rules: Rules): QueuedBatch | DropReason => {
  const { pixel, receivedAt } = input
  if (pixel === undefined) return "pixel_unknown"
  if (!pixel.isActive) return "pixel_inactive"
  if (input.hasOptedOut) return "opted_out"
  const device = deviceType(input.userAgent)
  if (device === "bot") return "bot"
  const address =
    input.clientAddress === undefined ? undefined : readVisitorAddress(input.clientAddress)
  if (address !== undefined && isExcluded(address.address, pixel.excludedIps))
    return "address_excluded"
  const batch = readBatch(input.body)
  if (batch === undefined) return "unreadable"
  const country = readCountry(input.country)
  const { consent, gpc } = batch
  const dnt = batch.dnt || input.dnt?.trim() === "1"
  const permission = permissionOf(
    {
      consent,
      gpc,
      dnt,
      secGpc: input.secGpc,
      gpcMode: rules.gpcMode,
      country: readConsentCountry(input.country),
    },
    pixel.settings,
  )
  if (permission === "refused") return "consent"
  const read = readEvents(batch, {
    pixel,
    receivedAt,
    device,
    country,
    userAgent: rules.keepsUserAgent ? cleanText(input.userAgent, userAgentLengthMax) : undefined,
    storedAddress: rules.storeIp === "full" ? address?.full : address?.truncated,
    networkCompany: () => address && rules.companies.find(address.full),
    isAnonymous: permission === "anonymous",
    linkedHash: (token) =>
      readLinkToken(
        token,
        { organizationId: pixel.organizationId, now: receivedAt },
        rules.linkTokenKeys,
      ),
  })
  if ("reason" in read) return read.reason
  const bucket = address && rules.isLimited ? bucketOf(pixel.id, address.subject, rules) : undefined
  return { bucket, party: pixel.party, events: read.events }
}

// Counters never contain a whole address: an unkeyed hash of one can be brute-forced. A key prefix is enough, because
// nothing is signed here, and it is cheaper than an HMAC.
const bucketOf = (pixelId: string, subject: string, { addressKey }: Rules): string =>
  `collect:${hash("sha256", `${addressKey} ${pixelId} ${subject}`, "base64url")}`

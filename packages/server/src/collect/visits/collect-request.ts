// The collect route without a framework: what its two adapters, node:http and the router, share. The adapter supplies
// the bytes. The response has a status and headers, and never reveals whether anyone was identified (spec 6.3).
import { Clock, Context, Effect, Option } from "effect"
import { mayUse } from "../../access/organization.ts"
import { ConnectionWait, requestWaitMs } from "../../platform/database/statement-limits.ts"
import { TrustedProxies } from "../../platform/http/answer.ts"
import { clientAddress, isWithin } from "../../platform/http/client-address.ts"
import type { Refusal } from "../../platform/http/errors.ts"
import { ForeignEvents } from "../pixels/foreign-events.ts"
import { hasOptedOut } from "../pixels/opt-out/opt-out.ts"
import { Pixels } from "../pixels/pixels.ts"
import type { HostedPixelRow } from "../pixels/store.ts"
import { Collect, type CollectOutcome } from "./collect.ts"
import { GeoCountryHeader } from "./collect-config.ts"
import type { CollectPixel } from "./collect-pixel.ts"
import { batchesPerMinuteMax } from "./store.ts"

/** Maximum size of a batch. Units: bytes. */ // spec 1.4
export const batchBytesMax = 65_536

/** Sent with every response of the collect route. */ // spec 6.3
export const corsHeaders = {
  "access-control-allow-origin": "*",
  // Without it, browsers hide the header from the script.
  "access-control-expose-headers": "retry-after",
  "cross-origin-resource-policy": "cross-origin",
} as const

export interface CollectRequest {
  readonly pixelId: string
  readonly peer: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

export type CollectAnswer =
  | { readonly status: 204 }
  | { readonly refusal: Refusal; readonly headers: Readonly<Record<string, string>> }

export const tooLarge: CollectAnswer = {
  refusal: {
    code: "PAYLOAD_TOO_LARGE",
    message: `The batch is larger than ${batchBytesMax} bytes.`,
    details: { limitBytes: batchBytesMax },
  },
  headers: { connection: "close" },
}

/** Handles one request. Never rejects. */
export const makeCollectRequest = Effect.gen(function* () {
  const pixels = yield* Pixels
  const foreignEvents = yield* ForeignEvents
  const { collect } = yield* Collect
  const clock = yield* Clock.Clock
  const trustedProxies = yield* TrustedProxies
  const countryHeader = yield* GeoCountryHeader
  const context = Context.add(yield* Effect.context(), ConnectionWait, requestWaitMs)
  const runPromise = Effect.runPromiseWith(context)

  return async (request: CollectRequest): Promise<CollectAnswer> => {
    const header = (name: string) => {
      const value = request.headers[name] // own keys: the names are ours
      return typeof value === "string" ? value : value?.[0]
    }
    const { body, peer, pixelId } = request
    try {
      const pixel =
        pixels.remembered(pixelId) ??
        Option.getOrUndefined(await runPromise(pixels.hosted(pixelId)))
      const receivedAt = clock.currentTimeMillisUnsafe()
      const isProxied = peer !== undefined && isWithin(peer, trustedProxies)
      const outcome = await collect({
        pixel: pixel && collectPixelOf(pixel),
        body,
        userAgent: header("user-agent"),
        secGpc: header("sec-gpc"),
        dnt: header("dnt"),
        // Sent by script requests and by the beacons of a cached script.
        hasOptedOut: hasOptedOut(header("cookie")),
        clientAddress: isProxied
          ? clientAddress({ peer, forwardedFor: header("x-forwarded-for"), trustedProxies })
          : peer,
        country: isProxied && countryHeader ? header(countryHeader) : undefined,
        receivedAt,
      })
      const isForeign = outcome.outcome === "dropped" && outcome.reason === "domain_mismatch"
      if (isForeign && pixel !== undefined) foreignEvents.record(pixel, receivedAt)
      return answerOf(outcome)
    } catch {
      // The pixel lookup failed because the database is unreachable; the batch was not stored.
      return answerOf({ outcome: "unavailable", retryAfterSeconds: 5 })
    }
  }
})

const answerOf = (outcome: CollectOutcome): CollectAnswer => {
  if (!("retryAfterSeconds" in outcome)) return { status: 204 }
  const { retryAfterSeconds } = outcome
  return {
    refusal:
      outcome.outcome === "unavailable"
        ? { code: "SERVICE_UNAVAILABLE", message: "The batch could not be stored." }
        : {
            code: "RATE_LIMITED",
            message: `This IP address sent this pixel more than ${batchesPerMinuteMax} batches in a minute. Try again in ${retryAfterSeconds} seconds.`,
            details: { retryAfterSeconds },
          },
    headers: { "retry-after": String(retryAfterSeconds) },
  }
}

/** One value per row, so that what the collect path caches per pixel is found again. */
const collectPixels = new WeakMap<HostedPixelRow, CollectPixel>()

export const collectPixelOf = (row: HostedPixelRow): CollectPixel => {
  const known = collectPixels.get(row)
  if (known !== undefined) return known
  const { domain, excludedIps, excludedPaths, id, includedPaths, organizationId, party, settings } =
    row
  const pixel: CollectPixel = {
    organizationId,
    party,
    id,
    domain,
    isActive: row.status === "active" && mayUse(row.organizationStatus),
    excludedPaths,
    includedPaths,
    // Their schema checked the settings when they were stored.
    settings: settings as CollectPixel["settings"],
    excludedIps,
  }
  collectPixels.set(row, pixel)
  return pixel
}

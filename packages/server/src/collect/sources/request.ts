// The tracking routes without a framework: credentials, body, messages, response (spec 15.2). Events take the same path
// as the pixel's: the same queue, and a response after the same commit.
import { Clock, Effect, Option, Redacted, Schema, Semaphore } from "effect"
import { Hex } from "effect/encoding"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import type { Refusal } from "../../platform/http/errors.ts"
import { isTooDeep } from "../../platform/http/json-checks.ts"
import { RateLimitsEnabled } from "../../platform/http/rate-limit.ts"
import { RateLimitStore } from "../../platform/http/store.ts"
import { hasOptedOut } from "../pixels/opt-out/opt-out.ts"
import { Pixels } from "../pixels/pixels.ts"
import type { WriteKeyHolder } from "../pixels/write-keys/store.ts"
import { WriteKeys } from "../pixels/write-keys/write-keys.ts"
import { isObject, type JsonObject } from "../visits/batch.ts"
import { Collect } from "../visits/collect.ts"
import { readCountry } from "../visits/country.ts"
import { CollectConfig } from "../visits/collect-config.ts"
import { collectPixelOf } from "../visits/collect-request.ts"
import type { CollectedEvent } from "../visits/collected-event.ts"
import { readVisitorAddress } from "../visits/network-address.ts"
import { NetworkCompanies } from "../visits/network-companies.ts"
import { readEvent, type Sender } from "./event.ts"
import { type MessageType, readMessage, Rejected } from "./message.ts"

/** Maximum size of a request body. Units: bytes. */ // spec 15.2.8
export const wireBytesMax = 512_000
/** Maximum size of a batch by the kind of its key, as in the contract; anyone can read a browser key. */ // spec 15.2.8
const limitsOf = {
  server: { bytes: 5 * 1024 * 1024, messages: 2_500 },
  browser: { bytes: 65_536, messages: 100 },
} as const
/** Requests per minute: of a server key, and of an address that sends with browser keys or none. */ // spec 15.2.11
const requestsMax = 600
/** Maximum rows in `rejected`. */ // spec 10.3
const rejectedMax = 100
/** Bodies decompressed at the same time; each may take 5 MB. */
const inflatingMax = 4

export interface TrackingRequest {
  readonly call: MessageType | "batch" | "import"
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The address of the request's sender. */
  readonly clientAddress: string | undefined
  readonly isProxied: boolean
  readonly countryHeader: string | undefined
  readonly body: Uint8Array
}

export class TrackingRefused extends Schema.TaggedError<TrackingRefused>()("TrackingRefused", {
  refusal: Schema.Any,
  retryAfter: Schema.optionalKey(Schema.Int),
  /** Whether the request had a valid key of this kind. Absent if it had none. */
  kind: Schema.optionalKey(Schema.Literals(["server", "browser"])),
}) {
  declare readonly refusal: Refusal
}

export interface TrackingAnswer {
  readonly kind: "server" | "browser"
  readonly rejected: ReadonlyArray<{
    readonly index: number
    readonly reason: string
    readonly message: string
  }>
}

const refuse = (refusal: Refusal) => new TrackingRefused({ refusal })
const wrongKey = refuse({
  code: "AUTHENTICATION_ERROR",
  message:
    "Missing or invalid write key. Send a valid key as the user name in HTTP Basic authentication.",
})
const unreadable = (message: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "The request body could not be read.",
    details: { issues: [{ path: "/body", code: "invalid_json", message }] },
  })
export const tooLarge = (limitBytes: number) =>
  refuse({
    code: "PAYLOAD_TOO_LARGE",
    message: `The body is larger than ${limitBytes} bytes.`,
    details: { limitBytes },
  })

const tooMany = (retryAfter: number) =>
  new TrackingRefused({
    refusal: {
      code: "RATE_LIMITED",
      message: `Too many requests: more than ${requestsMax} in 60 seconds. Try again in ${retryAfter} seconds.`,
      details: { retryAfterSeconds: retryAfter },
    },
    retryAfter,
  })

const decoder = new TextDecoder("utf-8", { fatal: true })
const inflate = promisify(gunzip)

export const makeTracking = Effect.gen(function* () {
  const keys = yield* WriteKeys
  const pixels = yield* Pixels
  const collect = yield* Collect
  const config = yield* CollectConfig
  const companies = yield* NetworkCompanies
  const idKey = Hex.encode(Redacted.value(config.addressKey))
  const inflating = yield* Semaphore.make(inflatingMax)
  const counters = yield* RateLimitStore

  /** Counts a request. Without a subject, which is unknown or unlimited, it passes. */
  const count = Effect.fnUntraced(function* (subject: string | undefined) {
    if (subject === undefined) return
    const { resetSeconds, used } = yield* counters.consume(`sources:${subject}`, requestsMax)
    if (used > requestsMax) return yield* tooMany(resetSeconds)
  })
  const isLimited = yield* RateLimitsEnabled
  const addressOf = ({ clientAddress }: TrackingRequest) =>
    clientAddress === undefined ? undefined : readVisitorAddress(clientAddress)
  const subjectOf = (holder: WriteKeyHolder | undefined, request: TrackingRequest) =>
    holder?.kind === "server"
      ? isLimited
        ? holder.id
        : undefined
      : collect.bucketOf(holder?.pixelId ?? "", addressOf(request))

  const authenticate = (key: string) =>
    keys.authenticate(key).pipe(Effect.catchTag("WriteKeyRefused", () => wrongKey))

  /** A compressed body is only decompressed for a valid key. */
  const readBytes = Effect.fnUntraced(function* (
    { body, headers }: TrackingRequest,
    bytesMax: number,
  ) {
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
    if (encoding === "identity") return body
    if (encoding !== "gzip") {
      return yield* refuse({
        code: "UNSUPPORTED_MEDIA_TYPE",
        message: `Expected Content-Encoding gzip or none, received "${encoding.slice(0, 40)}".`,
      })
    }
    return yield* Effect.tryPromise({
      try: () => inflate(body, { maxOutputLength: bytesMax }),
      catch: (error) =>
        error instanceof RangeError ? tooLarge(bytesMax) : unreadable("Expected gzip."),
    }).pipe(inflating.withPermit)
  })

  const readBody = Effect.fnUntraced(function* (request: TrackingRequest, bytesMax: number) {
    const bytes = yield* readBytes(request, bytesMax)
    if (bytes.length > bytesMax) return yield* tooLarge(bytesMax)
    if (isTooDeep(bytes)) return yield* unreadable("Expected at most 64 levels of nesting.")
    const value = yield* Effect.try({
      try: (): unknown => JSON.parse(decoder.decode(bytes)),
      catch: () => unreadable("Expected JSON in UTF-8."),
    })
    if (!isObject(value)) return yield* unreadable("Expected a JSON object.")
    return { value, bytes: bytes.length }
  })

  const messagesOf = Effect.fnUntraced(function* (
    call: TrackingRequest["call"],
    body: JsonObject,
    messagesMax: number,
  ) {
    if (call !== "batch" && call !== "import") return [body]
    const { batch } = body
    if (!Array.isArray(batch))
      return yield* unreadable("Expected batch to be an array of messages.")
    if (batch.length > messagesMax) {
      return yield* refuse({
        code: "PAYLOAD_TOO_LARGE",
        message: `Expected at most ${messagesMax} messages, received ${batch.length}.`,
        details: { limitMessages: messagesMax },
      })
    }
    return batch as ReadonlyArray<unknown>
  })

  const answerTo = Effect.fnUntraced(function* (
    holder: Effect.Success<ReturnType<typeof authenticate>>,
    request: TrackingRequest,
    { bytes, value }: Effect.Success<ReturnType<typeof readBody>>,
  ): Effect.fn.Return<TrackingAnswer, TrackingRefused> {
    const { call, headers } = request
    const messages = yield* messagesOf(call, value, limitsOf[holder.kind].messages)
    const pixel = Option.getOrUndefined(yield* pixels.hosted(holder.pixelId))
    if (pixel === undefined) return yield* wrongKey
    const accepted = { kind: holder.kind, rejected: [] }
    const hosted = collectPixelOf(pixel)
    if (!hosted.isActive) return accepted
    const isBrowser = holder.kind === "browser"
    if (isBrowser && hasOptedOut(headers["cookie"])) return accepted
    const address = isBrowser ? addressOf(request) : undefined
    const sender: Sender = {
      pixel: hosted,
      kind: holder.kind,
      isImport: call === "import",
      receivedAt: yield* Clock.currentTimeMillis,
      address,
      userAgent: headers["user-agent"],
      country:
        isBrowser && request.isProxied && request.countryHeader !== undefined
          ? readCountry(headers[request.countryHeader]) // own keys: the name comes from the configuration
          : undefined,
      secGpc: headers["sec-gpc"],
      dnt: headers["dnt"],
      gpcMode: config.gpcMode,
      storeIp: config.storeIp,
      keepsUserAgent: config.keepsUserAgent,
      companies,
      idKey,
    }
    const type = call === "batch" || call === "import" ? undefined : call
    const read = messages.map((one) => {
      const message = readMessage(one, type, value)
      return message instanceof Rejected ? message : readEvent(message, sender)
    })
    const events = read.filter((one): one is CollectedEvent => !(one instanceof Rejected))
    const rejected = read
      .flatMap((one, index) =>
        one instanceof Rejected ? [{ index, reason: one.reason, message: one.message }] : [],
      )
      .slice(0, rejectedMax)
    if (events.length === 0) return { kind: holder.kind, rejected }
    const bucket = collect.bucketOf(holder.pixelId, address)
    const outcome = yield* Effect.promise(() =>
      collect.keep({ bucket, weight: events.length, party: hosted.party, events }, bytes),
    )
    if (outcome.outcome === "stored") return { kind: holder.kind, rejected }
    return yield* new TrackingRefused({
      refusal:
        outcome.outcome === "above_rate"
          ? { code: "RATE_LIMITED", message: "This IP address sends too many messages." }
          : { code: "SERVICE_UNAVAILABLE", message: "The batch could not be stored." },
      retryAfter: outcome.retryAfterSeconds,
    })
  })

  return Effect.fn("Sources.track")(function* (
    request: TrackingRequest,
  ): Effect.fn.Return<TrackingAnswer, TrackingRefused> {
    const { headers } = request
    const named = basicUser(headers["authorization"])
    const known = named === undefined ? undefined : yield* authenticate(named)
    // Browser clients put the key in the body, which must be read first.
    if (known === undefined && headers["content-encoding"] !== undefined) return yield* wrongKey
    // Before the body is decompressed and parsed, whatever is in it.
    yield* count(subjectOf(known, request)).pipe(refusedWith(known))
    const bytesMax = limitsOf[known?.kind ?? "server"].bytes
    const body = yield* readBody(request, bytesMax).pipe(refusedWith(known))
    const holder = known ?? (yield* authenticate(keyIn(body.value)))
    if (known === undefined) {
      if (holder.kind === "server") yield* count(subjectOf(holder, request))
      const { bytes } = limitsOf[holder.kind]
      if (body.bytes > bytes) return yield* tooLarge(bytes).pipe(refusedWith(holder))
    }
    return yield* answerTo(holder, request, body).pipe(refusedWith(holder))
  })
})

/** Includes in a refusal which kind of key the request had. */
const refusedWith = (holder: { readonly kind: TrackingAnswer["kind"] } | undefined) =>
  Effect.mapError((refused: TrackingRefused) =>
    holder === undefined ? refused : new TrackingRefused({ ...refused, kind: holder.kind }),
  )

/** The user name of HTTP Basic; the password is ignored. Undefined without credentials. */
const basicUser = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined || authorization.trim() === "") return undefined
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]{1,500})$/i.exec(authorization) ?? []
  if (encoded === undefined) return ""
  return Buffer.from(encoded, "base64").toString("latin1").split(":", 1)[0]
}

const keyIn = ({ writeKey }: JsonObject): string => (typeof writeKey === "string" ? writeKey : "")

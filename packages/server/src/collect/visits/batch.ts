// Parses a batch as the browser sends it and checks every limit of spec 6.3. An unreadable or invalid batch is dropped;
// an invalid event is dropped and the others are kept. Unknown fields are ignored, because a newer script may talk to
// an older server. Hand-written, because a Schema rejects the whole where this drops a part.
import { readCustomAttribution, type CustomAttribution } from "./attribution.ts"
import { isAtMost } from "./clean-text.ts"
import type { Consent } from "./consent.ts"
import { normalizeEmail, normalizeEmailHash } from "./email-address.ts"
import { isPlaceholder } from "./placeholder.ts"
import { readTraits, type Traits } from "./traits.ts"
import { isTooDeep, unstorablePath } from "../../platform/http/json-checks.ts"

export type EventType = "page" | "identify" | "capture" | "track" | "heartbeat"
export type PropertyValue = string | number | boolean

/** One valid event. Times are epoch milliseconds by the browser's clock. */
export interface BatchEvent {
  readonly id: string
  readonly type: EventType
  readonly time: number
  readonly url: string
  readonly referrer?: string
  readonly title?: string
  readonly linkToken?: string
  readonly email?: string
  readonly emailHash?: string
  readonly traits?: Traits
  readonly name?: string
  readonly properties?: Readonly<Record<string, PropertyValue>>
  readonly activeSeconds?: number
}

export interface Batch {
  readonly sentAt: number
  readonly anonymousId: string | null
  readonly consent: Consent
  readonly gpc: boolean
  readonly dnt: boolean
  readonly debug: boolean
  readonly attribution: CustomAttribution
  /** The valid ones among at most 20 events; may be empty. */
  readonly events: ReadonlyArray<BatchEvent>
}

export const eventsPerBatchMax = 20
export const titleLengthMax = 255
export const nameLengthMax = 64
export const propertiesMax = 20
export const propertyKeyLengthMax = 64
export const propertyValueLengthMax = 255
export const activeSecondsMax = 60
export const timeZoneLengthMax = 64
/** A longer token isn't one of ours. */
export const linkTokenLengthMax = 2048

/** Parses a body; undefined when it is invalid. Never throws. */
export const readBatch = (body: Uint8Array): Batch | undefined => {
  const batch = readJson(body)
  if (!isObject(batch) || batch["v"] !== 1) return undefined
  const { anonymousId, consent, attribution, events } = batch
  const sentAt = readTime(batch["sentAt"])
  const gpc = readFlag(batch["gpc"])
  const dnt = readFlag(batch["dnt"])
  const debug = readFlag(batch["debug"])
  if (
    sentAt === undefined ||
    !(anonymousId === null || isUuid(anonymousId)) ||
    !isConsent(consent) ||
    gpc === undefined ||
    dnt === undefined ||
    debug === undefined ||
    !isOptionalText(batch["timeZone"], timeZoneLengthMax) ||
    !(attribution === undefined || isObject(attribution)) ||
    !Array.isArray(events) ||
    events.length < 1 ||
    events.length > eventsPerBatchMax
  ) {
    return undefined
  }
  return {
    sentAt,
    anonymousId:
      anonymousId === null || isPlaceholder(anonymousId) ? null : anonymousId.toLowerCase(),
    consent,
    gpc,
    dnt,
    debug,
    attribution: attribution === undefined ? {} : readCustomAttribution(attribution),
    events: events.flatMap((event: unknown) => readEvent(event) ?? []),
  }
}

const readEvent = (event: unknown): BatchEvent | undefined => {
  if (!isObject(event)) return undefined
  const { id, type, url } = event
  const time = readTime(event["time"])
  if (!isUuid(id) || time === undefined || typeof url !== "string") return undefined
  const fields = typeof type === "string" ? readFields(type, event) : undefined
  return fields && { id: id.toLowerCase(), time, url, ...fields }
}

type Fields = Omit<BatchEvent, "id" | "time" | "url">

const readFields = (type: string, event: JsonObject): Fields | undefined => {
  switch (type) {
    case "page":
      return readPage(event)
    case "identify":
    case "capture":
      return readIdentity(type, event)
    case "track": {
      const { name } = event
      const properties = readProperties(event["props"])
      if (!isText(name, nameLengthMax) || name.trim() === "" || !properties) return undefined
      return { type, name: name.trim(), properties }
    }
    case "heartbeat": {
      const seconds = event["activeSeconds"]
      if (typeof seconds !== "number" || seconds < 0 || seconds > activeSecondsMax) return undefined
      return { type, activeSeconds: Math.round(seconds) }
    }
    default:
      return undefined
  }
}

// read-events.ts reads `linkToken`; the token itself is never stored. The referrer and the token come from addresses,
// so a visitor's link can't lose the page view, however long they are.
const readPage = (event: JsonObject): Fields | undefined => {
  const { referrer, title, linkToken } = event
  const properties = readProperties(event["props"])
  if (
    !isOptionalText(referrer) ||
    !isOptionalText(title, titleLengthMax) ||
    !isOptionalText(linkToken) ||
    !properties
  ) {
    return undefined
  }
  return {
    type: "page",
    properties,
    ...(typeof referrer === "string" ? { referrer } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(isText(linkToken, linkTokenLengthMax) ? { linkToken } : {}),
  }
}

const readIdentity = (type: "identify" | "capture", event: JsonObject): Fields | undefined => {
  const { email, emailHash, traits } = event
  const hasEmail = typeof email === "string"
  const hasHash = typeof emailHash === "string"
  if (hasEmail === hasHash || (type === "capture" && hasHash)) return undefined
  if (!(traits === undefined || traits === null || isObject(traits))) return undefined
  const read = isObject(traits) && type === "identify" ? { traits: readTraits(traits) } : {}
  if (hasEmail) {
    const address = normalizeEmail(email)
    return address === undefined ? undefined : { type, email: address, ...read }
  }
  const digest = typeof emailHash === "string" ? normalizeEmailHash(emailHash) : undefined
  return digest === undefined ? undefined : { type, emailHash: digest, ...read }
}

const readProperties = (value: unknown): Record<string, PropertyValue> | undefined => {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  return entries.length <= propertiesMax && entries.every(isProperty)
    ? Object.fromEntries(entries.filter(isProperty))
    : undefined
}

export const isProperty = (entry: [string, unknown]): entry is [string, PropertyValue] =>
  isAtMost(entry[0], propertyKeyLengthMax) &&
  (Number.isFinite(entry[1]) ||
    typeof entry[1] === "boolean" ||
    isText(entry[1], propertyValueLengthMax))

export type JsonObject = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (value: unknown): value is string =>
  typeof value === "string" && uuidForm.test(value)

const isText = (value: unknown, lengthMax: number): value is string =>
  typeof value === "string" && isAtMost(value, lengthMax)

const isOptionalText = (value: unknown, lengthMax = Infinity): boolean =>
  value === undefined || value === null || isText(value, lengthMax)

const isConsent = (value: unknown): value is Consent =>
  value === "granted" || value === "implied" || value === "anonymous"

const readFlag = (value: unknown): boolean | undefined =>
  value === undefined ? false : typeof value === "boolean" ? value : undefined

// `Date.parse` alone accepts many other formats.
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
export const readTime = (value: unknown): number | undefined => {
  if (typeof value !== "string" || !timeForm.test(value)) return undefined
  // oxlint-disable-next-line no-restricted-globals -- parses a text, asks no clock
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : time
}

// Parses the body of an unauthenticated request. Rejects what later stages can't handle: invalid UTF-8, nesting deeper
// than 64, NUL characters and lone surrogates (spec 1.4). Depth is checked on the bytes before anything recursive runs.
const decoder = new TextDecoder("utf-8", { fatal: true })

/** The parsed value, or undefined when the bytes are invalid. Never throws. */
export const readJson = (bytes: Uint8Array): unknown => {
  if (isTooDeep(bytes)) return undefined
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    // Decoded text is well-formed and JSON forbids a bare NUL, so only an escape can hide either.
    return text.includes("\\u") && unstorablePath(value) !== undefined ? undefined : value
  } catch {
    return undefined
  }
}

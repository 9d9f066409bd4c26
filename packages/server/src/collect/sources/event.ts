// Converts a message into a stored event, or says why it can't (spec 15.2). The event looks like one from the pixel, so
// everything after the inbox is the same.
import { passesLists } from "@footfall/pixel/path-filter"
import { randomUUID } from "node:crypto"
import { isProperty, isUuid, propertiesMax } from "../visits/batch.ts"
import { cleanText } from "../visits/clean-text.ts"
import { userAgentLengthMax } from "../visits/collect.ts"
import type { CollectPixel } from "../visits/collect-pixel.ts"
import type { CollectedEvent, EventPayload } from "../visits/collected-event.ts"
import { type GpcMode, permissionOf } from "../visits/consent.ts"
import { type DeviceType, deviceType, isHttpLibrary } from "../visits/device.ts"
import { hashedId } from "../visits/hashed-id.ts"
import { hostStanding } from "../visits/host.ts"
import { isExcluded, readVisitorAddress, type VisitorAddress } from "../visits/network-address.ts"
import type { NetworkCompanyLookUp } from "../visits/network-companies.ts"
import { type PageUrl, readPageUrl } from "../visits/page-url.ts"
import { hasEntries, pagePayload } from "../visits/read-events.ts"
import { isConsentDenied } from "./consent.ts"
import { type Message, objectOf, Rejected, textOf } from "./message.ts"
import { companyTraits, personTraits } from "./traits.ts"

/** The context of a message. */
export interface Sender {
  readonly pixel: CollectPixel
  readonly kind: "server" | "browser"
  /** Accepts events of any age. */
  readonly isImport: boolean
  /** Epoch milliseconds by the server's clock. */
  readonly receivedAt: number
  /** The request's address; with a browser key it is the visitor's. */
  readonly address: VisitorAddress | undefined
  readonly userAgent: string | undefined
  readonly country: string | undefined
  readonly secGpc: string | undefined
  readonly dnt: string | undefined
  readonly gpcMode: GpcMode
  readonly storeIp: "truncated" | "full"
  readonly keepsUserAgent: boolean
  readonly companies: NetworkCompanyLookUp
  /** The key for hashing ids. */
  readonly idKey: string
}

/** Maximum age of an event outside an import. */ // spec 15.2.3
export const ageMaxMs = 30 * 24 * 60 * 60 * 1_000

export const readEvent = (message: Message, sender: Sender): CollectedEvent | Rejected => {
  const { pixel, receivedAt } = sender
  if (sender.kind === "browser" && message.type === "alias") {
    return new Rejected("server_key_needed", "alias needs a server key: it can't be undone.")
  }
  if (sender.kind === "browser" && message.anonymousId === undefined) {
    return (
      message.placeholder ??
      new Rejected(
        "missing_id",
        "Expected anonymousId, which every message sent with a browser key requires.",
      )
    )
  }
  const occurredAt = momentOf(message, sender)
  if (!sender.isImport && occurredAt < receivedAt - ageMaxMs) {
    return new Rejected(
      "too_old",
      "Expected a timestamp within the last 30 days. For older events, use /v1/import.",
    )
  }
  const visitor = visitorOf(message, sender)
  if (visitor instanceof Rejected) return visitor
  const page = pageOf(message, sender)
  if (page instanceof Rejected) return page
  const permission = permissionOf(
    {
      consent: isConsentDenied(message.context) ? "anonymous" : "granted",
      gpc: false,
      dnt: sender.dnt?.trim() === "1",
      secGpc: sender.secGpc,
      country: sender.country,
      gpcMode: sender.gpcMode,
    },
    pixel.settings,
  )
  const isAnonymous = permission === "anonymous" || (page !== undefined && page.isLocal)
  const isOfPerson =
    message.type !== "track" && message.type !== "page" && message.type !== "screen"
  if (permission === "refused" || (isAnonymous && isOfPerson)) {
    return new Rejected("consent", "The visitor or the pixel does not allow identification.")
  }
  const type = typeOf(message, page)
  return {
    organizationId: pixel.organizationId,
    pixelId: pixel.id,
    id: message.messageId === undefined ? randomUUID() : eventIdOf(message.messageId),
    receivedAt,
    anonymousId: isAnonymous ? null : browserOf(message, sender),
    type,
    occurredAt,
    url: page?.url.address ?? "",
    payload: {
      k: isAnonymous ? "anonymous" : "granted",
      d: visitor.device,
      ...(sender.country === undefined ? {} : { g: sender.country }),
      ...(page?.isLocal === true ? { l: 1 } : {}),
      ...(type === "page" && page !== undefined
        ? viewPayload(message, page, sender, isAnonymous)
        : {}),
      ...(type === "track" ? { n: message.name ?? message.type } : {}),
      ...(isAnonymous ? {} : personalPayload(message, visitor, sender)),
    },
  }
}

interface Page {
  readonly url: PageUrl
  readonly isLocal: boolean
}

/** Corrects the sender's clock by its offset from ours; an import's times are used as they are. */
const momentOf = ({ sentAt, timestamp }: Message, { isImport, receivedAt }: Sender): number => {
  if (timestamp === undefined) return receivedAt
  const correction = isImport || sentAt === undefined ? 0 : receivedAt - sentAt
  return Math.min(receivedAt, timestamp + correction)
}

const visitorOf = ({ context }: Message, sender: Sender) => {
  const isBrowser = sender.kind === "browser"
  const userAgent = textOf(context["userAgent"]) ?? (isBrowser ? sender.userAgent : undefined)
  const device = deviceOf(userAgent, isBrowser)
  if (device === "bot") return new Rejected("bot", "The user agent is a crawler's.")
  const named = textOf(context["ip"])
  const address = isBrowser ? sender.address : named && readVisitorAddress(named)
  if (address && isExcluded(address.address, sender.pixel.excludedIps)) {
    return new Rejected("address_excluded", "The organization excludes this network.")
  }
  return { userAgent, device, address: address || undefined }
}

/** The sender with a server key vouches for a person whose app or backend names its HTTP library. */
const deviceOf = (userAgent: string | undefined, isBrowser: boolean): DeviceType => {
  const device = deviceType(userAgent)
  const isVouchedFor = device === "bot" && !isBrowser && isHttpLibrary(userAgent ?? "")
  return isVouchedFor ? "unknown" : device
}

const pageOf = (message: Message, { kind, pixel }: Sender): Page | Rejected | undefined => {
  const url = addressOf(message, pixel)
  if (url === undefined) return undefined
  const standing = hostStanding(url.host, pixel.domain)
  if (standing !== "own" && kind === "browser") {
    return new Rejected("foreign_host", `Expected a page on ${pixel.domain}.`)
  }
  if (!passesLists(url.path, pixel.excludedPaths, pixel.includedPaths)) {
    return new Rejected("path_excluded", "The pixel does not record this path.")
  }
  return { url, isLocal: standing === "local" }
}

/** The first usable address. An app's (`capacitor:`, `file:`), a relative or an unreadable one is none. */ // spec 15.2.5
const addressOf = (
  { context, properties, type }: Message,
  { settings }: CollectPixel,
): PageUrl | undefined => {
  const shown = objectOf(context["page"])["url"]
  const given = type === "page" ? [properties["url"], shown] : [shown]
  for (const text of given) {
    const url = typeof text === "string" ? readPageUrl(text, settings.spa === "hash") : undefined
    if (url !== undefined) return url
  }
  return undefined
}

const browserOf = ({ anonymousId, type, userId }: Message, { idKey, pixel }: Sender): string =>
  type === "alias" || anonymousId === undefined
    ? userBrowserIdOf(pixel.id, userId!, idKey) // message.ts ensures that one of the two is set
    : browserIdOf(pixel.id, anonymousId, idKey)

/** Without a person or a page, the message only shows that the browser was active. */
const typeOf = (message: Message, page: Page | undefined): CollectedEvent["type"] => {
  switch (message.type) {
    case "page":
    case "screen":
      return page === undefined ? "track" : "page"
    case "track":
      return "track"
    case "identify":
      return message.email === undefined && message.userId === undefined ? "heartbeat" : "identify"
    default:
      return "heartbeat"
  }
}

const viewPayload = (
  message: Message,
  { url }: Page,
  { pixel }: Sender,
  isAnonymous: boolean,
): Partial<EventPayload> => {
  const shown = objectOf(message.context["page"])
  const referrer = textOf(message.properties["referrer"]) ?? textOf(shown["referrer"])
  const title = textOf(message.properties["title"]) ?? textOf(shown["title"]) ?? message.name
  const event = {
    ...(referrer === undefined ? {} : { referrer }),
    ...(title === undefined ? {} : { title: cleanText(title, 255) ?? "" }),
  }
  return pagePayload(event, withCampaign(url, message), pixel, isAnonymous)
}

/** The URL's own campaign parameters take precedence over `context.campaign`. */
const withCampaign = (url: PageUrl, { context }: Message): PageUrl => {
  const campaign = objectOf(context["campaign"])
  const query = new URLSearchParams(url.query)
  for (const [field, name] of [
    ["source", "utm_source"],
    ["medium", "utm_medium"],
    ["name", "utm_campaign"],
    ["term", "utm_term"],
    ["content", "utm_content"],
  ] as const) {
    const value = textOf(campaign[field])
    if (value !== undefined && !query.has(name)) query.set(name, value)
  }
  return { ...url, query }
}

const personalPayload = (
  message: Message,
  {
    address,
    userAgent,
  }: { readonly address?: VisitorAddress | undefined; readonly userAgent: string | undefined },
  sender: Sender,
): Partial<EventPayload> => {
  const { email, previousId, traits, type, userId } = message
  const { idKey, kind, pixel } = sender
  const agent = sender.keepsUserAgent ? cleanText(userAgent, userAgentLengthMax) : undefined
  const company = address && sender.companies.find(address.full)
  const properties = Object.fromEntries(
    Object.entries(message.properties).filter(isProperty).slice(0, propertiesMax),
  )
  return {
    ...(address === undefined
      ? {}
      : { i: sender.storeIp === "full" ? address.full : address.truncated }),
    ...(company === undefined ? {} : { co: company }),
    ...(agent === undefined ? {} : { ua: agent }),
    ...(email === undefined ? {} : { e: email }),
    ...(type === "identify" && userId !== undefined
      ? {
          y: userBrowserIdOf(pixel.id, userId, idKey),
          ...shownId(userId),
          ...(kind === "browser" ? { b: 1 as const } : {}),
        }
      : {}),
    ...(type === "identify" ? { p: personTraits(traits, ownIdOf(message)) } : {}),
    ...(type === "group" ? { w: 1 as const, p: companyTraits(traits) } : {}),
    // The contract does not say which kind of id it is.
    ...(previousId === undefined
      ? {}
      : {
          ...(userId === undefined ? {} : shownId(userId)),
          j: [
            browserIdOf(pixel.id, previousId, idKey),
            userBrowserIdOf(pixel.id, previousId, idKey),
          ],
        }),
    ...(hasEntries(properties) ? { o: properties } : {}),
  }
}

/** A user id that equals the email address does not count as an id. */
const ownIdOf = ({ email, userId }: Message): string | undefined =>
  userId === undefined || userId.toLowerCase() === email ? undefined : userId

/** What to call the id if it turns out to be shared. An address is not kept for that. */
const shownId = (userId: string): Partial<EventPayload> =>
  userId.includes("@") ? {} : { yt: userId }

// Maps ids of the tracking contract to ours: any text becomes a browser's UUID (spec 15.2.4). The hash is keyed,
// because a user id may be an address, and an unkeyed hash of an address can be guessed.

/** For an anonymous id: a UUID stays itself, any other text becomes its keyed hash under the pixel. */
const browserIdOf = (pixelId: string, text: string, key: string): string =>
  isUuid(text) ? text.toLowerCase() : hashedId(`${key} ${pixelId} ${text}`)

/**
 * For a user id. Never equals the result for an anonymous id: browsers choose theirs and could impersonate any user.
 */
const userBrowserIdOf = (pixelId: string, text: string, key: string): string =>
  hashedId(`user ${key} ${pixelId} ${text}`)

/** The id of an event. Repeats of a message get the same id. */ // spec 15.2.3
const eventIdOf = (messageId: string): string =>
  isUuid(messageId) ? messageId.toLowerCase() : hashedId(messageId)

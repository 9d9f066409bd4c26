// Converts a valid batch into stored events, or returns why it was dropped. Everything that depends on the pixel
// (hosts, paths, words) is decided here, so identification only needs the rows (spec 6.1 to 6.6).
import { passesLists } from "@footfall/pixel/path-filter"
import { readClickIds, readUtm } from "./attribution.ts"
import type { Batch, BatchEvent } from "./batch.ts"
import { channelOf } from "./channel.ts"
import { cleanText } from "./clean-text.ts"
import type { CollectPixel } from "./collect-pixel.ts"
import {
  type CollectedEvent,
  demoBit,
  type DropReason,
  type EventPayload,
  pricingBit,
  inactivityMs,
} from "./collected-event.ts"
import type { DeviceType } from "./device.ts"
import { hostStanding, isWithin, plainHost } from "./host.ts"
import { isIgnoredReferrer } from "./ignored-referrers.ts"
import { pageKind } from "./page-kind.ts"
import type { NetworkCompany } from "./network-companies.ts"
import { readPageUrl, readReferrer, type PageUrl, type Referrer } from "./page-url.ts"

/** What is known about the request besides its body. */
export interface Reading {
  readonly pixel: CollectPixel
  readonly receivedAt: number
  readonly device: DeviceType
  readonly country: string | undefined
  /** Undefined unless it should be stored. */
  readonly userAgent: string | undefined
  /** The address in the form that is stored. */
  readonly storedAddress: string | undefined
  /** For the full address; only called for events of an identifiable browser. */
  readonly networkCompany: () => NetworkCompany | undefined
  /** True: store no id, nothing about a person, no click id. */
  readonly isAnonymous: boolean
  /** The SHA-256 of the address in a valid mail link token. */
  readonly linkedHash: (token: string) => string | undefined
}

export type ReadEvents =
  | { readonly events: ReadonlyArray<CollectedEvent> }
  | { readonly reason: DropReason }

export const readEvents = (batch: Batch, reading: Reading): ReadEvents => {
  const events: Array<CollectedEvent> = []
  let reason: DropReason | undefined
  const named: Array<number> = []
  const namesNetwork = (at: number) => {
    if (named.some((other) => Math.abs(other - at) < inactivityMs)) return false
    named.push(at)
    return true
  }
  for (const event of batch.events) {
    const read = readOne(event, batch, reading, { isFirst: events.length === 0, namesNetwork })
    if (typeof read === "string") reason ??= read
    else events.push(read)
  }
  return events.length > 0 ? { events } : { reason: reason ?? "no_valid_event" }
}

/** An event's place in its batch. */
interface Place {
  /** No event before it is kept. */
  readonly isFirst: boolean
  /** Whether no other event of the batch names the network's company to the session of this time. */
  readonly namesNetwork: (at: number) => boolean
}

const readOne = (
  event: BatchEvent,
  batch: Batch,
  reading: Reading,
  place: Place,
): CollectedEvent | DropReason => {
  const { pixel, receivedAt } = reading
  // The script sends a fragment only in hash mode.
  const page = readPageUrl(event.url, true)
  if (page === undefined) return "no_valid_event"
  const standing = hostStanding(page.host, pixel.domain)
  if (standing === "foreign" || (standing === "local" && !batch.debug)) return "domain_mismatch"
  if (!passesLists(page.path, pixel.excludedPaths, pixel.includedPaths)) return "path_excluded"
  // A developer's machine is never identified; its events count as anonymous.
  const isAnonymous = reading.isAnonymous || batch.anonymousId === null || standing === "local"
  if (isAnonymous && (event.type === "identify" || event.type === "capture")) return "consent"
  // `off` is the strictest setting, so no tag on a page can have requested more.
  if (event.type === "capture" && pixel.settings.emailCapture === "off") return "consent"
  const at = occurredAt({ time: event.time, sentAt: batch.sentAt, receivedAt })
  const company = !isAnonymous && place.namesNetwork(at) ? reading.networkCompany() : undefined
  return {
    organizationId: pixel.organizationId,
    pixelId: pixel.id,
    id: event.id,
    receivedAt,
    anonymousId: isAnonymous ? null : batch.anonymousId,
    type: event.type,
    occurredAt: at,
    url: page.address,
    payload: {
      k: batch.consent,
      d: reading.device,
      ...(reading.country === undefined ? {} : { g: reading.country }),
      ...(standing === "local" ? { l: 1 } : {}),
      ...(event.type === "page" ? pagePayload(event, page, pixel, isAnonymous) : {}),
      ...(event.name === undefined ? {} : { n: event.name }),
      ...(event.activeSeconds === undefined ? {} : { s: event.activeSeconds }),
      ...(company === undefined ? {} : { co: company }),
      ...(isAnonymous ? {} : personalPayload(event, batch, reading, place.isFirst)),
    },
  }
}

export const pagePayload = (
  event: Pick<BatchEvent, "referrer" | "title">,
  page: PageUrl,
  pixel: CollectPixel,
  isAnonymous: boolean,
): Partial<EventPayload> => {
  const utm = readUtm(page.query)
  const clickIds = readClickIds(page.query)
  const referrer = externalReferrer(event.referrer, page, pixel)
  const channel = channelOf({
    utm,
    clickIds,
    referrerHost: referrer === undefined ? undefined : plainHost(referrer.host),
    referrerPath: referrer?.path,
  })
  const kind = pageKind(page.path, pixel.settings)
  const q = (kind.isPricing ? pricingBit : 0) + (kind.isDemo ? demoBit : 0)
  const title = cleanText(event.title, event.title?.length ?? 0)
  return {
    ...(referrer === undefined ? {} : { r: referrer.address }),
    ...(title === undefined ? {} : { t: title }),
    ...(hasEntries(utm) ? { u: utm } : {}),
    ...(!isAnonymous && hasEntries(clickIds) ? { c: clickIds } : {}),
    ...(channel === "direct" ? {} : { ch: channel }),
    ...(q === 0 ? {} : { q }),
  }
}

const personalPayload = (
  event: BatchEvent,
  batch: Batch,
  reading: Reading,
  isFirst: boolean,
): Partial<EventPayload> => {
  const linkedHash = event.linkToken === undefined ? undefined : reading.linkedHash(event.linkToken)
  return {
    ...(reading.storedAddress === undefined ? {} : { i: reading.storedAddress }),
    ...(isFirst && reading.userAgent !== undefined ? { ua: reading.userAgent } : {}),
    ...(isFirst && hasEntries(batch.attribution) ? { a: batch.attribution } : {}),
    ...(event.email === undefined ? {} : { e: event.email }),
    ...(event.emailHash === undefined ? {} : { h: event.emailHash }),
    ...(linkedHash === undefined ? {} : { h: linkedHash }),
    ...(event.traits === undefined || !hasEntries(event.traits) ? {} : { p: event.traits }),
    ...(event.properties === undefined || !hasEntries(event.properties)
      ? {}
      : { o: event.properties }),
  }
}

// The site's own domain and subdomains are not referrers, and neither are the services that only send people back (spec
// 6.5.5, 6.5.7).
const externalReferrer = (
  referrer: string | undefined,
  page: PageUrl,
  pixel: CollectPixel,
): Referrer | undefined => {
  const from = referrer === undefined ? undefined : readReferrer(referrer)
  return from === undefined ||
    isWithin(from.host, pixel.domain) ||
    from.host === page.host ||
    isIgnoredReferrer(from.host, pixel.settings.ignoredReferrers)
    ? undefined
    : from
}

export const hasEntries = (value: object): boolean => {
  for (const _ in value) return true
  return false
}

// When an event happened by the server's clock: the browser's time, corrected by its offset from the server's clock at
// sending, limited to the 24 hours before receipt (spec 6.3). All values are epoch milliseconds.
export const lateMaxMs = 24 * 60 * 60 * 1_000

export interface BrowserTimes {
  /** Browser's clock at the event. */
  readonly time: number
  /** Browser's clock at sending. */
  readonly sentAt: number
  /** Server's clock at receipt. */
  readonly receivedAt: number
}

export const occurredAt = ({ time, sentAt, receivedAt }: BrowserTimes): number =>
  Math.min(receivedAt, Math.max(receivedAt - lateMaxMs, time + receivedAt - sentAt))

// The events of a record, which look like those of a browser, so that everything after the inbox is the same (spec
// 15.3.7). Each person and each company has a browser of its own per pixel: no other visit is ever joined with it.
import { passesLists } from "@footfall/pixel/path-filter"
import type { CollectPixel } from "../visits/collect-pixel.ts"
import type { CollectedEvent, EventPayload } from "../visits/collected-event.ts"
import { permissionOf } from "../visits/consent.ts"
import { emailHashOf } from "../visits/email-address.ts"
import { hashedId } from "../visits/hashed-id.ts"
import { hostStanding } from "../visits/host.ts"
import { type PageUrl, readPageUrl } from "../visits/page-url.ts"
import { pagePayload } from "../visits/read-events.ts"
import type { InboundSource } from "./inbound-source.ts"
import type { InboundRecord } from "./record.ts"

export interface RecordContext {
  readonly source: InboundSource
  readonly pixel: CollectPixel
  /** When the request arrived, which is when a visit without a time was. Epoch milliseconds, as `now`. */
  readonly arrivedAt: number
  readonly now: number
  /** Null keeps everything. */
  readonly retentionDays: number | null
  /** Tells the record from every other of its source. */
  readonly key: string
  /** The key for hashing ids. */
  readonly idKey: string
  /** True: its visit was taken before, as one of the company. */
  readonly isVisitTaken: boolean
}

const dayMs = 24 * 60 * 60 * 1_000

/** Undefined: consent or an excluded path drops the record. */
export const eventsOf = (
  record: InboundRecord,
  context: RecordContext,
): ReadonlyArray<CollectedEvent> | undefined => {
  const { pixel, source } = context
  if (!isAllowed(source, pixel)) return undefined
  const page =
    record.url === undefined ? undefined : readPageUrl(record.url, pixel.settings.spa === "hash")
  const isOwn = page !== undefined && hostStanding(page.host, pixel.domain) === "own"
  if (isOwn && !passesLists(page.path, pixel.excludedPaths, pixel.includedPaths)) return undefined
  const visit = { record, context, page: isOwn ? page : undefined }
  return record.kind === "person" ? personEvents(visit) : companyEvents(visit)
}

const isAllowed = (source: InboundSource, pixel: CollectPixel): boolean => {
  if (source.consent === "pixel" && pixel.settings.consent !== "granted") return false
  const signals = { gpc: false, dnt: false, secGpc: undefined, country: undefined } as const
  return (
    permissionOf({ consent: "granted", gpcMode: "ignore", ...signals }, pixel.settings) ===
    "identified"
  )
}

interface Visit {
  readonly record: InboundRecord
  readonly context: RecordContext
  readonly page: PageUrl | undefined
}

const personEvents = ({ context, page, record }: Visit): ReadonlyArray<CollectedEvent> => {
  const { source } = context
  const emailHash = record.email === undefined ? record.emailHash! : emailHashOf(record.email) // one of the two
  const at = timeOf(record, context)
  const browser = browserOf("person", emailHash, context)
  const identify = eventOf(context, browser, {
    kind: "identify",
    at: at ?? context.now,
    payload: {
      ...(record.email === undefined ? { h: emailHash } : { e: record.email }),
      p: record.traits,
      v: [source.id, source.name],
    },
  })
  if (at === undefined || context.isVisitTaken) return [identify]
  const visit = visitEvents({ context, page, record }, browser, at, { v: [source.id, source.name] })
  return [identify, ...visit]
}

const companyEvents = ({ context, page, record }: Visit): ReadonlyArray<CollectedEvent> => {
  const domain = record.companyDomain!
  const { traits } = record
  const browser = browserOf("company", domain, context)
  const company = {
    domain,
    ...(traits.companyName === undefined ? {} : { name: traits.companyName }),
    ...(traits.industry === undefined ? {} : { industry: traits.industry }),
    ...(traits.employeeCount === undefined ? {} : { employeeCount: traits.employeeCount }),
    ...(traits.revenueRange === undefined ? {} : { revenueRange: traits.revenueRange }),
    ...(traits.zipCode === undefined ? {} : { zipCode: traits.zipCode }),
    ...(traits.city === undefined ? {} : { city: traits.city }),
    ...(traits.state === undefined ? {} : { state: traits.state }),
    ...(traits.country === undefined ? {} : { country: traits.country }),
  }
  const at = timeOf(record, context)
  const { source } = context
  const known = { co: company, v: [source.id, source.name] } as const
  const visit = at === undefined ? [] : visitEvents({ context, page, record }, browser, at, known)
  if (visit.length > 0) return visit
  return [eventOf(context, browser, { kind: "heartbeat", at: at ?? context.now, payload: known })]
}

const visitEvents = (
  { context, page, record }: Visit,
  browser: string,
  at: number,
  payload: Partial<EventPayload>,
): ReadonlyArray<CollectedEvent> => {
  const { pixel } = context
  if (record.eventName !== undefined) {
    const named = { ...payload, n: record.eventName }
    return [eventOf(context, browser, { kind: "track", at, page, payload: named })]
  }
  if (page === undefined) return []
  const { referrer } = record
  const shown = pagePayload(referrer === undefined ? {} : { referrer }, page, pixel, false)
  return [eventOf(context, browser, { kind: "page", at, page, payload: { ...payload, ...shown } })]
}

/** When the visit was; undefined if it is older than what the organization keeps. A future time is now. */
const timeOf = (
  { at }: InboundRecord,
  { arrivedAt, now, retentionDays }: RecordContext,
): number | undefined => {
  const time = at === undefined || at > arrivedAt ? arrivedAt : at
  return retentionDays !== null && time < now - retentionDays * dayMs ? undefined : time
}

const browserOf = (kind: string, who: string, { idKey, pixel }: RecordContext): string =>
  hashedId(`inbound ${kind} ${idKey} ${pixel.id} ${who}`)

const eventOf = (
  { idKey, key, now, pixel, source }: RecordContext,
  browser: string,
  event: {
    readonly kind: CollectedEvent["type"]
    readonly at: number
    readonly page?: PageUrl | undefined
    readonly payload: Partial<EventPayload>
  },
): CollectedEvent => ({
  organizationId: pixel.organizationId,
  pixelId: pixel.id,
  id: hashedId(`inbound ${idKey} ${source.id} ${key} ${event.kind}`),
  receivedAt: now,
  anonymousId: browser,
  type: event.kind,
  occurredAt: event.at,
  url: event.page?.address ?? "",
  payload: {
    k: "granted",
    d: "unknown",
    ...event.payload,
  },
})

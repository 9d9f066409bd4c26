// One event as it waits for the identification pass: the row of `event_inbox` and `event`, and the one
// place that explains the compact keys of `payload`. Nothing here holds a query, a fragment, a whole
// network address (unless STORE_IP is `full`) or, in an anonymous event, anything of a person.
import type { ClickIds, CustomAttribution, Utm } from "./attribution.ts"
import type { EventType, PropertyValue } from "./batch.ts"
import type { Channel } from "./channel.ts"
import type { Consent } from "./consent.ts"
import type { DeviceType } from "./device.ts"
import type { NetworkCompany } from "./network-companies.ts"
import type { Traits } from "./traits.ts"

export interface CollectedEvent {
  readonly organizationId: string
  readonly pixelId: string
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** Null: counted anonymously; such an event has no session and no person. */
  readonly anonymousId: string | null
  readonly type: EventType
  /** Epoch milliseconds by the server's clock, within the 24 hours before receipt. */
  readonly occurredAt: number
  /** Origin and path; empty: an event without a page. */ // spec 15.2.5
  readonly url: string
  readonly payload: EventPayload
}

/** Short names, because every event carries them; an absent key means none. */
export interface EventPayload {
  /** Consent the batch was sent under. */
  readonly k: Consent
  /** Device type. */
  readonly d: DeviceType
  /** Country, ISO 3166-1 alpha-2. */
  readonly g?: string
  /** Network address, truncated unless STORE_IP is `full`. */
  readonly i?: string
  /** Company of the network; in the first stored event of a batch, and only until identification. */
  readonly co?: NetworkCompany
  /** User agent; kept in the first stored event of a batch, and only for resolvers. */
  readonly ua?: string
  /** 1: a developer's machine that is not the pixel's own host. */
  readonly l?: 1
  /** Custom attribution; stands in the first stored event of a batch. */
  readonly a?: CustomAttribution
  /** Page: external referrer, origin and path. */
  readonly r?: string
  /** Page: title. */
  readonly t?: string
  /** Page: UTM values. */
  readonly u?: Utm
  /** Page: click ids by parameter. */
  readonly c?: ClickIds
  /** Page: channel; absent when direct. */
  readonly ch?: Channel
  /** Page: kind, the sum of 1 (pricing) and 2 (demo). */
  readonly q?: number
  /** Identify, capture: normalized email. */
  readonly e?: string
  /** SHA-256 of the email. Identify: when the email itself was not given. Page: of a mail link. */
  readonly h?: string
  /** Identify: traits. */
  readonly p?: Traits
  /** 1: named someone who was erased; who, and what was said of them, is not kept. */
  readonly x?: 1
  /** Track: name. */
  readonly n?: string
  /** Track, page: properties. */
  readonly o?: Readonly<Record<string, PropertyValue>>
  /** Heartbeat: active seconds. */
  readonly s?: number
  /** Of a source: the browser id of the own user id that was named with the person. */ // spec 15.2.2
  readonly y?: string
  /** Of a source, 1: a browser key named the user id, which replaces nothing that a server key named. */
  readonly b?: 1
  /** Of a source, 1: the traits are of the company of whoever has the browser. */ // spec 15.2.6
  readonly w?: 1
  /** Of a source: other browser ids whose histories are this one's. */ // spec 15.2.6
  readonly j?: ReadonlyArray<string>
}

export const pricingBit = 1
export const demoBit = 2

// Why a batch was dropped on purpose. The pixel host still answers 204 and never says so; the
// reasons are counted for the operator (spec 6.1, 6.3).
export type DropReason =
  | "pixel_unknown"
  | "pixel_inactive"
  | "unreadable"
  | "opted_out"
  | "consent"
  | "bot"
  | "address_excluded"
  | "domain_mismatch"
  | "path_excluded"
  | "no_valid_event"
  | "above_rate"

// An event waiting for identification: the row of `event_inbox` and `event`, and the one place that explains the short
// keys of `payload`. It never contains a query, a fragment, a full network address (unless STORE_IP is `full`) or, for
// anonymous events, anything about a person.
import type { ClickIds, CustomAttribution, Utm } from "./attribution.ts"
import type { EventType, PropertyValue } from "./batch.ts"
import type { Channel } from "./channel.ts"
import type { Consent } from "./consent.ts"
import type { DeviceType } from "./device.ts"
import type { NetworkCompany } from "./network-companies.ts"
import type { Traits } from "./traits.ts"

/** A pause of this length ends a session. */ // spec 2.2
export const inactivityMs = 30 * 60 * 1_000

export interface CollectedEvent {
  readonly organizationId: string
  readonly pixelId: string
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** Null: counted anonymously, without a session or a person. */
  readonly anonymousId: string | null
  readonly type: EventType
  /** Epoch milliseconds by the server's clock, within the 24 hours before receipt. */
  readonly occurredAt: number
  /** Origin and path; empty for an event without a page. */ // spec 15.2.5
  readonly url: string
  readonly payload: EventPayload
}

/** Names are short because every event carries them. A missing key means no value. */
export interface EventPayload {
  /** Consent the batch was sent with. */
  readonly k: Consent
  /** Device type. */
  readonly d: DeviceType
  /** Country, ISO 3166-1 alpha-2. */
  readonly g?: string
  /** Network address, truncated unless STORE_IP is `full`. */
  readonly i?: string
  /** Company of the network; only in one event of each session in a batch, and only until identification. */
  readonly co?: NetworkCompany
  /** User agent; only in the first stored event of a batch, and only for resolvers. */
  readonly ua?: string
  /** 1: a developer's machine that is not the pixel's own host. */
  readonly l?: 1
  /** Custom attribution; only in the first stored event of a batch. */
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
  /** SHA-256 of the email. Identify: if only the hash was given. Page: from a mail link. */
  readonly h?: string
  /** Identify: traits. */
  readonly p?: Traits
  /** 1: identified someone who was erased; neither the address nor the traits are kept. */
  readonly x?: 1
  /** Track: name. */
  readonly n?: string
  /** Track, page: properties. */
  readonly o?: Readonly<Record<string, PropertyValue>>
  /** Heartbeat: active seconds. */
  readonly s?: number
  /** From a source: the browser id of the user id that was sent with the person. */ // spec 15.2.2
  readonly y?: string
  /** From a source, 1: a browser key sent the user id, which never replaces one that a server key sent. */
  readonly b?: 1
  /** From a source: the user id of `y` or `j` as it was sent; only until identification. */ // spec 15.2.12
  readonly yt?: string
  /** From a vendor: the inbound source, by its id and name. The traits are then the vendor's. */ // spec 15.3.9
  readonly v?: readonly [id: string, name: string]
  /** From a source, 1: the traits describe the company of the browser's person. */ // spec 15.2.6
  readonly w?: 1
  /** From a source: other browser ids whose histories belong to this one. */ // spec 15.2.6
  readonly j?: ReadonlyArray<string>
}

export const pricingBit = 1
export const demoBit = 2

// Why a batch was dropped on purpose. The pixel host still answers 204 and never says why; operators see the reasons in
// metrics (spec 6.1, 6.3).
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

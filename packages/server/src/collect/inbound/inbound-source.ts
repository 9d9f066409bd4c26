// An inbound source: where a vendor of identification, a form or a calendar sends what it knows (spec 15.3).
import type { Mapping } from "./mapping.ts"

/** Maximum inbound sources of an organization. */ // spec 10.3
export const inboundSourcesMax = 20
/** Maximum size of a request. Units: bytes. */ // spec 15.3.3
export const bodyBytesMax = 1024 * 1024
/** Maximum records of a request. */ // spec 15.3.3
export const recordsMax = 500
/** How long a record counts once, and how long the history is kept. Units: days. */ // spec 15.3.8, 15.3.10
export const keptDays = 7
/** How long a body without an address is kept. Units: hours. */ // spec 15.3.10
export const bodyWithoutAddressHours = 24
/** Requests in the history. */ // spec 15.3.10
export const historyMax = 200
/** How long the former signing secret is good after a change. Units: hours. */ // spec 15.3.4
export const formerSecretHours = 24
/** How long the former URL works if a rotation doesn't say. Units: hours. */ // spec 15.3.1
export const graceHoursDefault = 24
export const graceHoursMax = 72

export const presets = ["rb2b", "typeform", "tally", "calcom", "calendly", "generic"] as const
export type Preset = (typeof presets)[number]

export const inboundStatuses = ["active", "paused"] as const
export type InboundStatus = (typeof inboundStatuses)[number]

/** `vouched`: the vendor has asked for consent. `pixel`: only where the pixel's own consent is `granted`. */
export const inboundConsents = ["vouched", "pixel"] as const
export type InboundConsent = (typeof inboundConsents)[number]

/** What a request's records need to know about their source, also without Postgres. */
export interface InboundSource {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly pixelId: string
  readonly preset: Preset
  readonly mapping: Mapping | null
  readonly consent: InboundConsent
  readonly status: InboundStatus
}

// Where vendors, forms and calendars send what they know. spec 15.3 and 5.22
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"

/** `footfall.inbound`. Accepts an API key or an access token. A viewer's token can only read. */
export class InboundSources {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns every inbound source of the organization, newest first. */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<Inbound>> {
    return this.#transport.get("/v1/data/inbound", { credentials: "either", options })
  }

  /**
   * Creates a URL to which a vendor of identification, a form or a calendar sends. The URL is only in this response.
   * Whoever has it can send, so treat it as a password. An organization has at most 20 sources. Errors:
   * BadRequestError, NotFoundError.
   */
  create(params: InboundCreateParams, options: CreateOptions = {}): ApiCall<InboundWithUrl> {
    return this.#transport.create("/v1/data/inbound", {
      body: params,
      credentials: "either",
      secrets: [params.signingSecret],
      options,
    })
  }

  /**
   * Returns what the records of a sample would become: their kind and fields, or why they would be rejected. Nothing
   * is kept. Errors: BadRequestError.
   */
  test(params: InboundSample, options: RequestOptions = {}): ApiCall<InboundTest> {
    return this.#transport.post("/v1/data/inbound/test", {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /** Returns one inbound source. Errors: NotFoundError. */
  get(inboundId: string, options: RequestOptions = {}): ApiCall<Inbound> {
    return this.#transport.get(path`/v1/data/inbound/${inboundId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Changes a source. A paused source answers requests and keeps nothing. After a change of the signing secret the
   * former one is good for 24 hours. Errors: BadRequestError, NotFoundError.
   */
  update(
    inboundId: string,
    params: InboundUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Inbound> {
    return this.#transport.patch(path`/v1/data/inbound/${inboundId}`, {
      body: params,
      credentials: "either",
      secrets: [params.signingSecret],
      options,
    })
  }

  /** Deletes a source with its history. Its URL stops working. The visits that it brought stay. Errors: NotFoundError. */
  delete(inboundId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/inbound/${inboundId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Makes a new URL, which is only in this response. The former one works for `graceHours` more. Errors:
   * BadRequestError, NotFoundError.
   */
  rotate(
    inboundId: string,
    params: InboundRotation = {},
    options: RequestOptions = {},
  ): ApiCall<InboundWithUrl> {
    return this.#transport.post(path`/v1/data/inbound/${inboundId}/rotate`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Returns the newest 200 requests of the last 7 days, and how many of their records became what. It names no one.
   * Errors: NotFoundError.
   */
  history(inboundId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<InboundRequest>> {
    return this.#transport.get(path`/v1/data/inbound/${inboundId}/history`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Maps the records of a request again that were rejected or had no address, for example after a change of the
   * mapping. What was taken is not taken twice. Errors: NotFoundError.
   */
  runAgain(
    inboundId: string,
    requestId: string,
    options: RequestOptions = {},
  ): ApiCall<InboundRequest> {
    return this.#transport.post(path`/v1/data/inbound/${inboundId}/history/${requestId}/run`, {
      credentials: "either",
      options,
    })
  }
}

/** Where a vendor, a form or a calendar sends. */
export interface Inbound {
  /** Id of the source. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name of the source. */
  readonly name: string
  /** The site that the visits are of. */
  readonly pixelId: string
  /** Who sends. */
  readonly preset: InboundPreset
  /** How records become fields; null if the preset alone says so. */
  readonly mapping: InboundMapping | null
  /**
   * `vouched`: the vendor has asked for consent. `pixel`: records pass only where the pixel's own consent is
   * `granted`.
   */
  readonly consent: InboundConsent
  /** `paused`: requests are answered, and nothing is kept. */
  readonly status: InboundStatus
  /** The last characters of the URL. */
  readonly last4: string
  /** Whether requests must be signed. */
  readonly isSigned: boolean
  /** Until when the URL before the last rotation works; null if it no longer does. */
  readonly formerUrlUntil: string | null
  /** When records last arrived, to about 10 seconds; null before the first. */
  readonly lastRequestAt: string | null
  /** When the source was created. */
  readonly createdAt: string
  /** When the source was last changed. */
  readonly updatedAt: string
}

/** A new inbound source. */
export interface InboundCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** The site that the visits are of. */
  readonly pixelId: string
  /** Who sends. It never changes. */
  readonly preset: InboundPreset
  /** How records become fields. It replaces fields of the preset. Required for `generic`. */
  readonly mapping?: InboundMappingCreateParams | null | undefined
  /** The secret with which the vendor signs, 1 to 255 characters. Stored encrypted, and never shown. Null removes it. */
  readonly signingSecret?: string | null | undefined
  /**
   * `vouched`: the vendor has asked for consent. `pixel`: records pass only where the pixel's own consent is
   * `granted`.
   */
  readonly consent?: InboundConsent | undefined
  /** `paused` answers requests and keeps nothing. */
  readonly status?: InboundStatus | undefined
}

export interface InboundWithUrl {
  /** The source. */
  readonly inbound: Inbound
  /** Where to send. Only in this response. */
  readonly url: string
}

/** A mapping, and a sample of what the vendor sends. */
export interface InboundSample {
  /** Who sends. It never changes. */
  readonly preset: InboundPreset
  /** How records become fields. It replaces fields of the preset. Required for `generic`. */
  readonly mapping?: InboundMappingCreateParams | null | undefined
  /** A body as the vendor sends it. */
  readonly sample: unknown
}

export interface InboundTest {
  /** What would be taken. */
  readonly records: ReadonlyArray<{
    /** What the record is about. */
    readonly kind: InboundRecordKind
    /** The values by field. */
    readonly fields: Readonly<Record<string, string | number>>
  }>
  /** What would be rejected. */
  readonly rejected: ReadonlyArray<{
    /** Position of the record, from 0. */
    readonly index: number
    /** Why, as a word. */
    readonly reason: string
    /** Why, as a sentence. */
    readonly message: string
  }>
}

/** What to change. Absent fields stay as they are. */
export interface InboundUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** The site that the visits are of. */
  readonly pixelId?: string | undefined
  /** How records become fields. It replaces fields of the preset. Required for `generic`. */
  readonly mapping?: InboundMappingCreateParams | null | undefined
  /** The secret with which the vendor signs, 1 to 255 characters. Stored encrypted, and never shown. Null removes it. */
  readonly signingSecret?: string | null | undefined
  /**
   * `vouched`: the vendor has asked for consent. `pixel`: records pass only where the pixel's own consent is
   * `granted`.
   */
  readonly consent?: InboundConsent | undefined
  /** `paused` answers requests and keeps nothing. */
  readonly status?: InboundStatus | undefined
}

/** How long the former URL works. */
export interface InboundRotation {
  /** Hours that the former URL works. From 0 to 72. */
  readonly graceHours?: number | undefined
}

/** A request of a vendor. */
export interface InboundRequest {
  /** Id of the request. */
  readonly id: string
  /** When it arrived. */
  readonly receivedAt: string
  /** Records in it. */
  readonly records: number
  /** How many of them became what. Empty once an erasure has deleted them. */
  readonly outcomes: ReadonlyArray<{
    /**
     * `person`, `company`: taken as a visit. `repeated`: taken before. `rejected`: unusable. `dropped`: suppressed,
     * erased, without consent, or of an excluded path.
     */
    readonly outcome: InboundOutcome
    /** Why records were rejected; otherwise null. */
    readonly reason: string | null
    /** How many records. */
    readonly records: number
  }>
}

/** Who sends. */
export type InboundPreset = "rb2b" | "typeform" | "tally" | "calcom" | "calendly" | "generic"

/** How records become fields. */
export interface InboundMapping {
  /** What a record is about. */
  readonly kind: InboundRecordKind
  /** Where the records are in the body. */
  readonly each?: string
  /** For each field a path in the record, or `=` and a text. */
  readonly fields: Readonly<Record<string, string>>
}

/** Who has asked for consent. */
export type InboundConsent = "vouched" | "pixel"

/** Whether what is sent is kept. */
export type InboundStatus = "active" | "paused"

/** How records become fields. */
export interface InboundMappingCreateParams {
  /** What a record is about. A record of `person` without an address becomes a visit of its company. */
  readonly kind: InboundRecordKind
  /** Where the records are in the body, such as `$.data[*]`. Default: the body is the record. */
  readonly each?: string | undefined
  /** For each field a path in the record, such as `$.contact["E-mail"]`, or `=` and a text. */
  readonly fields: Readonly<Record<string, string>>
}

/** What a record is about. */
export type InboundRecordKind = "person" | "company"

/** What became of a record. */
export type InboundOutcome = "person" | "company" | "repeated" | "rejected" | "dropped"

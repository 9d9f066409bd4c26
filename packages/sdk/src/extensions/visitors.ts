// Visitors: the look-up of one by an address, which shares its route with the list, and `sessions`, which is a function
// with a call of its own. spec 5.1

import type { ApiCall } from "../core/api-call.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { Visitors as Calls, type Visitor, type VisitorWithJourney } from "../resources/visitors.ts"
import { VisitorSessions } from "../resources/visitor-sessions.ts"
import type { PixelScope, SuppressedFilter, Timeframe } from "./common.ts"

/** `footfall.visitors`. Needs an API key. */
export class Visitors extends Calls {
  /** Lists a visitor's sessions. `sessions.events` lists what they did in one. */
  readonly sessions: SessionCalls
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
    const calls = new VisitorSessions(transport)
    this.sessions = Object.assign(calls.list.bind(calls), { events: calls.events.bind(calls) })
  }

  /**
   * Gets a visitor and their journey, by any of their email addresses or its SHA-256 (`emailHash`). Errors: TypeError
   * (empty address, before anything is sent), NotFoundError (never identified, held back, erased, or outside the
   * window, scope or filter).
   */
  get(params: VisitorGetParams, options: RequestOptions = {}): ApiCall<VisitorWithJourney> {
    return this.#transport.requestData(() => {
      // Without an address, the same route returns a list.
      if (params.email.trim() === "") throw new TypeError("email must not be empty")
      const query = { ...params }
      return { method: "GET", path: "/v1/data", query, credentials: "apiKey", options }
    })
  }

  /**
   * A ZIP file with everything kept about a person: `manifest.json`, and one file for each kind of data. Needs the access
   * token of an admin or owner. `visitorId` is the SHA-256 of any of their addresses. Errors: NotFoundError (unknown or
   * erased), PermissionError.
   */
  archive(visitorId: string, options: RequestOptions = {}): ApiCall<ByteStream> {
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/data/visitors/${visitorId}/archive`,
      accept: "application/zip",
      credentials: "accessToken",
      options,
    })
  }
}

/** `footfall.visitors.sessions`. */
export type SessionCalls = VisitorSessions["list"] & Pick<VisitorSessions, "events">

/** Email address, window, scope and filter of a lookup. */
export type VisitorGetParams = PixelScope & {
  /** Any of the person's known email addresses, or its SHA-256 in hex (`emailHash`). Must not be empty. */
  readonly email: string
  /** Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Default `include`. If the filter excludes the person, the call throws a NotFoundError. */
  readonly suppressed?: SuppressedFilter | undefined
}

/** Older names of the same values. They stay for all of /v1. Use the current names in new code. */
export type LegacyVisitorFields = Pick<
  Visitor,
  | "allEmails"
  | "primaryPhone"
  | "allPhones"
  | "phonesDNC"
  | "company"
  | "companyZip"
  | "companySize"
  | "companyRevenue"
  | "companyIndustry"
  | "firstSeen"
  | "lastSeen"
  | "msclkid"
  | "liFatId"
  | "gbraid"
  | "wbraid"
>

// What visits add up to, day by day. spec 13.3

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Timeframe } from "./common.ts"
import type { PixelScope } from "./visitors.ts"

/** `footfall.overview`. Needs an API key. */
export class Overviews {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Gets the figures of every day of a window, their totals, and the totals of the window before.
   * They are a few seconds behind the events.
   * Errors: NotFoundError (unknown `pixelId`).
   */
  get(params: OverviewParams = {}, options: RequestOptions = {}): ApiCall<Overview> {
    return this.#transport.get("/v1/data/overview", {
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }
}

/** Window and scope of an overview. */
export type OverviewParams = PixelScope & {
  /** The UTC days that end with today; default `30d`. `24h` is today. */
  readonly timeframe?: Exclude<Timeframe, "all"> | undefined
}

/** The figures of a day or of a window. People and companies of a window count once. */
export interface OverviewFigures {
  /** Sessions that began. */
  readonly sessions: number
  readonly anonymousSessions: number
  readonly pageviews: number
  /** Identified people, without suppressed ones. */
  readonly people: number
  /** People seen for the first time. */
  readonly newPeople: number
  readonly suppressedPeople: number
  readonly companies: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
}

/** The figures of a day. */
export interface OverviewDay extends OverviewFigures {
  /** UTC, `YYYY-MM-DD`. */
  readonly date: string
}

/** A window and the one before it. */
export interface Overview {
  /** Every day, oldest first. */
  readonly days: ReadonlyArray<OverviewDay>
  readonly totals: OverviewFigures
  /** Of the window before. */
  readonly previous: OverviewFigures
}

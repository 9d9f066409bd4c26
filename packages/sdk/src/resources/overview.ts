// Daily totals of visits and visitors. spec 13.3

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Timeframe } from "./common.ts"
import type { PixelScope, SuppressedFilter } from "./visitors.ts"

/** `footfall.overview`. Needs an API key. */
export class Overviews {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Gets daily figures for a window, their totals, and the totals of the previous window. They lag a few seconds behind
   * the events. Errors: NotFoundError (unknown `pixelId`).
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
  /** UTC days up to and including today. Default `30d`. `24h` is today. */
  readonly timeframe?: Exclude<Timeframe, "all"> | undefined
  /**
   * Default `exclude`: does not count suppressed people and companies, nor their sessions. `only` counts what `exclude`
   * leaves out.
   */
  readonly suppressed?: SuppressedFilter | undefined
}

/** The figures of a day or a window. A window counts each person and company once. */
export interface OverviewFigures {
  /** Sessions that started. */
  readonly sessions: number
  readonly anonymousSessions: number
  readonly pageviews: number
  /** Identified people. */
  readonly people: number
  /** People seen for the first time. */
  readonly newPeople: number
  /** Suppressed people, whatever `suppressed` says. */
  readonly suppressedPeople: number
  readonly companies: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
}

/** The figures of one day. */
export interface OverviewDay extends OverviewFigures {
  /** UTC, `YYYY-MM-DD`. */
  readonly date: string
}

/** A window, and the one before it. */
export interface Overview {
  /** What the figures include. */
  readonly suppressed: SuppressedFilter
  /** Every day, oldest first. */
  readonly days: ReadonlyArray<OverviewDay>
  readonly totals: OverviewFigures
  /** Totals of the previous window. */
  readonly previous: OverviewFigures
}

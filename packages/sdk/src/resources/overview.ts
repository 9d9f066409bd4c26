// Figures of visits and visitors, by day or by hour. spec 13.3

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
   * Gets the figures of a period by day, or by hour for `24h`, their totals, and the totals of the period before. Those
   * by day lag a few seconds behind the events. Errors: NotFoundError (unknown `pixelId`).
   */
  get(params: OverviewParams = {}, options: RequestOptions = {}): ApiCall<Overview> {
    return this.#transport.get("/v1/data/overview", {
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }
}

/** Period and scope of an overview. */
export type OverviewParams = PixelScope & {
  /**
   * Days of the organization's time zone up to and including today. Default `30d`. `24h` is the last 24 hours, by hour.
   */
  readonly timeframe?: Exclude<Timeframe, "all"> | undefined
  /** First day, `YYYY-MM-DD`, at most 365 days ago. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, `YYYY-MM-DD`, at most 365 days after `from`. Default: today. */
  readonly to?: string | undefined
  /** Also returns the period right before (`previous`), or the same dates a year before (`year`). */
  readonly compare?: "previous" | "year" | undefined
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
  /** `YYYY-MM-DD`, in the organization's time zone. */
  readonly date: string
}

/** The figures of one hour on the clocks of the organization's time zone. */
export interface OverviewHour extends OverviewFigures {
  /** When the hour began. The first and the last one of 24 hours count only their part of them. */
  readonly startsAt: string
}

/** The figures of a period. */
export interface OverviewComparison {
  /** Every day, oldest first. Empty for `24h`. */
  readonly days: ReadonlyArray<OverviewDay>
  /** Every hour of `24h`, oldest first. Empty for any other period. */
  readonly hours: ReadonlyArray<OverviewHour>
  readonly totals: OverviewFigures
}

/** A period, and another one to compare it with. */
export interface Overview extends OverviewComparison {
  /** What the figures include. */
  readonly suppressed: SuppressedFilter
  /** The organization's time zone. */
  readonly timeZone: string
  /** Totals of the period right before. */
  readonly previous: OverviewFigures
  /** The period that `compare` asked for; otherwise null. */
  readonly comparison: OverviewComparison | null
}

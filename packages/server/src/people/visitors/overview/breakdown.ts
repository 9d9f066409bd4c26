// What sessions are broken down by, and the figures of each value (spec 13.3.10).
import { Schema } from "effect"

export const Dimension = Schema.Literals([
  "page",
  "entry_page",
  "channel",
  "source",
  "campaign",
  "country",
  "device",
])
export type Dimension = typeof Dimension.Type

export interface BreakdownFigures {
  readonly sessions: number
  readonly anonymousSessions: number
  readonly pageviews: number
  readonly people: number
  readonly companies: number
}

export const noFigures: BreakdownFigures = {
  sessions: 0,
  anonymousSessions: 0,
  pageviews: 0,
  people: 0,
  companies: 0,
}

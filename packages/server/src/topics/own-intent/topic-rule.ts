// A rule of a pixel that turns page views into signals, and what it says of a page view (spec
// 2.4, 2.18).
import { matchesAny } from "@footfall/pixel/path-filter"
import { Schema } from "effect"

/** Days of page views that count for a score, up to the day it is of. */ // spec 2.18
export const windowDays = 7

export class PixelTopicRules extends Schema.Opaque<PixelTopicRules>()(
  Schema.Struct({
    pixelId: Schema.String,
    topicRules: Schema.Array(Schema.Struct({ path: Schema.String, topicId: Schema.Int })),
  }),
) {}

/**
 * The places of the rules that an address fits: each counts for itself. Paths are compared as the filters of pixels
 * are.
 */ // spec 6.4
export const fittingRules = (
  { topicRules }: PixelTopicRules,
  url: string,
): ReadonlyArray<number> => {
  const path = URL.parse(url)?.pathname
  if (path === undefined) return []
  return topicRules.flatMap((rule, place) => (matchesAny([rule.path], path) ? [place] : []))
}

/** `views`: at least 1. */ // spec 2.18
export const scoreOf = (views: number): number => Math.min(100, 40 + 10 * views)

// A pixel's rule that turns page views into signals, and how it rates a page view (spec 2.4, 2.18).
import { matchesAny } from "@footfall/pixel/path-filter"

/** A day's score counts page views of this many days up to it. */ // spec 2.18
export const windowDays = 7

export interface PixelTopicRules {
  readonly pixelId: string
  readonly topicRules: ReadonlyArray<{ readonly path: string; readonly topicId: number }>
}

/**
 * Returns the indexes of all rules that match an address; each counts separately. Paths are compared as in the
 * filters of pixels.
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

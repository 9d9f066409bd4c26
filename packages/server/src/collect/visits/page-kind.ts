// Whether a page is about prices or offers a demo. It is if a whole segment of its path equals one of the words,
// ignoring case and the ending of a file. Path prefixes in the pixel's settings replace the words. A page can be both (spec 2.1).
import { decodedPath, matchesAny } from "@footfall/pixel/path-filter"
import type { CollectSettings } from "./collect-pixel.ts"

export interface PageKind {
  readonly isPricing: boolean
  readonly isDemo: boolean
}

const pricingWords: ReadonlySet<string> = new Set(["pricing", "prices", "plans", "plan-pricing"])
const demoWords: ReadonlySet<string> = new Set([
  "demo",
  "book-demo",
  "book-a-demo",
  "request-demo",
  "get-demo",
  "schedule-demo",
])

/** `/pricing.html` is a pricing page. */
const fileEnding = /\.(?:html?|php|aspx?|jsp)$/

export const pageKind = (path: string, settings: CollectSettings): PageKind => {
  const segments = decodedPath(path).toLowerCase().replace(fileEnding, "").split("/")
  const has = (
    words: ReadonlySet<string>,
    prefixes: ReadonlyArray<string> | null | undefined,
  ): boolean =>
    prefixes === null || prefixes === undefined
      ? segments.some((segment) => words.has(segment))
      : matchesAny(prefixes, path)
  return {
    isPricing: has(pricingWords, settings.pricingPaths),
    isDemo: has(demoWords, settings.demoPaths),
  }
}

// The key pages of sites: those that a site names itself, then its pricing and demo pages (spec 2.4.2). They are looked
// up when a page is shown, so a change of the settings also counts for earlier visits.
import { matchesAny } from "@footfall/pixel/path-filter"
import type { CollectSettings } from "../visits/collect-pixel.ts"
import { pageKind } from "../visits/page-kind.ts"
import { type PixelSettings, unsetSettings } from "./settings.ts"
import type { PixelRow } from "./store.ts"

/** The name of a page in `pixels`, or null for an ordinary one: that of the first pixel which has one for the path. */
export const keyPageOf = (
  path: string,
  pixels: ReadonlyArray<Pick<PixelRow, "settings">>,
): string | null => {
  for (const { settings } of pixels) {
    const name = nameOf(path, { ...unsetSettings, ...settings } as PixelSettings) // only set keys are stored
    if (name !== null) return name
  }
  return null
}

const nameOf = (path: string, settings: PixelSettings): string | null => {
  const own = settings.keyPages.find((page) => matchesAny([page.path], path))
  if (own !== undefined) return own.name
  const { isDemo, isPricing } = pageKind(path, settings satisfies CollectSettings)
  return isPricing ? "pricing" : isDemo ? "demo" : null
}

// The key pages of sites: those that a site names itself, then its pricing and demo pages (spec 2.4.2). They are looked
// up when a page is shown, so a change of the settings also counts for earlier visits.
import { matchesAny } from "@footfall/pixel/path-filter"
import type { CollectSettings } from "./collect-pixel.ts"
import { pageKind } from "./page-kind.ts"

interface Settings extends CollectSettings {
  readonly keyPages?: ReadonlyArray<{ readonly path: string; readonly name: string }>
}

/** A pixel with its settings as they are stored: only those that are set. */
interface Site {
  readonly settings: object
}

/** The name of a page, or null for an ordinary one: that of the first site which has one for the path. */
export const keyPageOf = (path: string, sites: ReadonlyArray<Site>): string | null => {
  for (const { settings } of sites) {
    const name = nameOf(path, settings)
    if (name !== null) return name
  }
  return null
}

const nameOf = (path: string, settings: Settings): string | null => {
  const own = settings.keyPages?.find((page) => matchesAny([page.path], path))
  if (own !== undefined) return own.name
  const { isDemo, isPricing } = pageKind(path, settings)
  return isPricing ? "pricing" : isDemo ? "demo" : null
}

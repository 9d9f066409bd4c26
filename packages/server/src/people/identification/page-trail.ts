// A session's pages: distinct addresses with the time each was last viewed and how often, newest first, and the number of
// distinct paths. Both are bounded: the list by what a visitor response shows, the count because its memory (one number per
// path) is stored in the row.
import { pathOf } from "../../collect/visits/page-url.ts"

/** Pages kept; those viewed longest ago are dropped. */ // spec 2.1, visitedPages
export const pagesMax = 100
/** Maximum distinct paths counted; `uniquePages` stays there. */
export const distinctPathsMax = 500

export interface Page {
  readonly url: string
  /** Epoch milliseconds. */
  readonly viewedAt: number
  readonly views: number
}

export interface PageTrail {
  readonly pages: ReadonlyArray<Page>
  /** One 53-bit digest per distinct path. */
  readonly paths: ReadonlyArray<number>
}

export const emptyTrail: PageTrail = { pages: [], paths: [] }

export const viewed = (trail: PageTrail, page: Omit<Page, "views">): PageTrail => ({
  pages: placed(trail.pages, page),
  paths: counted(trail.paths, digest(pathOf(page.url))),
})

// Of two pages viewed in the same millisecond, the one reported last is newer.
const placed = (
  pages: ReadonlyArray<Page>,
  { url, viewedAt: at }: Omit<Page, "views">,
): ReadonlyArray<Page> => {
  const known = pages.find((other) => other.url === url)
  const page = {
    url,
    viewedAt: Math.max(known?.viewedAt ?? at, at),
    views: (known?.views ?? 0) + 1,
  }
  if (known !== undefined && known.viewedAt > at) return pages.with(pages.indexOf(known), page)
  const others = pages.filter((other) => other !== known)
  const place = others.findIndex(({ viewedAt }) => viewedAt <= page.viewedAt)
  return others.toSpliced(place === -1 ? others.length : place, 0, page).slice(0, pagesMax)
}

const counted = (paths: ReadonlyArray<number>, path: number): ReadonlyArray<number> =>
  paths.length >= distinctPathsMax || paths.includes(path) ? paths : [...paths, path]

// cyrb53, not for secrets; two of 500 paths collide with a chance of about 1 in 10^10.
const digest = (text: string): number => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

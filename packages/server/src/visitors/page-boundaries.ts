// Remembers where each numbered page of a traversal ended, so that page N + 1 is found by key and
// not by passing over rows (decisions.md 1.6). Kept in this process, for 15 minutes and a bounded
// number of pages; a page that is not remembered is found through the index alone, only slower.
import { Clock, Context, Effect, Layer } from "effect"
import type { ListKey } from "./list-scope.ts"

const rememberedMs = 15 * 60_000
const boundariesMax = 20_000

export interface Boundary {
  /** Sort key of the last row of the page before; undefined for page 1. */
  readonly after: ListKey | undefined
  /** People in the list when they were counted for this traversal. */
  readonly total: number
}

export class PageBoundaries extends Context.Service<
  PageBoundaries,
  {
    /** Where page `page` of the traversal begins, when that is remembered. */
    find(traversal: string, page: number): Effect.Effect<Boundary | undefined>
    remember(traversal: string, page: number, boundary: Boundary): Effect.Effect<void>
  }
>()("@footfall/server/visitors/PageBoundaries") {
  static readonly layer = Layer.sync(PageBoundaries, () => {
    const boundaries = new Map<string, Boundary & { readonly until: number }>()
    const name = (traversal: string, page: number) => `${traversal} ${page}`
    return PageBoundaries.of({
      find: (traversal, page) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const found = boundaries.get(name(traversal, page))
          return found !== undefined && found.until > now ? found : undefined
        }),
      // A Map keeps the order of insertion: the first entry is the one remembered longest ago.
      remember: (traversal, page, boundary) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const key = name(traversal, page)
          boundaries.delete(key)
          boundaries.set(key, { ...boundary, until: now + rememberedMs })
          if (boundaries.size > boundariesMax) boundaries.delete(boundaries.keys().next().value!)
        }),
    })
  })
}

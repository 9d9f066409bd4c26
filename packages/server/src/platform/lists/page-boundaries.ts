// Remembers where each page of a traversal ended, so the next page is found by key instead of skipping rows (spec 1.6).
// Kept in this process for 15 minutes, for a limited number of pages. A page that is no longer remembered is found
// through the index, only slower. The list's version is part of the traversal's name, so a write makes its boundaries
// unknown.
import { Clock, Context, Effect, Layer } from "effect"
import type { ListKey } from "../database/lists.ts"

const rememberedMs = 15 * 60_000
const boundariesMax = 20_000

export interface Boundary {
  /** Sort key of the last row before the page; undefined for the first page. */
  readonly after: ListKey | undefined
  /** Size of the list when this traversal counted it; null when counting took too long. */
  readonly total: number | null
}

export class PageBoundaries extends Context.Service<
  PageBoundaries,
  {
    /** Where the page after `offset` rows starts, if that is remembered. */
    find(traversal: string, offset: number): Effect.Effect<Boundary | undefined>
    remember(traversal: string, offset: number, boundary: Boundary): Effect.Effect<void>
  }
>()("@footfall/server/lists/PageBoundaries") {
  static readonly layer = Layer.sync(PageBoundaries, () => {
    const boundaries = new Map<string, Boundary & { readonly until: number }>()
    const name = (traversal: string, offset: number) => `${traversal} ${offset}`
    return PageBoundaries.of({
      find: (traversal, offset) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const found = boundaries.get(name(traversal, offset))
          return found !== undefined && found.until > now ? found : undefined
        }),
      // A Map keeps insertion order, so its first entry is the oldest.
      remember: (traversal, offset, boundary) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const key = name(traversal, offset)
          boundaries.delete(key)
          boundaries.set(key, { ...boundary, until: now + rememberedMs })
          if (boundaries.size > boundariesMax) boundaries.delete(boundaries.keys().next().value!)
        }),
    })
  })
}

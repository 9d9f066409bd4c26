// What filters can be set to. Counted once after each import of people, and for visitors once a day at
// least (spec 5.8: cached for at most 24 hours).
import { Clock, Context, Effect, Layer } from "effect"
import { DataVersions } from "../../people/import/data-versions.ts"
import { filterValues, type ValueCount } from "./filter-values.ts"
import { FilterStore } from "./store.ts"

const keptMs = 24 * 60 * 60_000
/** Organizations whose values a process keeps; the oldest go first. Our bound. */
const keptMax = 1_000

interface Kept {
  readonly counts: ReadonlyArray<ValueCount>
  readonly version: string
  readonly until: number
}

const make = Effect.gen(function* () {
  const store = yield* FilterStore
  const versions = yield* DataVersions
  const shared = yield* versions.remember(["people"], store.shared)
  const kept = new Map<string, Kept>()

  const ownOf = Effect.fnUntraced(function* (organizationId: string) {
    const version = yield* versions.of("people")
    const now = yield* Clock.currentTimeMillis
    const known = kept.get(organizationId)
    if (known !== undefined && known.version === version && known.until > now) {
      return known.counts
    }
    const counts = yield* store.own(organizationId)
    kept.delete(organizationId)
    kept.set(organizationId, { counts, version, until: now + keptMs })
    // What a map holds first was put in first.
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
    return counts
  })

  return {
    of: Effect.fn("Filters.of")(function* (organizationId: string) {
      return filterValues([...(yield* shared), ...(yield* ownOf(organizationId))])
    }),
  }
})

export class Filters extends Context.Service<Filters, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Filters",
) {
  static readonly layer = Layer.effect(Filters, make)
}

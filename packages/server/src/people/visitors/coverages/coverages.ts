// Whether all data of a window could be read (spec 2.1). It could not if retention is shorter than the window, or
// while the organization's events wait because identification lags. An import of people or links also delays
// identification while it merges. Data that takes too long to read never leads to a partial response: the request
// fails.
import { Context, DateTime, Effect, Layer } from "effect"
import { remembered } from "../../../platform/database/remembered.ts"
import type { ListScope } from "../list-scope.ts"
import { CoverageStore } from "./store.ts"

/** How long the list of waiting organizations is cached, so that lists don't query it each time. */
const rememberedDuration = "5 seconds"

export interface Coverage {
  readonly partial: boolean
  /** Time of the oldest data used, ISO 8601; null for the whole history. */
  readonly from: string | null
}

/** The scope to determine coverage for. */
export type CoveredScope = Pick<ListScope, "organizationId" | "asOf" | "from">

const make = Effect.gen(function* () {
  const store = yield* CoverageStore
  const behind = yield* remembered(
    Effect.map(store.behind, (ids) => new Set(ids)),
    rememberedDuration,
  )
  return {
    /** `retentionDays`: how long the organization keeps its data; null means forever. */
    find: (scope: CoveredScope, retentionDays: number | null): Effect.Effect<Coverage> =>
      Effect.map(behind, (organizations) => {
        const kept = keptFrom(scope, retentionDays)
        const start = kept ?? scope.from
        return {
          partial: kept !== undefined || organizations.has(scope.organizationId),
          from: start === undefined ? null : DateTime.formatIso(start),
        }
      }),
  }
})

export class Coverages extends Context.Service<Coverages, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/Coverages",
) {
  static readonly layer = Layer.effect(Coverages, make)
}

/** Where the data starts, if the window starts earlier. */
const keptFrom = ({ asOf, from }: CoveredScope, retentionDays: number | null) => {
  if (retentionDays === null) return undefined
  const kept = DateTime.subtract(asOf, { days: retentionDays })
  return from === undefined || DateTime.isLessThan(from, kept) ? kept : undefined
}

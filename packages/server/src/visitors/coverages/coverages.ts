// Whether all data of a window was there to be read (spec 2.1): not where retention is shorter
// than the window, and not while events of the organization wait in an identification that lags. An
// import of people or links keeps identification waiting while it merges, so it shows in the same way.
// Data that is not answered in time makes no partial answer: the request fails.
import { Context, DateTime, Effect, Layer } from "effect"
import { remembered } from "../../database/remembered.ts"
import type { ListScope } from "../list-scope.ts"
import { CoverageStore } from "./store.ts"

/** How old the knowledge of who waits may be: no list asks for it again. */
const rememberedDuration = "5 seconds"

export interface Coverage {
  readonly partial: boolean
  /** Of the oldest data used, ISO 8601; null for all of the history. */
  readonly from: string | null
}

/** What a window is covered for. */
export type CoveredScope = Pick<ListScope, "organizationId" | "asOf" | "from">

const make = Effect.gen(function* () {
  const store = yield* CoverageStore
  const behind = yield* remembered(
    Effect.map(store.behind, (ids) => new Set(ids)),
    rememberedDuration,
  )
  return {
    /** `retentionDays`: how long the organization keeps its data; null: for good. */
    of: (scope: CoveredScope, retentionDays: number | null): Effect.Effect<Coverage> =>
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

/** Where the data begins, when the window begins earlier. */
const keptFrom = ({ asOf, from }: CoveredScope, retentionDays: number | null) => {
  if (retentionDays === null) return undefined
  const kept = DateTime.subtract(asOf, { days: retentionDays })
  return from === undefined || DateTime.isLessThan(from, kept) ? kept : undefined
}

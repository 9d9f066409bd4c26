// The values that filters accept. They are counted again after each import of the organization's or shared people, and
// twice a day for visitors (spec 5.8: cached for at most 24 hours). Counting takes a turn, as rules do. Requests for
// the same counts share one run. If older counts exist, requests wait only briefly.
import { Clock, Context, Effect, Layer, Scope } from "effect"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"
import { DataVersions, joined } from "../../../people/imports/data-versions.ts"
import { RulesBusy, RuleTurns } from "../../../people/visitors/query/rule-turns.ts"
import { type FilterValues, filterValues, type ValueCount } from "./filter-values.ts"
import { FilterStore } from "./store.ts"

const keptMs = 24 * 60 * 60_000
/** After this time values are counted again; until then the old ones are returned. */
const freshMs = keptMs / 2
/** Organizations whose values a process caches; the oldest are dropped first. */
const keptMax = 1_000
/** How long to wait for new counts before returning the old ones. */
const newWait = "2 seconds"

/** Counting is slow, so it gets few of the turns. The wait for a turn is the same as for rules. */
const countings = { turns: 2, turnsOfOne: 1, wait: "10 seconds" } as const

type Counts = ReadonlyArray<ValueCount>

interface Known {
  readonly counts: Counts
  readonly version: string
  readonly countedAt: number
}

/** What is cached for one organization, or for the shared people. */
interface Kept {
  /** The current counts. */
  readonly current: Effect.Effect<Counts, DatabaseError | RulesBusy>
  /** The result of the last count. */
  readonly known: () => Known | undefined
}

const make = Effect.gen(function* () {
  const store = yield* FilterStore
  const versions = yield* DataVersions
  const ruleTurns = yield* RuleTurns
  const scope = yield* Effect.scope
  const turns = yield* makePartyTurns({ ...countings, busy: () => new RulesBusy() })
  const kept = new Map<string, Kept>()

  const inTurn = (organizationId: string, count: Effect.Effect<Counts>) =>
    turns.run(organizationId, ruleTurns.take(organizationId, count))

  /** Counts again if these owners' people have changed. Reads the version before counting. */
  const keeping = Effect.fnUntraced(function* (
    owners: ReadonlyArray<string>,
    count: Effect.Effect<Counts, DatabaseError | RulesBusy>,
  ) {
    let known: Known | undefined
    const current = Effect.gen(function* () {
      const version = yield* versions.currentPeople(...owners)
      const now = yield* Clock.currentTimeMillis
      if (known?.version === version && now - known.countedAt < freshMs) return known.counts
      const counts = yield* count
      known = { counts, version, countedAt: now }
      return counts
    })
    const kept: Kept = {
      current: yield* Effect.provideService(joined(current), Scope.Scope, scope),
      known: () => known,
    }
    return kept
  })

  const shared = yield* keeping([sharedOrganizationId], inTurn(sharedOrganizationId, store.shared))

  const keptOf = Effect.fnUntraced(function* (organizationId: string) {
    const known = kept.get(organizationId)
    if (known !== undefined) return known
    const counted = Effect.gen(function* () {
      const ofAll = yield* shared.current
      return [...ofAll, ...(yield* inTurn(organizationId, store.own(organizationId)))]
    })
    const made = yield* keeping([organizationId, sharedOrganizationId], counted)
    // Another request may have created it first.
    const one = kept.get(organizationId) ?? made
    kept.set(organizationId, one)
    // A Map keeps insertion order.
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
    return one
  })

  const countsOf = Effect.fnUntraced(function* (organizationId: string) {
    const { current, known } = yield* keptOf(organizationId)
    const old = known()
    const now = yield* Clock.currentTimeMillis
    if (old === undefined || now - old.countedAt >= keptMs) return yield* current
    const answerOld = () => Effect.succeed(old.counts)
    return yield* current.pipe(
      Effect.timeoutOrElse({ duration: newWait, orElse: answerOld }),
      Effect.catchTag("RulesBusy", answerOld),
    )
  })

  return {
    /** Errors: RulesBusy if nothing has been counted yet and no turn is free for 10 seconds. */
    of: Effect.fn("Filters.of")(
      (organizationId: string): Effect.Effect<FilterValues, DatabaseError | RulesBusy> =>
        Effect.map(countsOf(organizationId), filterValues),
    ),
  }
})

export class Filters extends Context.Service<Filters, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Filters",
) {
  static readonly layer = Layer.effect(Filters, make)
}

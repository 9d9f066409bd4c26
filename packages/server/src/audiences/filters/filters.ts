// What filters can be set to. Counted again after each import of the organization's people or of shared ones, and
// for visitors twice a day (spec 5.8: cached for at most 24 hours). Counting takes a turn, as rules do; those who
// ask for the same counts wait for one counting, and where there are old counts, not for long.
import { Clock, Context, Effect, Layer, Scope } from "effect"
import { sharedOrganizationId } from "../../access/organization.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import { DataVersions, joined } from "../../people/import/data-versions.ts"
import { RulesBusy, RuleTurns } from "../../visitors/query/rule-turns.ts"
import { type FilterValues, filterValues, type ValueCount } from "./filter-values.ts"
import { FilterStore } from "./store.ts"

const keptMs = 24 * 60 * 60_000
/** From then on they are counted again; until they are, the old ones are answered. Our choice. */
const freshMs = keptMs / 2
/** Organizations whose values a process keeps; the oldest go first. Our bound. */
const keptMax = 1_000
/** How long one waits for the new counts before the old ones are answered. Our choice. */
const newWait = "2 seconds"

/** Counting takes long, so it has few of the turns of rules; how long it waits for one is as there. Our bound. */
const countings = { turns: 2, turnsOfOne: 1, wait: "10 seconds" } as const

type Counts = ReadonlyArray<ValueCount>

interface Known {
  readonly counts: Counts
  readonly version: string
  readonly countedAt: number
}

/** What is known about one organization, or about what all share. */
interface Kept {
  /** The counts as they are now. */
  readonly current: Effect.Effect<Counts, DatabaseError | RulesBusy>
  /** Those of the last counting. */
  readonly known: () => Known | undefined
}

const make = Effect.gen(function* () {
  const store = yield* FilterStore
  const versions = yield* DataVersions
  const ruleTurns = yield* RuleTurns
  const scope = yield* Effect.scope
  const turns = makeFairTurns({ ...countings, busy: () => new RulesBusy() })
  const kept = new Map<string, Kept>()

  const inTurn = (organizationId: string, count: Effect.Effect<Counts>) =>
    turns.run(organizationId, ruleTurns.take(organizationId, count))

  /** Counts again when the people of these owners have changed: the version is read before they are counted. */
  const keeping = Effect.fnUntraced(function* (
    owners: ReadonlyArray<string>,
    count: Effect.Effect<Counts, DatabaseError | RulesBusy>,
  ) {
    let known: Known | undefined
    const current = Effect.gen(function* () {
      const version = yield* versions.ofPeople(...owners)
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
    // Another request may have been quicker.
    const one = kept.get(organizationId) ?? made
    kept.set(organizationId, one)
    // What a map holds first was put in first.
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
    /** Errors: RulesBusy where nothing was counted yet and there is no turn for 10 seconds. */
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

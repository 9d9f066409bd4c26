// An organization's signals: its own, from imports and from its pixels' topic rules, and the shared ones (spec 2.18). A
// data date is visible as a whole or not at all.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { DataVersions } from "../../people/imports/data-versions.ts"
import { Tombstones } from "../../people/person/tombstones/tombstones.ts"
import { type Signal, type SignalDay, SignalStore } from "./store.ts"

export interface DataDate {
  /** `YYYY-MM-DD`; today if there are no signals. */
  readonly date: string
  readonly hasSignals: boolean
  /** By the database's clock, UTC. */
  readonly today: string
}

const make = Effect.gen(function* () {
  const store = yield* SignalStore
  const tombstones = yield* Tombstones
  const versions = yield* DataVersions

  const replace = Effect.fnUntraced(function* (day: SignalDay, all: ReadonlyArray<Signal>) {
    const { organizationId } = day
    yield* store.lock(organizationId)
    const hashes = [...new Set(all.map(({ emailHash }) => emailHash))]
    const erased = new Set(
      (yield* tombstones.among(hashes.map((emailHash) => ({ organizationId, emailHash })))).map(
        ({ emailHash }) => emailHash,
      ),
    )
    const signals = all.filter(({ emailHash }) => !erased.has(emailHash))
    yield* store.register(
      organizationId,
      hashes.filter((hash) => !erased.has(hash)),
    )
    yield* store.replaceDay(day, signals)
    yield* versions.raise("signals")
  })

  return {
    /**
     * Replaces a day's signals from a pixel's topic rules. If a person has several scores for a topic, the highest
     * counts; erased people are left out.
     *
     * *Guarantee*: idempotent and atomic. Without signals, the day is empty.
     */
    replaceDay: ({
      signals,
      ...day
    }: SignalDay & {
      readonly origin: "pixel"
      readonly signals: ReadonlyArray<Signal>
    }): Effect.Effect<void, DatabaseError> => store.transaction(replace(day, signals)),

    /**
     * The newest date of imported signals available to the organization, if it is within the last 30 days; otherwise of
     * its own pixel signals; otherwise today.
     */ // spec 2.11
    dataDate: (organizationId: string): Effect.Effect<DataDate, DatabaseError> =>
      Effect.map(store.dataDate(organizationId), ({ date, today }) => ({
        date: date ?? today,
        hasSignals: date !== null,
        today,
      })),
  }
})

export class Signals extends Context.Service<Signals, Effect.Success<typeof make>>()(
  "@footfall/server/topics/Signals",
) {
  static readonly layer = Layer.effect(Signals, make)
}

// Who imports in this process, and who waits. An organization has one import at a time, so it can never take the
// places of others; each import has a connection of its own, so there are few places. Waiting is bounded. A place is
// taken only when there is something to work at, and who holds one without sending much gives it up as soon as
// someone waits: a slow stream delays no one but its organization.
import { Clock, Deferred, Effect, Schema, Semaphore } from "effect"

/** Imports of one process that work at the same time, each with a connection of its own. Our bound. */
const placesMax = 4

/** How long someone waits before the slowest import has to give up its place. Our bound. */
const slowestWait = "2 seconds"

/** An import that sends as much as this, while it is read, keeps its place. Our bound. */
const bytesPerSecondKept = 65_536

/** For how long what it sent before, however much, keeps the place of one that sends nothing more. Our bound. */
const aheadMaxMs = 5_000

/** Another import of the organization, or those of others, went on for longer than one waits. */
export class ImportsBusy extends Schema.TaggedError<ImportsBusy>()("ImportsBusy", {
  reason: Schema.Literals(["organization", "others"]),
}) {}

/** Others waited for the place of an import whose stream was slow. */
export class PlaceLost extends Schema.TaggedError<PlaceLost>()("PlaceLost", {}) {}

/** A place, as its holder reports on the stream it reads. */
export class Place {
  readonly lost = Deferred.makeUnsafe<never, PlaceLost>()
  /** The time that its bytes are worth, beyond the time in which they were waited for. */
  #aheadMs = 0
  #waitsSince: number | undefined

  /** The next bytes, or PlaceLost. */
  readonly reading = <A extends ReadonlyArray<Uint8Array>, E, R>(pull: Effect.Effect<A, E, R>) =>
    Effect.gen({ self: this }, function* () {
      this.#waitsSince = yield* Clock.currentTimeMillis
      const chunks = yield* Effect.raceFirst(pull, Deferred.await(this.lost))
      const waitedMs = (yield* Clock.currentTimeMillis) - this.#waitsSince
      this.#waitsSince = undefined
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
      const worthMs = (bytes * 1_000) / bytesPerSecondKept
      this.#aheadMs = Math.min(aheadMaxMs, this.#aheadMs - waitedMs + worthMs)
      return chunks
    })

  /** How long its bytes are overdue at the speed that keeps a place; 0 while there is something to work at. */
  overdueMs(now: number): number {
    if (this.#waitsSince === undefined) return 0
    return Math.max(0, now - this.#waitsSince - this.#aheadMs)
  }
}

export const makeImportPlaces = Effect.gen(function* () {
  const places = yield* Semaphore.make(placesMax)
  const held = new Set<Place>()
  /** With how many want it; gone when no one does. */
  const turns = new Map<string, { readonly turn: Semaphore.Semaphore; wanted: number }>()

  const turnOf = (organizationId: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const known = turns.get(organizationId) ?? { turn: Semaphore.makeUnsafe(1), wanted: 0 }
        turns.set(organizationId, known)
        known.wanted++
        return known.turn
      }),
      () =>
        Effect.sync(() => {
          const known = turns.get(organizationId)!
          known.wanted--
          if (known.wanted === 0) turns.delete(organizationId)
        }),
    )

  const takeFrom = (semaphore: Semaphore.Semaphore) =>
    Effect.acquireRelease(semaphore.take(1), () => semaphore.release(1), { interruptible: true })

  const endSlowest = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const slow = [...held]
      .map((place) => ({ place, overdueMs: place.overdueMs(now) }))
      .filter(({ overdueMs }) => overdueMs > 0)
      .toSorted((a, b) => b.overdueMs - a.overdueMs)
    if (slow[0] !== undefined) yield* Deferred.fail(slow[0].place.lost, new PlaceLost())
  })

  return {
    /** The turn of the organization, until the scope closes. Errors: ImportsBusy after `waitMs`. */
    turn: (organizationId: string, waitMs: number) =>
      Effect.flatMap(turnOf(organizationId), takeFrom).pipe(
        Effect.timeoutOrElse({
          duration: waitMs,
          orElse: () => Effect.fail(new ImportsBusy({ reason: "organization" })),
        }),
      ),

    /** A place among all, until the scope closes. Errors: ImportsBusy after `waitMs`. */
    place: (waitMs: number) =>
      Effect.raceFirst(
        takeFrom(places),
        Effect.forever(Effect.delay(endSlowest, slowestWait)),
      ).pipe(
        Effect.timeoutOrElse({
          duration: waitMs,
          orElse: () => Effect.fail(new ImportsBusy({ reason: "others" })),
        }),
        Effect.andThen(
          Effect.acquireRelease(
            Effect.sync(() => {
              const place = new Place()
              held.add(place)
              return place
            }),
            (place) => Effect.sync(() => held.delete(place)),
          ),
        ),
      ),
  }
})

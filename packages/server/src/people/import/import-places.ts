// Who imports in this process, and who waits. An organization has one import at a time, and whoever imports for many
// organizations never has all places, and fewer when others wait; each import has a connection of its own, so there
// are few places. Waiting is bounded. A place is taken only when there is something to work at, and who holds one
// without sending rows gives it up as soon as someone waits: a slow stream delays no one but its organization.
import { Clock, Deferred, Effect, Schema, Semaphore } from "effect"
import { makeFairTurns } from "../../jobs/fair-turns.ts"

/** Imports of one process that work at the same time, each with a connection of its own. Our bound. */
const placesMax = 4

/** Those of one importer. */
const placesOfOneMax = placesMax - 1

/** How long someone waits before an importer who has many more places has to give one up. Our bound. */
const unequalMaxMs = 10_000

/** How long someone waits before the slowest import has to give up its place. Our bound. */
const slowestWait = "2 seconds"

/** An import that sends as much as this, while it is read, keeps its place. Our bound. */
const bytesPerSecondKept = 65_536

/** What a row counts for at most, with the blanks around it. Our bound. */
const bytesOfRowMax = 4_096

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
  readonly importer: string
  /** Bytes that have brought no row yet. */
  #bytes = 0
  /** The time that its rows are worth, beyond the time in which they were waited for. */
  #aheadMs = 0
  #waitsSince: number | undefined
  /** More is read, until the end of the stream was. */
  #isReading = false

  constructor(importer: string) {
    this.importer = importer
  }

  /** The next bytes, or PlaceLost. */
  readonly reading = <A extends ReadonlyArray<Uint8Array>, E, R>(pull: Effect.Effect<A, E, R>) =>
    Effect.gen({ self: this }, function* () {
      this.#isReading = true
      this.#waitsSince = yield* Clock.currentTimeMillis
      const chunks = yield* Effect.raceFirst(Deferred.await(this.lost), pull).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            this.#isReading = false
          }),
        ),
      )
      const waitedMs = (yield* Clock.currentTimeMillis) - this.#waitsSince
      this.#waitsSince = undefined
      for (const { length } of chunks) this.#bytes += length
      this.#aheadMs -= waitedMs
      return chunks
    })

  /** So many good rows were found in what was read. */
  found(rows: number): void {
    if (rows === 0) return
    const bytes = Math.min(this.#bytes, rows * bytesOfRowMax)
    this.#bytes = 0
    this.#aheadMs = Math.min(aheadMaxMs, this.#aheadMs + (bytes * 1_000) / bytesPerSecondKept)
  }

  /** It can be lost: who reads no more finishes soon, and would not notice. */
  get canBeLost(): boolean {
    return this.#isReading && !this.isLeaving
  }

  /** It is lost, and given up with the next bytes. */
  get isLeaving(): boolean {
    return this.#isReading && Deferred.isDoneUnsafe(this.lost)
  }

  /** How long its rows are overdue at the speed that keeps a place; 0 while there is something to work at. */
  overdueMs(now: number): number {
    if (this.#waitsSince === undefined) return 0
    return Math.max(0, now - this.#waitsSince - this.#aheadMs)
  }
}

export const makeImportPlaces = Effect.sync(() => {
  const places = makeFairTurns({
    turns: placesMax,
    turnsOfOne: placesOfOneMax,
    wait: "1 day", // Who waits is bounded below.
    busy: () => new ImportsBusy({ reason: "others" }),
  })
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

  /** The last place of whoever has at least two more than the one who waits. */
  const unequal = (importer: string): Place | undefined => {
    const counts = new Map<string, number>()
    for (const place of held) counts.set(place.importer, (counts.get(place.importer) ?? 0) + 1)
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
    if (most === undefined || most[1] < (counts.get(importer) ?? 0) + 2) return undefined
    return [...held].findLast((place) => place.importer === most[0] && place.canBeLost)
  }

  const endOne = Effect.fnUntraced(function* (importer: string, since: number) {
    const now = yield* Clock.currentTimeMillis
    if ([...held].some(({ isLeaving }) => isLeaving)) return
    const slow = [...held]
      .map((place) => ({ place, overdueMs: place.overdueMs(now) }))
      .filter(({ overdueMs }) => overdueMs > 0)
      .toSorted((a, b) => b.overdueMs - a.overdueMs)
    const place = slow[0]?.place ?? (now - since < unequalMaxMs ? undefined : unequal(importer))
    if (place !== undefined) yield* Deferred.fail(place.lost, new PlaceLost())
  })

  /** Held by a fiber of its own until the scope closes. */
  const takePlace = Effect.fnUntraced(function* (importer: string) {
    const taken = yield* Deferred.make<void, ImportsBusy>()
    yield* Effect.forkScoped(
      Effect.catch(
        places.run(importer, Effect.andThen(Deferred.succeed(taken, undefined), Effect.never)),
        (error) => Deferred.fail(taken, error),
      ),
    )
    yield* Deferred.await(taken)
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

    /**
     * A place among all, until the scope closes. `importer`: who imports, perhaps for many organizations.
     * Errors: ImportsBusy after `waitMs`.
     */
    place: Effect.fnUntraced(function* (importer: string, waitMs: number) {
      const since = yield* Clock.currentTimeMillis
      yield* Effect.raceFirst(
        takePlace(importer),
        Effect.forever(Effect.delay(endOne(importer, since), slowestWait)),
      ).pipe(
        Effect.timeoutOrElse({
          duration: waitMs,
          orElse: () => Effect.fail(new ImportsBusy({ reason: "others" })),
        }),
      )
      return yield* Effect.acquireRelease(
        Effect.sync(() => {
          const place = new Place(importer)
          held.add(place)
          return place
        }),
        (place) => Effect.sync(() => held.delete(place)),
      )
    }),
  }
})

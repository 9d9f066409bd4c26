// Limits the imports of one process. Each import uses its own connection, so there are few places. An organization
// has one import at a time. An importer is a party (fair-turns.ts): it never holds all places, and holds fewer when others wait. Waiting is bounded. An import takes a place only when it has rows to write, and a slow one gives it
// up as soon as another waits: a slow stream delays only its own organization.
import { Clock, Deferred, Effect, Schema, Semaphore } from "effect"
import { makeFairTurns } from "../../platform/jobs/fair-turns.ts"

/** Imports that one process works on at the same time, each with its own connection. */
const placesMax = 4

/** Places that one importer can hold. */
const placesOfOneMax = placesMax - 1

/** How long an importer waits before one with many more places has to give one up. */
const unequalMaxMs = 10_000

/** How long an importer waits before the slowest import has to give up its place. */
const slowestWait = "2 seconds"

/** An import keeps its place if it sends this much while it is read. */
const bytesPerSecondKept = 65_536

/** The most bytes that one row counts for, including blank lines around it. */
const bytesOfRowMax = 4_096

/** How long an import that stops sending keeps its place, however much it has sent. */
const aheadMaxMs = 5_000

/** Another import of the organization, or the imports of others, took longer than the wait allowed. */
export class ImportsBusy extends Schema.TaggedError<ImportsBusy>()("ImportsBusy", {
  reason: Schema.Literals(["organization", "others"]),
}) {}

/** A slow import gave up its place because others were waiting. */
export class PlaceLost extends Schema.TaggedError<PlaceLost>()("PlaceLost", {}) {}

/** A place. Its holder reports the progress of its stream. */
export class Place {
  readonly lost = Deferred.makeUnsafe<never, PlaceLost>()
  readonly importer: string
  /** Bytes received since the last row. */
  #bytes = 0
  /** How much time the received rows have earned, beyond the time spent waiting for them. */
  #aheadMs = 0
  #waitsSince: number | undefined
  /** True until the stream ends. */
  #isReading = false

  constructor(importer: string) {
    this.importer = importer
  }

  /** Reads the next chunk, or fails with PlaceLost. */
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

  /** Reports how many valid rows the received bytes contained. */
  found(rows: number): void {
    if (rows === 0) return
    const bytes = Math.min(this.#bytes, rows * bytesOfRowMax)
    this.#bytes = 0
    this.#aheadMs = Math.min(aheadMaxMs, this.#aheadMs + (bytes * 1_000) / bytesPerSecondKept)
  }

  /** An import that has read everything finishes soon and would not notice the loss. */
  get canBeLost(): boolean {
    return this.#isReading && !this.isLeaving
  }

  /** The place is lost, and its holder gives it up at the next read. */
  get isLeaving(): boolean {
    return this.#isReading && Deferred.isDoneUnsafe(this.lost)
  }

  /** How far its rows are behind the speed that keeps a place; 0 while there are rows to write. */
  overdueMs(now: number): number {
    if (this.#waitsSince === undefined) return 0
    return Math.max(0, now - this.#waitsSince - this.#aheadMs)
  }
}

export const makeImportPlaces = Effect.sync(() => {
  const places = makeFairTurns({
    turns: placesMax,
    turnsOfOne: placesOfOneMax,
    wait: "1 day", // `place` limits the wait.
    busy: () => new ImportsBusy({ reason: "others" }),
  })
  const held = new Set<Place>()
  /** With the number of imports that hold it or wait for it. Removed when that is 0. */
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

  /** Finds the newest place of the importer with the most places, if it holds at least two more than this one. */
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

  /** A separate fiber holds the place until the scope closes. */
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
    /** Waits for the organization's turn and holds it until the scope closes. Errors: ImportsBusy after `waitMs`. */
    turn: (organizationId: string, waitMs: number) =>
      Effect.flatMap(turnOf(organizationId), takeFrom).pipe(
        Effect.timeoutOrElse({
          duration: waitMs,
          orElse: () => Effect.fail(new ImportsBusy({ reason: "organization" })),
        }),
      ),

    /**
     * Waits for one of the places and holds it until the scope closes. `importer`: the party of the organization. Errors: ImportsBusy after `waitMs`.
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

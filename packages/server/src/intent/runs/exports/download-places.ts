// Limits how many downloads a process serves at once, in total and per party (fair-turns.ts). Each download buffers parts that
// its reader has not taken yet, and readers may be arbitrarily slow. When all places are taken, a slow reader of the
// party with the most downloads makes room for one with fewer, so slow readers never block others. A request
// without a place may be retried.
import { Clock, Context, Effect, Layer, Schema, type Scope } from "effect"
import { PartyOf } from "../../../platform/jobs/fair-turns.ts"

/** About 130 MB of data that readers have not taken. */
export const downloadsMax = 64
export const downloadsPerPartyMax = 16

/** A reader at least this fast keeps its place, apart from short pauses. */
const bytesPerSecondKept = 65_536

/** How long a reader may take nothing or lag behind that speed. Units: milliseconds. */
const behindMaxMs = 2_000

/** Every place is taken. */
export class NoDownloadPlace extends Schema.TaggedError<NoDownloadPlace>()("NoDownloadPlace", {}) {}

/** A place in which its holder records what is read. Times are epoch milliseconds. */
export class DownloadPlace {
  readonly party: string
  readonly cut: () => void
  #leftMs = behindMaxMs
  #notedAt: number

  constructor(party: string, cut: () => void, now: number) {
    this.party = party
    this.cut = cut
    this.#notedAt = now
  }

  note(bytes: number, now: number): void {
    const earnedMs = (bytes / bytesPerSecondKept) * 1_000
    this.#leftMs = Math.min(behindMaxMs, this.left(now) + earnedMs)
    this.#notedAt = now
  }

  /** How long it may continue without reading a byte; negative for a slow reader. Units: milliseconds. */
  left(now: number): number {
    return this.#leftMs - (now - this.#notedAt)
  }
}

export class DownloadPlaces extends Context.Service<
  DownloadPlaces,
  {
    /**
     * Takes a place until the scope closes, which is when the response ends. `cut` ends the download when the place
     * goes to another party.
     */
    take(
      organizationId: string,
      cut: () => void,
    ): Effect.Effect<DownloadPlace, NoDownloadPlace, Scope.Scope>
  }
>()("@footfall/server/runs/DownloadPlaces") {
  static readonly layer = Layer.effect(
    DownloadPlaces,
    Effect.gen(function* () {
      const partyOf = yield* PartyOf
      const taken = new Set<DownloadPlace>()

      /**
       * The slowest reader's place in the party with the most places, if that party has more than the caller's will
       * have.
       */
      const slowest = (party: string, now: number): DownloadPlace | undefined => {
        const places = Map.groupBy(taken, (place) => place.party)
        const most = [...places.values()].reduce((one, other) =>
          other.length > one.length ? other : one,
        )
        if (most.length <= (places.get(party)?.length ?? 0) + 1) return undefined
        const [slow] = most.toSorted((one, other) => one.left(now) - other.left(now))
        return slow!.left(now) < 0 ? slow : undefined
      }

      const acquire = Effect.fnUntraced(function* (organizationId: string, cut: () => void) {
        const party = yield* partyOf(organizationId)
        const now = yield* Clock.currentTimeMillis
        const own = [...taken].filter((place) => place.party === party)
        if (own.length >= downloadsPerPartyMax) return yield* new NoDownloadPlace()
        if (taken.size >= downloadsMax) {
          const slow = slowest(party, now)
          if (slow === undefined) return yield* new NoDownloadPlace()
          taken.delete(slow)
          slow.cut()
        }
        const place = new DownloadPlace(party, cut, now)
        taken.add(place)
        return place
      })

      return DownloadPlaces.of({
        take: (organizationId, cut) =>
          Effect.acquireRelease(acquire(organizationId, cut), (place) =>
            Effect.sync(() => taken.delete(place)),
          ),
      })
    }),
  )
}

// Bounds the downloads that a process serves at the same time: each holds parts of a file that its reader has not
// taken, and a reader may be as slow as it likes. In all, and for one organization. When all places are taken, a
// slow reader of the organization that has the most makes room for one that has fewer, so that slow readers keep
// no one else from downloading. Who finds no place may ask again.
import { Clock, Context, Effect, Layer, Schema, type Scope } from "effect"

/** Our bounds: about 130 MB of what no one has taken. */
export const downloadsMax = 64
export const downloadsPerOrganizationMax = 16

/** Who reads as much as this, but for a short while, keeps its place. Our bound. */
const bytesPerSecondKept = 65_536

/** How long a reader may take nothing, or be behind that speed. Our bound. Units: milliseconds. */
const behindMaxMs = 2_000

/** Every place is taken. */
export class NoDownloadPlace extends Schema.TaggedError<NoDownloadPlace>()("NoDownloadPlace", {}) {}

/** A place, as its holder notes what is read. Times are epoch milliseconds. */
export class DownloadPlace {
  readonly organizationId: string
  readonly cut: () => void
  #leftMs = behindMaxMs
  #notedAt: number

  constructor(organizationId: string, cut: () => void, now: number) {
    this.organizationId = organizationId
    this.cut = cut
    this.#notedAt = now
  }

  note(bytes: number, now: number): void {
    const earnedMs = (bytes / bytesPerSecondKept) * 1_000
    this.#leftMs = Math.min(behindMaxMs, this.left(now) + earnedMs)
    this.#notedAt = now
  }

  /** How long it may go on without a byte; below zero for a slow reader. Units: milliseconds. */
  left(now: number): number {
    return this.#leftMs - (now - this.#notedAt)
  }
}

export class DownloadPlaces extends Context.Service<
  DownloadPlaces,
  {
    /**
     * Takes a place for as long as the scope is open: that of the request, which ends with its answer. `cut` ends the
     * download, when the place goes to another organization.
     */
    take(
      organizationId: string,
      cut: () => void,
    ): Effect.Effect<DownloadPlace, NoDownloadPlace, Scope.Scope>
  }
>()("@footfall/server/runs/DownloadPlaces") {
  static readonly layer = Layer.sync(DownloadPlaces, () => {
    const taken = new Set<DownloadPlace>()

    /** That of the slowest reader of the organization that has the most, where it has more than the asker will. */
    const slowest = (organizationId: string, now: number): DownloadPlace | undefined => {
      const places = Map.groupBy(taken, (place) => place.organizationId)
      const most = [...places.values()].reduce((one, other) =>
        other.length > one.length ? other : one,
      )
      if (most.length <= (places.get(organizationId)?.length ?? 0) + 1) return undefined
      const [slow] = most.toSorted((one, other) => one.left(now) - other.left(now))
      return slow!.left(now) < 0 ? slow : undefined
    }

    const acquire = Effect.fnUntraced(function* (organizationId: string, cut: () => void) {
      const now = yield* Clock.currentTimeMillis
      const own = [...taken].filter((place) => place.organizationId === organizationId)
      if (own.length >= downloadsPerOrganizationMax) return yield* new NoDownloadPlace()
      if (taken.size >= downloadsMax) {
        const slow = slowest(organizationId, now)
        if (slow === undefined) return yield* new NoDownloadPlace()
        taken.delete(slow)
        slow.cut()
      }
      const place = new DownloadPlace(organizationId, cut, now)
      taken.add(place)
      return place
    })

    return DownloadPlaces.of({
      take: (organizationId, cut) =>
        Effect.acquireRelease(acquire(organizationId, cut), (place) =>
          Effect.sync(() => taken.delete(place)),
        ),
    })
  })
}

// Bounds the downloads that a process serves at the same time: each holds parts of a file that its reader has not
// taken, and a reader may be as slow as it likes. In all, and for one organization, so that the slow readers of
// one leave room for the others. Who finds no place may ask again.
import { Context, Effect, Layer, Schema, type Scope } from "effect"

/** Our bounds: about 130 MB of what no one has taken. */
export const downloadsMax = 64
export const downloadsPerOrganizationMax = 16

/** Every place is taken. */
export class NoDownloadPlace extends Schema.TaggedError<NoDownloadPlace>()("NoDownloadPlace", {}) {}

export class DownloadPlaces extends Context.Service<
  DownloadPlaces,
  {
    /** Takes a place for as long as the scope is open: that of the request, which ends with its answer. */
    take(organizationId: string): Effect.Effect<void, NoDownloadPlace, Scope.Scope>
  }
>()("@footfall/server/runs/DownloadPlaces") {
  static readonly layer = Layer.sync(DownloadPlaces, () => {
    const taken = new Map<string, number>()
    let all = 0
    const of = (organizationId: string) => taken.get(organizationId) ?? 0
    const add = (organizationId: string, count: 1 | -1) => {
      const now = of(organizationId) + count
      if (now === 0) taken.delete(organizationId)
      else taken.set(organizationId, now)
      all += count
    }
    return DownloadPlaces.of({
      take: (organizationId) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const isFull = all >= downloadsMax || of(organizationId) >= downloadsPerOrganizationMax
            if (isFull) return new NoDownloadPlace()
            return Effect.sync(() => add(organizationId, 1))
          }),
          () => Effect.sync(() => add(organizationId, -1)),
        ),
    })
  })
}

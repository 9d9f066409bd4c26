// Lets organizations take turns at background work, so that none waits for another's: two at a time, one turn each, in
// rotation. One whose turn was slow pauses for a multiple of its duration.
import { Clock, Effect } from "effect"
import type { DatabaseError } from "../database/database-error.ts"

/** Organizations whose turns a process runs at the same time. */
const atOnce = 2
/** A turn that took longer is followed by a pause of as many times its duration. Units: milliseconds. */
const slowTurn = 500
const pauseFactor = 9

export class Rotation {
  readonly #failure: string
  /** When an organization that had a slow turn may have its next one. */
  readonly #readyAt = new Map<string, number>()

  /** `failure`: what to log when a turn fails. */
  constructor(failure: string) {
    this.#failure = failure
  }

  /** Runs turns for these organizations until none has more to do, or until the time. `turn` says whether there is more. */
  run(
    organizationIds: ReadonlyArray<string>,
    until: number,
    turn: (organizationId: string) => Effect.Effect<boolean, DatabaseError>,
  ): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      let active = organizationIds
      while (active.length > 0) {
        const left: Array<string> = []
        yield* Effect.forEach(
          active,
          Effect.fnUntraced({ self: this }, function* (organizationId) {
            const now = yield* Clock.currentTimeMillis
            if (now >= until || (this.#readyAt.get(organizationId) ?? 0) > now) return
            this.#readyAt.delete(organizationId)
            if (yield* this.#orLogged(organizationId, turn(organizationId))) {
              left.push(organizationId)
            }
          }),
          { concurrency: atOnce, discard: true },
        )
        active = left
      }
    })
  }

  /** Records that a turn of the organization ended now, after so many milliseconds. */
  took(organizationId: string, now: number, ms: number): void {
    if (ms > slowTurn) this.#readyAt.set(organizationId, now + pauseFactor * ms)
  }

  /** Logs what fails, so that others still get their turns. */
  #orLogged(organizationId: string, turn: Effect.Effect<boolean, DatabaseError>) {
    return Effect.catchCause(turn, (cause) =>
      Effect.logError(this.#failure, cause).pipe(
        Effect.annotateLogs({ organizationId }),
        Effect.as(false),
      ),
    )
  }
}

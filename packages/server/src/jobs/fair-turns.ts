// Turns at something of which a process has little: statements of costly rules, files that are made again, pages
// that are read. A free turn goes to the organization that holds the fewest, and waiting is bounded, so no
// organization keeps the others from theirs for longer than one of its turns lasts.
import { type Duration, Effect } from "effect"

export interface FairTurnsLimits<Busy> {
  /** Turns at the same time. */
  readonly turns: number
  /** Those of one organization. */
  readonly turnsOfOne: number
  /** How long someone waits for a turn. */
  readonly wait: Duration.Input
  /** The error of whoever got no turn. */
  readonly busy: () => Busy
}

export interface FairTurns<Busy> {
  /** Runs the effect in a turn. */
  run<A, E, R>(
    organizationId: string,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | Busy, R>
}

interface Waiting {
  readonly organizationId: string
  readonly begin: () => void
}

export const makeFairTurns = <Busy>({
  busy,
  turns,
  turnsOfOne,
  wait,
}: FairTurnsLimits<Busy>): FairTurns<Busy> => {
  const waiting = new Set<Waiting>()
  /** Turns by organization; one that holds none is not here. */
  const held = new Map<string, number>()
  let free = turns
  const heldBy = (organizationId: string) => held.get(organizationId) ?? 0

  /** Of those who may have a turn the one that holds the fewest; of these who came first. */
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined
    for (const one of waiting) {
      const count = heldBy(one.organizationId)
      if (count >= turnsOfOne) continue
      if (first === undefined || count < heldBy(first.organizationId)) first = one
    }
    return first
  }

  const give = () => {
    while (free > 0) {
      const one = next()
      if (one === undefined) return
      waiting.delete(one)
      free--
      held.set(one.organizationId, heldBy(one.organizationId) + 1)
      one.begin()
    }
  }

  const giveBack = (organizationId: string) => {
    free++
    const left = heldBy(organizationId) - 1
    if (left === 0) held.delete(organizationId)
    else held.set(organizationId, left)
    give()
  }

  const run = <A, E, R>(organizationId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let hasTurn = false
      let one: Waiting | undefined
      const turn = Effect.callback<void>((resume) => {
        const begin = () => {
          hasTurn = true
          resume(Effect.void)
        }
        waiting.add((one = { organizationId, begin }))
        give()
      })
      return Effect.timeoutOrElse(turn, {
        duration: wait,
        orElse: () => Effect.fail(busy()),
      }).pipe(
        Effect.andThen(effect),
        // However it ends, and whenever it is interrupted.
        Effect.ensuring(
          Effect.sync(() => {
            if (hasTurn) giveBack(organizationId)
            else if (one !== undefined) waiting.delete(one)
          }),
        ),
      )
    })

  return { run }
}

// Shares a scarce resource fairly: expensive rules, files to recreate, pages to fetch, passwords to hash. A free turn
// goes to the organization that holds the fewest turns, and among those to the one served longest ago. Waiting is
// bounded, so no organization delays the others for longer than one of its turns. Before an organization is known,
// client addresses share the turns instead.
import { type Duration, Effect } from "effect"

export interface FairTurnsLimits<Busy> {
  /** Maximum turns at the same time. */
  readonly turns: number
  /** Maximum turns of one organization at the same time. */
  readonly turnsOfOne: number
  /** Maximum number of waiting callers, per organization and in total. Default: unlimited. */
  readonly waitingMax?: { readonly ofOne: number; readonly ofAll: number }
  /** How long a caller waits for a turn. */
  readonly wait: Duration.Input
  /** The error for a caller that got no turn. */
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

/** An organization that holds or waits for turns. */
interface Share {
  held: number
  waiting: number
  /** The number of its last turn; 0 before the first. */
  last: number
}

export const makeFairTurns = <Busy>({
  busy,
  turns,
  turnsOfOne,
  wait,
  waitingMax = { ofOne: Infinity, ofAll: Infinity },
}: FairTurnsLimits<Busy>): FairTurns<Busy> => {
  const waiting = new Set<Waiting>()
  const shares = new Map<string, Share>()
  let free = turns
  let given = 0

  const shareOf = (organizationId: string): Share => {
    const share = shares.get(organizationId) ?? { held: 0, waiting: 0, last: 0 }
    shares.set(organizationId, share)
    return share
  }
  const forgetIfIdle = (organizationId: string) => {
    const { held, waiting } = shareOf(organizationId)
    if (held + waiting === 0) shares.delete(organizationId)
  }

  /** Within an organization: first come, first served. */
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined
    let least: Share | undefined
    for (const one of waiting) {
      const share = shareOf(one.organizationId)
      if (share.held >= turnsOfOne) continue
      if (
        least === undefined ||
        share.held < least.held ||
        (share.held === least.held && share.last < least.last)
      ) {
        first = one
        least = share
      }
    }
    return first
  }

  const give = () => {
    while (free > 0) {
      const one = next()
      if (one === undefined) return
      waiting.delete(one)
      free--
      const share = shareOf(one.organizationId)
      share.waiting--
      share.held++
      share.last = ++given
      one.begin()
    }
  }

  const giveBack = (organizationId: string) => {
    free++
    shareOf(organizationId).held--
    forgetIfIdle(organizationId)
    give()
  }

  const leave = (one: Waiting) => {
    if (!waiting.delete(one)) return
    shareOf(one.organizationId).waiting--
    forgetIfIdle(one.organizationId)
  }

  const isFull = (organizationId: string): boolean =>
    (free === 0 && waiting.size >= waitingMax.ofAll) ||
    (shares.get(organizationId)?.waiting ?? 0) >= waitingMax.ofOne

  const run = <A, E, R>(organizationId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Busy, R> => {
      if (isFull(organizationId)) return Effect.fail(busy())
      let hasTurn = false
      let one: Waiting | undefined
      const turn = Effect.callback<void>((resume) => {
        const begin = () => {
          hasTurn = true
          resume(Effect.void)
        }
        waiting.add((one = { organizationId, begin }))
        shareOf(organizationId).waiting++
        give()
      })
      return Effect.timeoutOrElse(turn, {
        duration: wait,
        orElse: () => Effect.fail(busy()),
      }).pipe(
        Effect.andThen(effect),
        // Also if it is interrupted.
        Effect.ensuring(
          Effect.sync(() => {
            if (hasTurn) giveBack(organizationId)
            else if (one !== undefined) leave(one)
          }),
        ),
      )
    })

  return { run }
}

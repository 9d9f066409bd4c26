// Shares a scarce resource fairly: expensive rules, files, pages, passwords to hash. A free turn goes to the party that
// holds the fewest turns, and among those to the one served longest ago. A party is a person with all the organizations
// they created; before one is known, a client address. Waiting is bounded.
import { Context, type Duration, Effect } from "effect"

/** The party of an organization. Default: each organization is its own. */
export const PartyOf = Context.Reference<(organizationId: string) => Effect.Effect<string>>(
  "@footfall/server/jobs/PartyOf",
  { defaultValue: () => Effect.succeed },
)

export interface FairTurnsLimits<Busy> {
  /** Maximum turns at the same time. */
  readonly turns: number
  /** Maximum turns of one party at the same time. */
  readonly turnsOfOne: number
  /** A party that holds a turn never takes more than half of what the others leave, so one that comes new finds one. */
  readonly leavesHalf?: boolean
  /** Maximum number of waiting callers, per party and in total. Default: unlimited. */
  readonly waitingMax?: { readonly ofOne: number; readonly ofAll: number }
  /** How long a caller waits for a turn. */
  readonly wait: Duration.Input
  /** The error for a caller that got no turn. */
  readonly busy: () => Busy
}

export interface FairTurns<Busy> {
  /** Runs the effect in a turn. */
  run<A, E, R>(party: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Busy, R>
}

interface Waiting {
  readonly party: string
  readonly begin: () => void
}

/** A party that holds or waits for turns. */
interface Share {
  held: number
  waiting: number
  /** The number of its last turn. One that comes new ranks behind all who wait, except the one served last. */
  last: number
}

export const makeFairTurns = <Busy>({
  busy,
  leavesHalf = false,
  turns,
  turnsOfOne,
  wait,
  waitingMax = { ofOne: Infinity, ofAll: Infinity },
}: FairTurnsLimits<Busy>): FairTurns<Busy> => {
  const waiting = new Set<Waiting>()
  const shares = new Map<string, Share>()
  let free = turns
  let given = 0

  const shareOf = (party: string): Share => {
    const share = shares.get(party) ?? { held: 0, waiting: 0, last: given - 1 }
    shares.set(party, share)
    return share
  }
  const forgetIfIdle = (party: string) => {
    const { held, waiting } = shareOf(party)
    if (held + waiting === 0) shares.delete(party)
  }

  /** Within a party: first come, first served. */
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined
    let least: Share | undefined
    for (const one of waiting) {
      const share = shareOf(one.party)
      if (share.held >= turnsOfOne) continue
      if (leavesHalf && share.held > 0 && 2 * (share.held + 1) > share.held + free) continue
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
      const share = shareOf(one.party)
      share.waiting--
      share.held++
      share.last = ++given
      one.begin()
    }
  }

  const giveBack = (party: string) => {
    free++
    shareOf(party).held--
    forgetIfIdle(party)
    give()
  }

  const leave = (one: Waiting) => {
    if (!waiting.delete(one)) return
    shareOf(one.party).waiting--
    forgetIfIdle(one.party)
  }

  const isFull = (party: string): boolean =>
    (free === 0 && waiting.size >= waitingMax.ofAll) ||
    (shares.get(party)?.waiting ?? 0) >= waitingMax.ofOne

  const run = <A, E, R>(party: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Busy, R> => {
      if (isFull(party)) return Effect.fail(busy())
      let hasTurn = false
      let one: Waiting | undefined
      const turn = Effect.callback<void>((resume) => {
        const begin = () => {
          hasTurn = true
          resume(Effect.void)
        }
        waiting.add((one = { party, begin }))
        shareOf(party).waiting++
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
            if (hasTurn) giveBack(party)
            else if (one !== undefined) leave(one)
          }),
        ),
      )
    })

  return { run }
}

/** Turns that the organizations of one party share. */
export const makePartyTurns = <Busy>(limits: FairTurnsLimits<Busy>) =>
  Effect.map(PartyOf, (partyOf) => {
    const turns = makeFairTurns(limits)
    return {
      /** Runs the effect in a turn of the organization's party. */
      run: <A, E, R>(organizationId: string, effect: Effect.Effect<A, E, R>) =>
        Effect.flatMap(partyOf(organizationId), (party) => turns.run(party, effect)),
    }
  })

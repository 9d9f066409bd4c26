// The organizations that the pass works at apart from the others, as this process remembers them: those whose
// turn someone else has, until they had theirs, and those of which an event failed, for ten minutes after
// the last failure. So only a first failure costs others anything. It is a memory of what to try, and no more:
// whatever is lost or outdated of it costs a try, never an event. Pure.
import { Bisection } from "./bisection.ts"

/** How long an organization of which an event failed is worked at apart. Our bound. Units: milliseconds. */
const probationMs = 600_000

interface One {
  /** Of the events that failed together. */
  readonly bisection: Bisection | undefined
  /** Epoch milliseconds. */
  readonly until: number
}

export class Apart {
  readonly #all = new Map<string, One>()

  get organizationIds(): ReadonlyArray<string> {
    return [...this.#all.keys()]
  }

  /** Someone else has its turn. */
  isBusy(organizationId: string): void {
    if (!this.#all.has(organizationId))
      this.#all.set(organizationId, { bisection: undefined, until: 0 })
  }

  /** Some of its events failed together. */
  failed(organizationId: string, events: number, now: number): void {
    const bisection = this.#all.get(organizationId)?.bisection
    bisection?.failed()
    this.#all.set(organizationId, {
      bisection: bisection ?? new Bisection(events),
      until: now + probationMs,
    })
  }

  /** How many events to try next; undefined: as many as ever. */
  triedNext(organizationId: string): number | undefined {
    return this.#all.get(organizationId)?.bisection?.next
  }

  /** What was tried is done. `wasGood`: false, when it was one event that was set aside. */
  done(organizationId: string, wasGood: boolean, now: number): void {
    const one = this.#all.get(organizationId)
    if (one === undefined) return
    one.bisection?.done(wasGood)
    const bisection = one.bisection?.next === undefined ? undefined : one.bisection
    const until = wasGood ? one.until : now + probationMs
    if (bisection === undefined && until <= now) this.#all.delete(organizationId)
    else this.#all.set(organizationId, { bisection, until })
  }
}

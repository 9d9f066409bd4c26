// The organizations that this process handles apart from the others: those whose turn was taken, until they get
// theirs, and those with a failing event, for ten minutes after the last failure. So only a first failure delays
// the others. This is only a memory of what to try: losing it costs a retry, never an event. Pure.
import { Bisection } from "./bisection.ts"

/** How long an organization with a failing event is handled apart. Units: milliseconds. */
const probationMs = 600_000

interface One {
  /** For the events that failed together. */
  readonly bisection: Bisection | undefined
  /** Epoch milliseconds. */
  readonly until: number
}

export class IsolatedOrganizations {
  readonly #all = new Map<string, One>()

  get organizationIds(): ReadonlyArray<string> {
    return [...this.#all.keys()]
  }

  /** Another writer holds its turn. */
  markBusy(organizationId: string): void {
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

  /** How many events to try next; undefined for the usual number. */
  nextTrial(organizationId: string): number | undefined {
    return this.#all.get(organizationId)?.bisection?.next
  }

  /** Ends a trial. `succeeded` is false if its single event failed and was set aside. */
  done(organizationId: string, succeeded: boolean, now: number): void {
    const one = this.#all.get(organizationId)
    if (one === undefined) return
    one.bisection?.done(succeeded)
    const bisection = one.bisection?.next === undefined ? undefined : one.bisection
    const until = succeeded ? one.until : now + probationMs
    if (bisection === undefined && until <= now) this.#all.delete(organizationId)
    else this.#all.set(organizationId, { bisection, until })
  }
}

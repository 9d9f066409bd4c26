// Counts what a webhook would have sent for each way of sending again, as matches arrive in the order of time
// (spec 5.6.11). It keeps one time per person or company and the newest matches.
import type { WebhookContent } from "../store.ts"
import type { Again } from "../webhook.ts"
import type { TrialSession } from "./store.ts"

/** A session that a webhook is about. */
export interface Match {
  readonly session: TrialSession
  /** Epoch milliseconds. */
  readonly at: number
  /** The page; null for a trigger that is not about pages. */
  readonly url: string | null
  /** The person or company. */
  readonly subject: string
}

const hour = 3_600_000

/** How long after one message the next may follow. Units: milliseconds. */
const pauses: Readonly<Record<Again, number>> = {
  every_session: 0,
  "1h": hour,
  "24h": 24 * hour,
  "7d": 7 * 24 * hour,
  once: Infinity,
}
const ways = Object.keys(pauses) as ReadonlyArray<Again> // the table's own keys

const newestMax = 10

export class Tally {
  readonly #again: Again
  readonly #lastTold = new Map<string, Partial<Record<Again, number>>>()
  readonly #newest: Array<Match & { readonly told: boolean }> = []
  readonly byAgain: Record<Again, number> = {
    every_session: 0,
    "1h": 0,
    "24h": 0,
    "7d": 0,
    once: 0,
  }
  /** Matches of someone suppressed. */
  suppressed = 0

  /** `again`: the webhook's own. */
  constructor(again: Again) {
    this.#again = again
  }

  /** The newest matches, newest first, and whether each would have been sent. */
  get newest(): ReadonlyArray<Match & { readonly told: boolean }> {
    return this.#newest.toReversed()
  }

  add(match: Match): void {
    const { at, session, subject } = match
    if (session.isSuppressed) {
      this.suppressed++
      return
    }
    const last = this.#lastTold.get(subject) ?? {}
    const told = ways.filter((way) => last[way] === undefined || at >= last[way] + pauses[way])
    for (const way of told) {
      this.byAgain[way]++
      last[way] = at
    }
    this.#lastTold.set(subject, last)
    this.#newest.push({ ...match, told: told.includes(this.#again) })
    if (this.#newest.length > newestMax) this.#newest.shift()
  }
}

/** How often the webhook sends someone. `first_match` sends a person once. */
export const againOf = ({ again, trigger }: Pick<WebhookContent, "again" | "trigger">): Again =>
  again ?? (trigger === "first_match" ? "once" : "every_session")

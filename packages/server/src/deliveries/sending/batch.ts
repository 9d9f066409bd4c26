// Sends the contacts of one batch (decisions.md 2.16, 8.4): so many at a time, in the order of the results,
// each at most three times. A contact that is to be tried again does not hold up the others: it comes after
// them, when its wait is over.
import { Clock, Effect } from "effect"
import { contactsAtOnce } from "../delivery.ts"
import type { BatchProgress } from "./batch-progress.ts"
import { type Outcome, unwritable } from "./outcome.ts"
import type { PresentContact } from "./planned-contact.ts"

/** How contacts leave. */
export interface Channel {
  /** `attempt`: of this contact in the delivery, from 1. Never fails. */
  send(contact: PresentContact, attempt: number): Effect.Effect<Outcome>
}

/** After the first attempt and after the second. decisions.md 8.4. Units: milliseconds. */
export const contactWaitsMs = [2_000, 10_000] as const

interface Due {
  readonly contact: PresentContact
  readonly at: number
}

export const sendBatch = Effect.fnUntraced(function* (
  contacts: ReadonlyArray<PresentContact>,
  channel: Channel,
  progress: BatchProgress,
) {
  progress.begin(contacts)
  let due: Array<Due> = contacts.map((contact) => ({ contact, at: 0 }))
  for (let tries = 1; due.length > 0 && progress.halt === undefined; tries++) {
    const next: Array<Due> = []
    let place = 0
    const one = Effect.gen(function* () {
      while (place < due.length && progress.halt === undefined) {
        const { at, contact } = due[place++]!
        if (at > 0) {
          yield* Effect.sleep(Math.max(0, at - (yield* Clock.currentTimeMillis)))
          if (progress.halt !== undefined) return
        }
        const attempt = progress.attempt(contact)
        const outcome = yield* Effect.catchDefect(channel.send(contact, attempt), () =>
          Effect.succeed(unwritable),
        )
        const now = yield* Clock.currentTimeMillis
        if (!progress.record(contact, outcome, tries, now)) continue
        next.push({ contact, at: now + waitMs(outcome, tries) })
      }
    })
    const lanes = Math.min(contactsAtOnce, due.length)
    yield* Effect.all(
      Array.from({ length: lanes }, () => one),
      { concurrency: lanes, discard: true },
    )
    due = next
  }
  progress.end()
})

/** A longer Retry-After is waited for in place. decisions.md 13. */
const waitMs = (outcome: Outcome, tries: number): number => {
  const retryAfterSeconds = outcome.type === "transient" ? outcome.retryAfterSeconds : null
  return Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000)
}

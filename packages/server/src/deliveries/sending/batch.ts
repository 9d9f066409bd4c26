// Sends the contacts of one batch (spec 2.16, 8.4): so many at a time, in the order of the results,
// each at most three times. A contact that is to be tried again does not hold up the others: it comes after
// them, when its wait is over.
import { Clock, Effect, type Semaphore } from "effect"
import { batchSize, contactsAtOnce } from "../delivery.ts"
import type { BatchProgress } from "./batch-progress.ts"
import { type ContactOutcome, unwritable } from "./outcome.ts"
import type { PresentContact } from "./planned-contact.ts"

/** How contacts leave. */
export interface Channel {
  /** `attempt`: of this contact in the delivery, from 1. Never fails. */
  send(contact: PresentContact, attempt: number): Effect.Effect<ContactOutcome>
}

/** Where a batch stands among the others of its delivery. */
export interface Pace {
  /** A permit for each contact that is begun; given back when what became of it is written down. */
  readonly window: Semaphore.Semaphore
  /** Called while so many are settled that they may be written down; does not wait for it. */
  readonly part: Effect.Effect<void>
  /** Called when the first contact is begun, and has not to wait for a permit any longer. */
  readonly firstBegun: Effect.Effect<void>
  /** Called when the last twenty contacts are begun, where there are so many. */
  readonly nearEnd: Effect.Effect<void>
  /** Whether a contact may still be sent, asked right before each attempt: else it is skipped. */
  mayBeSent(contact: PresentContact, tries: number): Effect.Effect<boolean>
}

/** Settled contacts that may be written down while others are sent. */
const partSize = batchSize / 2

/** As many as are sent in the time of a look into the database. */
const lastContacts = 20

/** After the first attempt and after the second. Units: milliseconds. */ // spec 8.4
export const contactWaitsMs = [2_000, 10_000] as const

interface Due {
  readonly contact: PresentContact
  readonly at: number
}

export const sendBatch = Effect.fnUntraced(function* (
  contacts: ReadonlyArray<PresentContact>,
  channel: Channel,
  progress: BatchProgress,
  { firstBegun, mayBeSent, nearEnd, part, window }: Pace,
) {
  const clock = yield* Clock.Clock
  progress.begin(contacts)
  let due: Array<Due> = contacts.map((contact) => ({ contact, at: 0 }))
  for (let tries = 1; due.length > 0 && progress.halt === undefined; tries++) {
    const next: Array<Due> = []
    let place = 0
    const one = Effect.gen(function* () {
      while (place < due.length && progress.halt === undefined) {
        const { at, contact } = due[place++]!
        if (at > 0) {
          yield* Effect.sleep(Math.max(0, at - clock.currentTimeMillisUnsafe()))
          if (progress.halt !== undefined) return
        }
        if (tries === 1) {
          yield* window.take(1)
          if (progress.halt !== undefined) return yield* window.release(1)
          if (contact === contacts[0]) yield* firstBegun
          if (contact === contacts.at(-lastContacts)) yield* nearEnd
        }
        if (!(yield* mayBeSent(contact, tries))) {
          progress.skip(contact)
          yield* window.release(1)
          continue
        }
        if (progress.halt !== undefined) return tries === 1 ? yield* window.release(1) : undefined
        const attempt = progress.attempt(contact)
        const outcome = yield* Effect.catchDefect(channel.send(contact, attempt), () =>
          Effect.succeed(unwritable),
        )
        const now = clock.currentTimeMillisUnsafe()
        const isAgain = progress.record(contact, outcome, tries, now)
        if (isAgain) next.push({ contact, at: now + waitMs(outcome, tries) })
        else if (progress.settled >= partSize && !progress.isWhole) yield* part
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

/** A longer Retry-After is waited for in place. spec 8.1.8. */
const waitMs = (outcome: ContactOutcome, tries: number): number => {
  const retryAfterSeconds = outcome.type === "transient" ? outcome.retryAfterSeconds : null
  return Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000)
}

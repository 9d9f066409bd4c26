// Sends the contacts of one batch (spec 2.16, 8.4): a fixed number at a time, in the order of the results, each at most
// three times. A contact to be retried does not hold up the others: it follows them once its wait is over.
import { Clock, Deferred, Effect, type Semaphore } from "effect"
import { type Closing, isClosing } from "../../../platform/jobs/worker.ts"
import { contactsAtOnce } from "../delivery.ts"
import type { Asked, PresentContact } from "../plan.ts"
import type { Promptness } from "../../../platform/outbound/promptness.ts"
import type { BatchProgress } from "./batch-progress.ts"
import { type ContactOutcome, unwritable } from "./outcome.ts"

/** How contacts are sent. */
export interface Channel<Contact extends Asked = PresentContact> {
  /** How many contacts are sent at once, if one request takes several. Default: 5. */
  readonly atOnce?: number
  /** Never fails. */
  send(contact: Contact, attempt: Attempt): Effect.Effect<ContactOutcome>
}

export interface Attempt {
  /** The number of this attempt at the contact in the delivery, from 1. */
  readonly attempt: number
  /** When it begins. Epoch milliseconds. */
  readonly at: number
}

/** What an attempt waits for and checks first. */
export interface Leave<Contact extends Asked = PresentContact> {
  /** Once it completes, no attempt starts; waiting contacts stay open. */
  readonly leaving: Closing
  /** One permit per contact in progress, released once its result is stored. */
  readonly window: Semaphore.Semaphore
  /** Whether the contact may still be sent, checked right before each attempt; otherwise it is skipped. */
  mayBeSent(contact: Contact, tries: number, now: number): boolean | Effect.Effect<boolean>
  /** Learns how long each attempt takes. */
  readonly promptness: Promptness
  /** Called each time an attempt has failed and is made again. */
  stumbled(): Effect.Effect<void> | undefined
  /** Called each time a contact has settled. The next contact in its lane waits for the effect. */
  settled(): Effect.Effect<void> | undefined
}

/** After the first and the second attempt. Units: milliseconds. */ // spec 8.4
export const contactWaitsMs = [2_000, 10_000] as const

interface Due<Contact> {
  readonly contact: Contact
  readonly at: number
}

/**
 * Ends when no attempt is left; `progress` has the results. The lanes are plain loops with few steps, because a stream
 * of contacts, with a fiber for each, would take as much time as sending them.
 */
export const sendBatch = Effect.fnUntraced(function* <
  Planned extends Asked,
  Contact extends Planned,
>(
  contacts: ReadonlyArray<Contact>,
  channel: Channel<Contact>,
  progress: BatchProgress<Planned, Contact>,
  { leaving, mayBeSent, promptness, settled, stumbled, window }: Leave<Contact>,
) {
  const isHalted = () => progress.halt !== undefined || isClosing(leaving)
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  progress.begin(contacts)
  let due: ReadonlyArray<Due<Contact>> = contacts.map((contact) => ({ contact, at: 0 }))
  for (let tries = 1; due.length > 0 && !isHalted(); tries++) {
    const next = due.values()
    const again: Array<Due<Contact>> = []

    const lane = Effect.gen(function* () {
      for (const { at, contact } of next) {
        if (isHalted()) return
        if (at > 0) {
          const wait = Effect.sleep(Math.max(0, at - now()))
          yield* Effect.raceFirst(wait, Deferred.await(leaving))
        }
        if (tries === 1) yield* window.take(1)
        if (isHalted()) return tries === 1 ? yield* window.release(1) : undefined
        const answer = mayBeSent(contact, tries, now())
        if (!(typeof answer === "boolean" ? answer : yield* answer)) {
          progress.skip(contact)
          yield* window.release(1)
        } else if (isHalted()) {
          return tries === 1 ? yield* window.release(1) : undefined
        } else {
          const begun = now()
          const attempt = progress.attempt(contact, begun)
          const ended = promptness.begin(begun)
          const outcome = yield* Effect.catchDefect(
            Effect.suspend(() => channel.send(contact, { attempt, at: begun })),
            () => Effect.succeed(unwritable),
          )
          ended(now())
          const isAgain = progress.record(contact, outcome, tries, now())
          if (outcome.type === "skipped") yield* window.release(1)
          if (isAgain) again.push({ contact, at: now() + waitMs(outcome, tries) })
        }
        const then = progress.open.has(contact) ? stumbled() : settled()
        if (then !== undefined) yield* then
      }
    })

    const { atOnce = contactsAtOnce } = channel
    const lanes = Array.from({ length: Math.min(atOnce, due.length) }, () => lane)
    yield* Effect.all(lanes, { concurrency: lanes.length, discard: true })
    due = again
  }
  progress.end()
})

/** A longer Retry-After is waited for here. spec 8.1.8. */
const waitMs = (outcome: ContactOutcome, tries: number): number => {
  const retryAfterSeconds = outcome.type === "transient" ? outcome.retryAfterSeconds : null
  return Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000)
}

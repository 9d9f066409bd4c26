// Sends the contacts of one batch (spec 2.16, 8.4): a fixed number at a time, in the order of the results, each at most
// three times. A contact to retry does not hold up the others: it follows them once its wait is over.
import { Clock, Deferred, Effect, type Semaphore, Stream } from "effect"
import { type Closing, isClosing } from "../../jobs/worker.ts"
import { contactsAtOnce } from "../delivery.ts"
import type { PresentContact } from "../plan.ts"
import type { BatchProgress } from "./batch-progress.ts"
import { type ContactOutcome, unwritable } from "./outcome.ts"

/** How contacts are sent. */
export interface Channel {
  /** `attempt`: of this contact in the delivery, from 1. Never fails. */
  send(contact: PresentContact, attempt: number): Effect.Effect<ContactOutcome>
}

/** What an attempt waits for and checks first. */
export interface Leave {
  /** Once it completes, no attempt starts; waiting contacts stay open. */
  readonly closing: Closing
  /** One permit per contact in progress, released once its result is stored. */
  readonly window: Semaphore.Semaphore
  /** Checks right before each attempt whether the contact may still be sent; otherwise it is skipped. */
  mayBeSent(contact: PresentContact, tries: number): Effect.Effect<boolean>
}

/** After the first and the second attempt. Units: milliseconds. */ // spec 8.4
export const contactWaitsMs = [2_000, 10_000] as const

interface Due {
  readonly contact: PresentContact
  readonly at: number
}

/** Emits contacts as they settle; `progress` has the results. Ends when no attempt is left. */
export const sendBatch = (
  contacts: ReadonlyArray<PresentContact>,
  channel: Channel,
  progress: BatchProgress,
  { closing, mayBeSent, window }: Leave,
): Stream.Stream<PresentContact> => {
  const isHalted = () => progress.halt !== undefined || isClosing(closing)

  /** Everyone due for this attempt, then those whose next one follows. */
  const round = (due: ReadonlyArray<Due>, tries: number): Stream.Stream<PresentContact> => {
    const again: Array<Due> = []

    const attempt = Effect.fnUntraced(function* (contact: PresentContact) {
      if (!(yield* mayBeSent(contact, tries))) {
        progress.skip(contact)
        return yield* window.release(1)
      }
      if (isHalted()) return tries === 1 ? yield* window.release(1) : undefined
      const made = progress.attempt(contact, yield* Clock.currentTimeMillis)
      const outcome = yield* Effect.catchDefect(channel.send(contact, made), () =>
        Effect.succeed(unwritable),
      )
      const now = yield* Clock.currentTimeMillis
      const isAgain = progress.record(contact, outcome, tries, now)
      if (isAgain) again.push({ contact, at: now + waitMs(outcome, tries) })
    })

    const one = Effect.fnUntraced(function* ({ at, contact }: Due) {
      if (isHalted()) return contact
      if (at > 0) {
        const waitMs = Math.max(0, at - (yield* Clock.currentTimeMillis))
        yield* Effect.raceFirst(Effect.sleep(waitMs), Deferred.await(closing))
      }
      if (tries === 1) yield* window.take(1)
      if (!isHalted()) yield* attempt(contact)
      else if (tries === 1) yield* window.release(1)
      return contact
    })

    return Stream.fromIterable(due).pipe(
      Stream.mapEffect(one, { concurrency: contactsAtOnce, unordered: true }),
      Stream.filter((contact) => !progress.open.has(contact)),
      Stream.concat(
        Stream.suspend(() => {
          if (again.length > 0 && !isHalted()) return round(again, tries + 1)
          progress.end()
          return Stream.empty
        }),
      ),
    )
  }

  return Stream.suspend(() => {
    progress.begin(contacts)
    return round(
      contacts.map((contact) => ({ contact, at: 0 })),
      1,
    )
  })
}

/** A longer Retry-After is waited for here. spec 8.1.8. */
const waitMs = (outcome: ContactOutcome, tries: number): number => {
  const retryAfterSeconds = outcome.type === "transient" ? outcome.retryAfterSeconds : null
  return Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000)
}

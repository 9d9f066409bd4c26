// Which contacts of a batch are sent (spec 2.16): those that are neither erased nor suppressed and that the destination
// accepts. If the batch was read too long ago, it is read again right before an attempt, because a slow endpoint may
// take minutes per batch, and a contact may wait for its second and third attempt.
import { Clock, Effect, Semaphore } from "effect"
import type { Target } from "../../destinations/targets/target.ts"
import type { PlannedContact, PresentContact } from "../plan.ts"
import type { Route } from "./route.ts"

/** Maximum age of the batch before a first attempt. */
export const readAheadMsMax = 5_000
/** Maximum age before a second or third attempt, which may be due for a whole batch at once. */
const againMsMax = 250

export interface ReadBatch {
  /** When reading started. Units: milliseconds. */
  readonly at: number
  readonly contacts: ReadonlyArray<PlannedContact>
}

export const isSendable =
  (route: Route, target: Target) =>
  (contact: PlannedContact): contact is PresentContact =>
    contact.row !== undefined && !contact.isSuppressed && route.takes(contact.row, target)

/** Whether a contact of batch `first` may still be sent. Concurrent calls share one read. */
export const stillSendable = (
  first: ReadBatch,
  readAgain: Effect.Effect<ReadBatch>,
  takes: ReturnType<typeof isSendable>,
) => {
  const reading = Semaphore.makeUnsafe(1)
  const everyone = new Set(first.contacts.map(({ place }) => place))
  let seen = { at: first.at, places: everyone }
  const isOld = (now: number, tries: number) =>
    now - seen.at > (tries === 1 ? readAheadMsMax : againMsMax)
  const refreshed = Effect.fnUntraced(function* (tries: number) {
    if (!isOld(yield* Clock.currentTimeMillis, tries)) return
    const { at, contacts } = yield* readAgain
    seen = { at, places: new Set(contacts.filter(takes).map(({ place }) => place)) }
  })
  return ({ place }: PresentContact, tries: number, now: number) =>
    isOld(now, tries)
      ? Effect.map(reading.withPermit(refreshed(tries)), () => seen.places.has(place))
      : seen.places.has(place)
}

// Who of a batch is sent (spec 2.16): whoever is neither erased nor suppressed, and goes this way. It
// is looked at again right before an attempt, when the batch was read too long ago: a slow endpoint may take
// minutes for a batch, and a contact may wait for its second and third attempt.
import { Clock, Effect, Semaphore } from "effect"
import type { Target } from "../../destinations/targets/target.ts"
import type { PlannedContact, PresentContact } from "../plan.ts"
import type { Route } from "./route.ts"

/** What was read before that is read again before a first attempt. */
export const readAheadMsMax = 5_000
/** The same before a second or third one, which a whole batch may be due for at once. */
const againMsMax = 250

export interface ReadBatch {
  /** When reading began. Units: milliseconds. */
  readonly at: number
  readonly contacts: ReadonlyArray<PlannedContact>
}

export const isSendable =
  (route: Route, target: Target) =>
  (contact: PlannedContact): contact is PresentContact =>
    contact.row !== undefined && !contact.isSuppressed && route.takes(contact.row, target)

/** Whether a contact of the batch `first` still is one to be sent. One reads for all that ask meanwhile. */
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
  return Effect.fnUntraced(function* ({ place }: PresentContact, tries: number) {
    if (isOld(yield* Clock.currentTimeMillis, tries)) {
      yield* reading.withPermit(refreshed(tries))
    }
    return seen.places.has(place)
  })
}

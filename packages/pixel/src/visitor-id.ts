/**
 * The anonymous id of this browser: a random UUID v4 in a first-party cookie and, as a second copy,
 * in local storage, both for 13 months from the last visit (decisions.md 6.6).
 *
 * Promises an id that stays the same while the page lives, whatever the browser blocks; none, and
 * nothing left in storage, under a privacy signal.
 */
import { guard } from "./guard.ts"
import { hasPrivacySignal } from "./privacy.ts"
import { cookieDomain, isStored } from "./settings.ts"
import { newUuid } from "./uuid.ts"

/** Name of the cookie and of the copy. */
const NAME = "footfall_id"
/** 13 months. */
const LIFETIME_SECONDS = 395 * 86_400

/** Null: this browser is not to be known again. */
export let visitorId: string | null = null

const idIn = (text: string) => (/footfall_id=([\da-f-]{36})/.exec(text) || [])[1]

// Storage may be missing, blocked or full; touching it then throws.
const readCookie = guard(() => idIn(document.cookie))
const readCopy = guard(() => {
  const copy = localStorage[NAME] as string
  // Local storage has no expiry of its own: the copy begins with its moment in milliseconds.
  return parseInt(copy) > Date.now() && idIn(copy)
})

const write = guard((id: string, lifetimeSeconds: number) => {
  const pair = NAME + "=" + id
  document.cookie =
    pair +
    ";path=/;samesite=lax;max-age=" +
    lifetimeSeconds +
    (cookieDomain && ";domain=" + cookieDomain) +
    (location.protocol === "https:" ? ";secure" : "")
  if (id) localStorage[NAME] = Date.now() + lifetimeSeconds * 1000 + pair
  else delete localStorage[NAME]
})

const take = (id: string) => {
  visitorId = id
  if (isStored) write(id, LIFETIME_SECONDS)
}

/** Gives this browser the id it had, or a new one. */
export const openVisitorId = (): void => {
  if (hasPrivacySignal()) write("", 0)
  else take((isStored && (readCookie() || readCopy())) || newUuid())
}

/** Gives this browser a new id. */
export const resetVisitorId = (): void => {
  if (visitorId) take(newUuid())
}

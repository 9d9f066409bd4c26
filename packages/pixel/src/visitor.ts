/**
 * What the visitor has chosen, and the anonymous id of this browser: a random UUID v4, kept for 13
 * months from the last visit (spec 6.6).
 *
 * Promises that nothing of the visitor is kept before `openVisitor` may, an id that stays the same
 * while the page lives, whatever the browser blocks, and none under a privacy signal.
 */
import type { PixelEvent } from "./event.ts"
import { CHOICE, CONSENT_SECONDS, ID, ID_SECONDS } from "./limits.ts"
import { isAnonymous, isDenied, isStored, needsConsent } from "./settings.ts"
import { keep, kept } from "./storage.ts"
import { newUuid } from "./uuid.ts"

/** `out`: the opt-out of this site, which consent does not lift. Empty: none yet. */
export type Choice = "granted" | "denied" | "out" | ""

export let choice: string | undefined
/** Null: this browser is not to be known again, or not yet. */
export let visitorId: string | null = null

/** The last page view that was recorded; with the first one the visit has begun. */
export let lastPage: PixelEvent | 0 | undefined

export const visit = (event: PixelEvent): void => {
  lastPage = event
}

/** Nothing is to be recorded, not even for later. */
export const isRefused = (): boolean => isDenied || (!!choice && choice !== "granted")

export const isPermitted = (): boolean =>
  !isRefused() && !(HAS_CONSENT && needsConsent && choice !== "granted")

/** Null: forgets it, here and where an earlier page kept it. */
export const take = (id: string | null): void => {
  visitorId = id
  if (!HAS_OPTIONS || isStored || !id) keep(ID, id, ID_SECONDS)
}

/**
 * Whether events may leave; the browser then has its id: the one it had, or a new one. Looks at what
 * is kept, so that a choice made in one tab holds in the others. A page that no one has seen yet,
 * opened in the background or prerendered, is no visit, and on one that does not count nothing is kept.
 */
export const openVisitor = (): true | undefined => {
  choice = kept(CHOICE) || choice
  if (lastPage && isPermitted()) {
    if (isAnonymous) take(null)
    else if (!visitorId) take(((!HAS_OPTIONS || isStored) && kept(ID)) || newUuid())
    return true
  }
}

/** The visit is over: what is recorded next begins another one. */
export const forget = (): void => {
  take(null)
  lastPage = 0
}

/** Keeps the choice. */
export const choose = (value: Choice): void => {
  choice = value
  keep(CHOICE, value, value === "out" ? ID_SECONDS : CONSENT_SECONDS)
}

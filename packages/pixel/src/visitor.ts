/**
 * The visitor's choice, and this browser's anonymous id: a random UUID v4, kept for 13 months from the last visit
 * (spec 6.6).
 *
 * Nothing about the visitor is stored before `openVisitor` allows it. The id stays the same while the page lives,
 * whatever the browser blocks. Under a privacy signal there is none.
 */
import type { PixelEvent } from "./event.ts"
import { CHOICE, CONSENT_SECONDS, ID, ID_SECONDS } from "./limits.ts"
import { isAnonymous, isDenied, isStored, needsConsent } from "./settings.ts"
import { keep, kept } from "./storage.ts"
import { newUuid } from "./uuid.ts"

/** `out`: the visitor opted out on this site, and consent doesn't lift that. Empty: no choice yet. */
export type Choice = "granted" | "denied" | "out" | ""

export let choice: string | undefined
/** Null if this browser must not be recognized, or not yet. */
export let visitorId: string | null = null

/** The last recorded page view. The first one starts the visit. */
export let lastPage: PixelEvent | 0 | undefined

export const visit = (event: PixelEvent): void => {
  lastPage = event
}

/** Record nothing, not even to send later. */
export const isRefused = (): unknown => isDenied || (choice && choice !== "granted")

export const isPermitted = (): boolean =>
  !isRefused() && !(HAS_CONSENT && needsConsent && choice !== "granted")

/** Null forgets the id, both here and where an earlier page stored it. */
export const take = (id: string | null): void => {
  visitorId = id
  if (!HAS_OPTIONS || isStored || !id) keep(ID, id, ID_SECONDS)
}

/**
 * Whether events may be sent. If so, the browser has an id afterwards: its existing one or a new one. It reads the
 * stored choice, so a choice made in one tab applies in the others. A page that no one has seen yet, opened in the
 * background or prerendered, is not a visit, and a page that doesn't count stores nothing.
 */
export const openVisitor = (): true | undefined => {
  choice = kept(CHOICE) || choice
  if (lastPage && isPermitted()) {
    if (isAnonymous) take(null)
    else if (!visitorId) take(((!HAS_OPTIONS || isStored) && kept(ID)) || newUuid())
    return true
  }
}

/** Ends the visit. The next event starts a new one. */
export const forget = (): void => {
  take(null)
  lastPage = 0
}

/** Stores the choice. */
export const choose = (value: Choice): void => {
  choice = value
  keep(CHOICE, value, value === "out" ? ID_SECONDS : CONSENT_SECONDS)
}

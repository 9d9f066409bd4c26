/**
 * The visitor's choices and their effects (spec 6.6). Revoking consent clears the id and all waiting events. After a
 * grant the current page counts, along with the events held for it.
 */
import { recordFirst } from "./page-views.ts"
import { resume, stop } from "./queue.ts"
import { isDenied } from "./settings.ts"
import { choice, choose, isPermitted, isRefused } from "./visitor.ts"
import type { Choice } from "./visitor.ts"

export const decide = (value: Choice): void => {
  choose(value)
  if (isRefused()) {
    stop()
  } else {
    recordFirst()
    resume()
  }
}

/**
 * Does nothing if the site owner or the opt-out denies. Consent that was never given can't be revoked, so a banner that
 * first reports `denied` changes nothing.
 */
export const giveConsent = (value: unknown): void => {
  if (
    choice !== "out" &&
    !isDenied &&
    (value === "granted" || (value === "denied" && (!HAS_CONSENT || isPermitted())))
  )
    decide(value)
}

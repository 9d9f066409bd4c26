/**
 * Choices of the visitor and what follows from them (spec 6.6). Revoking clears the id and
 * what waits; after a grant the page the visitor is on counts, with what was held of it.
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
 * Changes nothing where the owner or the opt-out denies. What was never given cannot be revoked: a
 * banner that says `denied` first changes nothing either.
 */
export const giveConsent = (value: unknown): void => {
  if (
    !isDenied &&
    choice !== "out" &&
    (value === "granted" || (value === "denied" && (!HAS_CONSENT || isPermitted())))
  )
    decide(value)
}

/**
 * Who this browser is said to belong to (decisions.md 6.7): an e-mail address, trimmed and
 * lower-cased, or its SHA-256 hash, and what the site knows of that person.
 *
 * Refuses, by throwing, whatever is neither: a wrong link is worse than none. Which traits count is
 * the server's to say.
 */
import { attributionOf } from "./attribution.ts"
import type { PixelEvent } from "./event.ts"
import { pickScalars } from "./scalars.ts"

/** At most 320 characters, linear in time. Whether the address exists is no question for a pattern. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,191}\.[^\s@.]{1,63}$/
const EMAIL_HASH = /^[\da-f]{64}$/

/** Arguments of `identify` as the page gave them; nothing is known of them. */
interface Given {
  readonly emailHash?: unknown
  readonly custom?: unknown
}

/** Fields of an identify event. */
export const identityOf = (subject: Given | null, given?: Given | null): PixelEvent => {
  const emailHash = subject && subject.emailHash
  const text = ("" + (emailHash || subject)).trim().toLowerCase()
  const traits: PixelEvent = pickScalars(given)
  traits["custom"] = attributionOf(given && given.custom)
  if (!(emailHash ? EMAIL_HASH : EMAIL).test(text)) throw "identify: no e-mail address"
  return { [emailHash ? "emailHash" : "email"]: text, traits }
}

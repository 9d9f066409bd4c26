/**
 * Who this browser is said to belong to (decisions.md 6.7): an e-mail address, trimmed and
 * lower-cased, or its SHA-256 hash, and what the site knows of that person.
 *
 * Refuses, by throwing, whatever is neither: a wrong link is worse than none. Which traits count is
 * the server's to say.
 */
import { attributionOf } from "./attribution.ts"
import { newEvent } from "./event.ts"
import type { PixelEvent } from "./event.ts"
import { TITLE_DELAY_MS } from "./limits.ts"
import { isAnonymous } from "./privacy.ts"
import { enqueue, flush } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { visitorId } from "./visitor.ts"

/** At most 320 characters, linear in time. Whether the address exists is no question for a pattern. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,191}\.[^\s@.]{1,63}$/
const EMAIL_HASH = /^[\da-f]{64}$/

/** Arguments of `identify` as the page gave them; nothing is known of them. */
interface Given {
  readonly emailHash?: unknown
  readonly custom?: unknown
}

let lastIdentity: string | undefined

/** Once for each change, and for each id of the browser. */
const record = (type: string, fields: PixelEvent) => {
  const identity = JSON.stringify(fields) + visitorId
  if (isAnonymous() || identity === lastIdentity || !enqueue(newEvent(type, fields))) return
  lastIdentity = identity
  // At once, but for the title of a page view that came with it.
  setTimeout(flush, TITLE_DELAY_MS)
}

const normalize = (given: unknown, form: RegExp) => {
  const text = ("" + given).trim().toLowerCase()
  if (!form.test(text)) throw "no e-mail address"
  return text
}

export const identify = (subject?: unknown, given?: unknown): void => {
  // Anything but nothing reads as an object whose members are unknown.
  const emailHash = subject && (subject as Given).emailHash
  const traits: PixelEvent = pickScalars(given)
  traits["custom"] = attributionOf(given && (given as Given).custom)
  record(
    "identify",
    emailHash
      ? { emailHash: normalize(emailHash, EMAIL_HASH), traits }
      : { email: normalize(subject, EMAIL), traits },
  )
}

/** An address the visitor has typed into a form. */
export const capture = (address: string): void =>
  record("capture", { email: normalize(address, EMAIL) })

/**
 * Who this browser is said to belong to (decisions.md 6.7): an e-mail address, trimmed and
 * lower-cased, or its SHA-256 hash, and what the site knows of that person.
 *
 * Refuses, by throwing, whatever is neither: a wrong link is worse than none. Which traits count is
 * the server's to say.
 */
import type { PixelEvent } from "./event.ts"
import { TITLE_DELAY_MS } from "./limits.ts"
import { isAnonymous } from "./privacy.ts"
import { flush, record } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { visitorId } from "./visitor.ts"

/** At most 320 characters, linear in time. Whether the address exists is no question for a pattern. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,191}\.[^\s@]{1,63}$/
const EMAIL_HASH = /^[\da-f]{64}$/

/** Arguments of `identify` as the page gave them; nothing is known of them. */
interface Given {
  readonly emailHash?: unknown
  readonly custom?: unknown
}

let lastIdentity: string | undefined

/** Once for each change, and for each id of the browser. */
const recordIdentity = (type: string, fields: PixelEvent) => {
  const identity = JSON.stringify(fields) + visitorId
  if (!isAnonymous() && identity !== lastIdentity && record(type, fields)) {
    lastIdentity = identity
    // At once, but for the title of a page view that came with it.
    setTimeout(flush, TITLE_DELAY_MS)
  }
}

const normalize = (given: unknown, form: RegExp) => {
  const text = ("" + given).trim().toLowerCase()
  if (!form.test(text)) throw "no e-mail address"
  return text
}

export const identify = (subject?: unknown, given?: unknown): void => {
  // Nothing at all throws here; anything else reads as an object whose members are unknown.
  const { emailHash } = subject as Given
  recordIdentity("identify", {
    [emailHash ? "emailHash" : "email"]: normalize(
      emailHash || subject,
      emailHash ? EMAIL_HASH : EMAIL,
    ),
    traits: Object.assign(pickScalars(given), {
      custom: pickScalars(given && (given as Given).custom, true),
    }),
  })
}

/** An address the visitor has typed into a form. */
export const capture = (address: string): void =>
  recordIdentity("capture", { email: normalize(address, EMAIL) })

/**
 * Who this browser is said to belong to (spec 6.7): an e-mail address, trimmed and
 * lower-cased, or its SHA-256 hash, and what the site knows of that person.
 *
 * Refuses, by throwing, whatever is neither: a wrong link is worse than none. Which traits count is
 * the server's to say.
 */
import { TITLE_DELAY_MS } from "./limits.ts"
import { flush, record } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { isAnonymous } from "./settings.ts"
import { visitorId } from "./visitor.ts"

/** At most 320 characters, in linear time. A pattern cannot know whether the address exists. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,191}\.[^\s@]{1,63}$/
/** Whether its digits are hexadecimal, the server looks. */
const EMAIL_HASH = /^\w{64}$/

/** Arguments of `identify` as the page gave them; nothing is known of them. */
interface Given {
  readonly emailHash?: unknown
  readonly custom?: unknown
}

let lastIdentity: string | undefined

/**
 * Sent once for each change, and for each id of the browser, as soon as the page's title is known: it is
 * the event worth most, and people leave a page they have signed in on. A capture has no traits.
 */
export const identify = (subject?: unknown, given?: unknown, type = "identify"): void => {
  // Nothing at all throws here; anything else reads as an object whose members are unknown.
  const { emailHash } = subject as Given
  const text = ("" + (emailHash || subject)).trim().toLowerCase()
  if (!(emailHash ? EMAIL_HASH : EMAIL).test(text)) throw text
  const traits =
    HAS_CAPTURE && type === "capture"
      ? undefined
      : Object.assign(pickScalars(given), {
          custom: pickScalars(given && (given as Given).custom),
        })
  const fields = emailHash ? { emailHash: text, traits } : { email: text, traits }
  const identity = JSON.stringify(fields) + visitorId
  if (!isAnonymous && identity !== lastIdentity && record(type, fields)) {
    lastIdentity = identity
    setTimeout(flush, TITLE_DELAY_MS)
  }
}

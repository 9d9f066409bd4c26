/**
 * Links this browser to a person (spec 6.7): an email address, trimmed and lowercased, or its SHA-256 hash, and what
 * the site knows about that person.
 *
 * Throws for anything else, because a wrong link is worse than none. The server decides which traits count.
 */
import { TITLE_DELAY_MS } from "./limits.ts"
import { flush, record } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { isAnonymous } from "./settings.ts"
import { visitorId } from "./visitor.ts"

/** At most 320 characters, matched in linear time. A pattern can't tell whether the address exists. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,191}\.[^\s@]{1,63}$/
/** The server checks that the digits are hexadecimal. */
const EMAIL_HASH = /^\w{64}$/

/** Arguments of `identify` as the page passed them. They can be anything. */
interface IdentifyInput {
  readonly emailHash?: unknown
  readonly company?: unknown
  readonly custom?: unknown
}

let lastIdentity: string | undefined

/**
 * Sent once per change and per browser id, as soon as the page title is known. It's the most valuable event, and people
 * often leave the page after signing in. A capture has no traits.
 */
export const identify = (subject?: unknown, given?: unknown, type = "identify"): void => {
  // Null and undefined throw here. Anything else reads as an object with unknown members.
  const { emailHash } = subject as IdentifyInput
  const text = ("" + (emailHash || subject)).trim().toLowerCase()
  if (!(emailHash ? EMAIL_HASH : EMAIL).test(text)) throw text
  const { company, custom } = Object(given) as IdentifyInput
  const traits =
    HAS_CAPTURE && type === "capture"
      ? undefined
      : // own keys: `company` and `custom`.
        Object.assign(
          pickScalars(given),
          typeof company === "object" && { company: pickScalars(company) },
          { custom: pickScalars(custom) },
        )
  const fields = emailHash ? { emailHash: text, traits } : { email: text, traits }
  const identity = visitorId + JSON.stringify(fields)
  if (!isAnonymous && identity !== lastIdentity && record(type, fields)) {
    lastIdentity = identity
    setTimeout(flush, TITLE_DELAY_MS)
  }
}

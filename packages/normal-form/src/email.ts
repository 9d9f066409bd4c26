// Normalizes an email address for comparison: trimmed, the local part in lower case and NFC, the domain in lower case
// and ASCII (spec 1.5). It only checks that the form is plausible, in time linear in the length.
import { hiddenCharacter } from "./hidden-character.ts"

const localLengthMax = 64
/** Longer texts are no address, even if their domain gets shorter in ASCII. Our own limit. */
const givenLengthMax = 4_096
const localPart = /^[^\s@"(),:;<>[\\\]]+$/u
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const ascii = /^[\x00-\x7f]*$/

/** The normalized address, or undefined if the text isn't an address. *Bounds*: `lengthMax` characters. */
export const normalizeEmail = (text: string, lengthMax: number): string | undefined => {
  const given = text.trim()
  if (given.length > givenLengthMax) return undefined
  const email = ascii.test(given) ? given.toLowerCase() : international(given)
  return email === undefined ? undefined : checked(email, lengthMax)
}

/** Guarantee: checking a checked address changes nothing. */
const checked = (text: string, lengthMax: number): string | undefined => {
  // A trailing dot doesn't change the host.
  const email = text.endsWith(".") ? text.slice(0, -1) : text
  const at = email.lastIndexOf("@")
  if (at < 1 || at > localLengthMax || email.length > lengthMax) return undefined
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split(".")
  if (!localPart.test(local) || hiddenCharacter(email) !== undefined) return undefined
  if (local.startsWith(".") || local.endsWith(".")) return undefined
  return labels.length > 1 && labels.every((label) => domainLabel.test(label)) ? email : undefined
}

/**
 * A mailbox's owner decides what its local part means, so a character that merely looks like an ASCII one must not
 * become it: with `\u212A` (Kelvin) for `k`, one person's address would be another's.
 */
const international = (given: string): string | undefined => {
  const at = given.lastIndexOf("@")
  const local = given.slice(0, at)
  const domain = given.slice(at + 1)
  if (at < 1 || hiddenCharacter(given) !== undefined) return undefined
  for (const character of local) {
    if (!ascii.test(character) && ascii.test(folded(character))) return undefined
  }
  const host = ascii.test(domain) ? domain.toLowerCase() : asciiDomain(domain)
  return host === undefined ? undefined : `${folded(local)}@${host}`
}

const folded = (text: string): string => text.toLowerCase().normalize("NFC")

/** As a browser writes it in a URL, by UTS 46. Undefined if it isn't a name, or would be an IP address. */
const asciiDomain = (domain: string): string | undefined => {
  // What the parser would take for another part of the URL, decode or drop.
  if (/[\s/?#\\@:%[\]]/.test(domain)) return undefined
  const host = URL.parse(`http://${domain}/`)?.hostname
  return host === undefined || /(?:^|\.)\d+\.?$/.test(host) ? undefined : host
}

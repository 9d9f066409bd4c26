// Normalizes a domain for comparison: lowercase, ASCII, without scheme, user info, `www.`, port, path and trailing dot
// (spec 1.5). Linear in the length of the text.
import { getDomain } from "tldts"
import { hiddenCharacter } from "./hidden-character.ts"

/** Maximum input length, because the input may be a whole URL. Our own limit. */
const givenLengthMax = 65_536

/**
 * The normal form of a domain, or undefined if it isn't a host name. `localhost` is one; an IP address or a single
 * label isn't. Guarantee: normalizing a normal form changes nothing.
 *
 * *Bounds*: at most `lengthMax` characters in ASCII form.
 */
export const normalizeDomain = (text: string, lengthMax: number): string | undefined => {
  // No domain is that long, not even inside a URL. Matching it could also overflow the stack.
  if (text.length > givenLengthMax) return undefined
  if (text.length <= lengthMax && isPlainDomain(text)) return text
  const given = text.trim()
  // The parser drops some of them, and the rest would look like another name.
  if (hiddenCharacter(given) !== undefined) return undefined
  const host = given
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/[/?#\\].*$/s, "")
    .replace(/^.*@/s, "")
    .replace(/:\d*$/, "")
  const ascii = toAscii(host)
    .replace(/\.$/, "")
    .replace(/^(?:www\.)+(?=[^.]+(?:\.|$))/, "")
  return ascii.length <= lengthMax && isHostName(ascii) ? ascii : undefined
}

/**
 * Matches domains already in normal form, as most in a long list are, so they skip the parser. It takes letters, digits
 * and inner hyphens, and a last label of letters. It excludes `www.` and encoded labels, which may be invalid.
 */
const plain = /^(?!www\.)(?!xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.(?!xn--))+[a-z]{2,63}$/

/** Whether the text is its own normal form for certain. Others may be too. */
export const isPlainDomain = (text: string): boolean => plain.test(text)

/** The host as a browser writes it in a URL; empty if the browser would reject it. */
const toAscii = (host: string): string =>
  // The parser decodes `%` and drops whitespace, and a host name contains neither.
  /[%\s]/.test(host) ? "" : (URL.parse(`http://${host}/`)?.hostname ?? "")

/** Labels of 1 to 63 letters, digits and inner hyphens. The last label isn't a number. */
const isHostName = (host: string): boolean =>
  (host === "localhost" || host.includes(".")) &&
  !/(?:^|\.)\d+$/.test(host) &&
  host.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))

// The registrable part of a domain, by the public suffix list (spec 2.6, 13.1).

/** Takes a normalized domain; undefined for a public suffix, an IP address and `localhost`. */
export const registrableDomain = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: false }) ?? undefined

// A domain as Footfall compares it: lower case, ASCII, without scheme, user info, `www.`, port, path
// and trailing dot (spec 1.5). Linear in the length of the text.
import { hiddenCharacter } from "./hidden-character.ts"

/** Of a domain as it is given, which may be a whole address. Our bound. */
const givenLengthMax = 65_536

/**
 * The normal form of a domain, or undefined if it is not a host name. `localhost` is one, an address
 * and a single label are none. Guarantee: the normal form of a normal form is itself.
 *
 * *Bounds*: at most `lengthMax` characters in ASCII form.
 */
export const normalizeDomain = (text: string, lengthMax: number): string | undefined => {
  // Nothing that long is one, in the form of an address either; matching it could take more stack than there is.
  if (text.length > givenLengthMax) return undefined
  if (text.length <= lengthMax && plain.test(text)) return text
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
 * What most of a long list is already, and so need not be parsed: letters, digits and inner hyphens, a
 * last label of letters, neither `www.` nor an encoded label, which may be wrong.
 */
const plain = /^(?!www\.)(?!xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.(?!xn--))+[a-z]{2,63}$/

/** As a browser writes the host of an address; empty for what it would refuse. */
const toAscii = (host: string): string =>
  // The parser decodes these and drops those, and a host name has neither.
  /[%\s]/.test(host) ? "" : (URL.parse(`http://${host}/`)?.hostname ?? "")

/** Labels of 1 to 63 letters, digits and inner hyphens; the last one is not a number. */
const isHostName = (host: string): boolean =>
  (host === "localhost" || host.includes(".")) &&
  !/(?:^|\.)\d+$/.test(host) &&
  host.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))

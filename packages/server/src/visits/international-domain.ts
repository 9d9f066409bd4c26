// The two ways to write a domain of another script. ASCII is the form that domains are compared in
// (spec 1.5); what was hashed in the other one, or kept in it, can be found only by that one.
import { domainToASCII, domainToUnicode } from "node:url"

export interface Spellings {
  readonly ascii: string
  readonly unicode: string
}

/** Both are the domain itself where it is plain ASCII, and where it is no domain. */
export const spellingsOf = (domain: string): Spellings => {
  if (plain.test(domain)) return { ascii: domain, unicode: domain }
  const ascii = domainToASCII(domain)
  if (ascii === "") return { ascii: domain, unicode: domain }
  return { ascii, unicode: domainToUnicode(ascii) }
}

/** Without an encoded label: its other spelling is the same. */
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const plain = /^(?!.*xn--)[\x00-\x7f]*$/

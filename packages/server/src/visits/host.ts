// Whether a page belongs to a pixel. Hosts are compared as WHATWG URL gives them (lower case, ASCII),
// after `www.` and a trailing dot are removed.

import { domainToASCII, domainToUnicode } from "node:url"

/** How a page host stands to a pixel's domain. `local` is a developer's machine. */
export type HostStanding = "own" | "local" | "foreign"

const localHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

export const plainHost = (host: string): string => {
  const bare = host.endsWith(".") ? host.slice(0, -1) : host
  return bare.startsWith("www.") ? bare.slice(4) : bare
}

/** True when the host is the domain or a subdomain of it. */
export const isWithin = (host: string, domain: string): boolean => {
  const plain = plainHost(host)
  return plain === domain || plain.endsWith(`.${domain}`)
}

/** A pixel whose own domain is `localhost` is a development pixel: every local host is its own. */ // spec 6.1
export const hostStanding = (host: string, domain: string): HostStanding => {
  if (localHosts.has(plainHost(host))) return domain === "localhost" ? "own" : "local"
  return isWithin(host, domain) ? "own" : "foreign"
}

// The two ways to write a domain of another script. ASCII is the form that domains are compared in
// (spec 1.5); what was hashed in the other one, or kept in it, can be found only by that one.
export interface Spellings {
  readonly ascii: string
  readonly unicode: string
}

/** Both are the domain itself if it is plain ASCII or not a domain. */
export const spellingsOf = (domain: string): Spellings => {
  if (plain.test(domain)) return { ascii: domain, unicode: domain }
  const ascii = domainToASCII(domain)
  if (ascii === "") return { ascii: domain, unicode: domain }
  return { ascii, unicode: domainToUnicode(ascii) }
}

/** Without an encoded label: its other spelling is the same. */
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const plain = /^(?!.*xn--)[\x00-\x7f]*$/

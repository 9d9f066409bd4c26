// Whether a page belongs to a pixel. Hosts are compared as WHATWG URL prints them (lower case, ASCII), without `www.`
// and a trailing dot.

import { domainToASCII, domainToUnicode } from "node:url"

/** How a page's host relates to the pixel's domain. `local` is a developer's machine. */
export type HostStanding = "own" | "local" | "foreign"

const localHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

export const plainHost = (host: string): string => {
  const bare = host.endsWith(".") ? host.slice(0, -1) : host
  return bare.startsWith("www.") ? bare.slice(4) : bare
}

/** Whether the host is the domain or one of its subdomains. */
export const isWithin = (host: string, domain: string): boolean => {
  const plain = plainHost(host)
  return plain === domain || plain.endsWith(`.${domain}`)
}

/** A pixel for `localhost` is a development pixel, so every local host is its own. */ // spec 6.1
export const hostStanding = (host: string, domain: string): HostStanding => {
  if (localHosts.has(plainHost(host))) return domain === "localhost" ? "own" : "local"
  return isWithin(host, domain) ? "own" : "foreign"
}

/** The host without its first label; empty if it has one label. */
export const parentOf = (host: string): string => {
  const dot = host.indexOf(".")
  return dot === -1 ? "" : host.slice(dot + 1)
}

// The two spellings of an internationalized domain. Domains are compared in ASCII (spec 1.5), but values hashed or
// stored in the other spelling can only be found with it.
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

/** Without an encoded label both spellings are the same. */
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const plain = /^(?!.*xn--)[\x00-\x7f]*$/

// Whether a page belongs to a pixel. Hosts are compared as WHATWG URL gives them (lower case, ASCII),
// after `www.` and a trailing dot are removed.

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

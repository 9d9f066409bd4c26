// Whether a Content-Security-Policy allows a page to load a script and to send to a URL: the part of CSP Level 3 about
// external scripts in HTML and their requests. Ignores the rest of the policy. https://www.w3.org/TR/CSP3/

/** One directive: its name in lower case, and what it allows. */
export interface Directive {
  readonly name: string
  readonly sources: ReadonlyArray<string>
}

/** One policy's directives by name. */
export type Policy = ReadonlyMap<string, Directive>

export interface ScriptRequest {
  /** The page's URL: the meaning of `'self'`, and the scheme of sources without one. */
  readonly page: URL
  readonly url: URL
  readonly nonce: string | undefined
  readonly integrity: string | undefined
}

/** The policies of a header, separated by commas. CSP3, 2.2.2. */
export const readPolicies = (header: string): ReadonlyArray<Policy> =>
  header.split(",").map(readPolicy)

/** One policy. Of a repeated directive the first counts. CSP3, 2.2.1. */
export const readPolicy = (text: string): Policy => {
  const directives = new Map<string, Directive>()
  for (const part of text.split(";")) {
    const [given = "", ...sources] = part.split(/[\t\n\f\r ]+/).filter((token) => token !== "")
    const name = given.toLowerCase()
    if (name !== "" && !directives.has(name)) directives.set(name, { name, sources })
  }
  return directives
}

/** The directive that blocks the script; undefined if it may load. CSP3, 6.7.1. */
export const scriptBlockedBy = (policy: Policy, request: ScriptRequest): Directive | undefined => {
  const directive = firstOf(policy, ["script-src-elem", "script-src", "default-src"])
  if (directive === undefined) return undefined
  const { sources } = directive
  if (hasNonce(sources, request.nonce) || hasHashes(sources, request.integrity)) return undefined
  // A tag in the page's own HTML is not loaded by a trusted script.
  if (sources.some((source) => /^'strict-dynamic'$/i.test(source))) return directive
  return sources.some((source) => matches(source, request)) ? undefined : directive
}

/** The directive that blocks requests to the URL. */
export const connectBlockedBy = (
  policy: Policy,
  request: Pick<ScriptRequest, "page" | "url">,
): Directive | undefined => {
  const directive = firstOf(policy, ["connect-src", "default-src"])
  return directive?.sources.some((source) => matches(source, request)) ? undefined : directive
}

const firstOf = (policy: Policy, names: ReadonlyArray<string>): Directive | undefined =>
  policy.get(names.find((name) => policy.has(name)) ?? "")

const hasNonce = (sources: ReadonlyArray<string>, nonce: string | undefined): boolean =>
  nonce !== undefined &&
  nonce !== "" &&
  sources.some((source) => /^'nonce-/i.test(source) && source.slice(7, -1) === nonce)

/** The policy must list every hash of the tag. CSP3, 6.7.1.1. */
const hasHashes = (sources: ReadonlyArray<string>, integrity = ""): boolean => {
  const hashes = integrity.split(/\s+/).filter((hash) => /^sha(?:256|384|512)-/.test(hash))
  return hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash.split("?")[0]}'`))
}

type Requested = Pick<ScriptRequest, "page" | "url">

const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(\d+|\*))?(\/[^?#]*)?$/i

/** CSP3, 6.7.2.8. */
const matches = (source: string, { page, url }: Requested): boolean => {
  if (source === "*") return /^https?:$/.test(url.protocol)
  if (/^'self'$/i.test(source))
    return (
      url.hostname === page.hostname && hasScheme(page.protocol, url) && hasPort(page.port, url)
    )
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return hasScheme(source.toLowerCase(), url)
  const [, scheme, host = "", port, path] = hostSource.exec(source) ?? []
  return (
    host !== "" &&
    hasScheme(scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`, url) &&
    hasHost(host.toLowerCase(), url.hostname) &&
    (port === "*" || hasPort(port ?? "", url)) &&
    hasPath(path ?? "", url.pathname)
  )
}

/** A source for `http:` also allows `https:`. */
const hasScheme = (scheme: string, { protocol }: URL): boolean =>
  scheme === protocol || (scheme === "http:" && protocol === "https:")

const hasHost = (pattern: string, host: string): boolean => {
  if (pattern === "*") return true
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** A URL without a port has its scheme's; 80 also allows 443, as `http:` allows `https:`. */
const hasPort = (port: string, url: URL): boolean => {
  const actual = url.port || defaultPorts.get(url.protocol)
  if (port === "") return url.port === ""
  return port === actual || (port === "80" && actual === "443")
}
const defaultPorts: ReadonlyMap<string, string> = new Map(
  Object.entries({ "http:": "80", "https:": "443" }),
)

/** A path ending in a slash allows everything below it. */
const hasPath = (pattern: string, path: string): boolean => {
  if (pattern === "" || pattern === "/") return true
  return pattern.endsWith("/") ? path.startsWith(pattern) : path === pattern
}

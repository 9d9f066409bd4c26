// Parses a page URL once: attribution is read from the query, then query, fragment, user and password are dropped for
// good (spec 2.1). Only http and https URLs are pages. A URL of any length is read: only what is stored has a limit.

/** Maximum length of a stored address. Units: UTF-16 code units. */ // spec 6.3.5
export const urlLengthMax = 2048
/** Maximum length of a host in DNS. */
const hostLengthMax = 253
/** Units: UTF-16 code units. */ // spec 2.2
export const pathLengthMax = 512

export interface PageUrl {
  /** Lower case, without port. */
  readonly host: string
  /** Percent-encoded as in the URL; not cut. */
  readonly path: string
  /** Origin and path, cut to the limit: the only form that is stored. */
  readonly address: string
  /** The query, for reading attribution; never stored or changed. */
  readonly query: URLSearchParams
}

/**
 * The parts of a page URL, or undefined if it is none. The caller bounds the length. `isHashMode`: a route in the
 * fragment is the page's path, and its query counts too.
 */
export const readPageUrl = (value: string, isHashMode = false): PageUrl | undefined => {
  const url = URL.parse(value)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined
  if (isHashMode) takeRoute(url)
  const host = withoutDot(url.hostname)
  if (host.length > hostLengthMax) return undefined
  return {
    host,
    path: url.pathname,
    address: cut(`${originOf(url)}${url.pathname}`),
    // Most URLs have no query, and each access would create an object.
    query: url.search === "" ? noQuery : url.searchParams,
  }
}

/** `#/pricing?plan=pro`, `#!/demo`; an anchor inside the route is no part of it. */
const routeForm = /^#!?(\/[^?#]*)(?:\?([^#]*))?/

const takeRoute = (url: URL): void => {
  const [, path, query] = routeForm.exec(url.hash) ?? []
  if (path === undefined) return
  // A path never changes the host, also if it begins with two slashes.
  url.pathname = path
  if (query) url.search = url.search === "" ? query : `${url.search}&${query}`
}

const withoutDot = (host: string): string => (host.endsWith(".") ? host.slice(0, -1) : host)

/** A trailing dot in the host makes no difference. */
const originOf = ({ hostname, origin, port, protocol }: URL): string =>
  hostname.endsWith(".")
    ? `${protocol}//${withoutDot(hostname)}${port === "" ? "" : `:${port}`}`
    : origin

/** Never ends in the middle of an escape. */
const cut = (address: string): string =>
  address.length <= urlLengthMax
    ? address
    : address.slice(0, urlLengthMax).replace(/%[\dA-Fa-f]?$/, "")

const noQuery = new URLSearchParams()

/** The path of a stored URL, cut to the length that session summaries show. */
export const pathOf = (address: string): string => {
  const start = address.indexOf("/", address.indexOf("://") + 3)
  return (start === -1 ? "/" : address.slice(start)).slice(0, pathLengthMax)
}

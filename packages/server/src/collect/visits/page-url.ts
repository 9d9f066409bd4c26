// Parses a page URL once: attribution is read from the query, then query, fragment, user and password are dropped for
// good (spec 2.1). Only http and https URLs are pages. A URL of any length is read: only what is stored has a limit.
import { withUsualNames } from "./attribution.ts"

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
  if (url.hostname.endsWith(translation)) url.hostname = translatedHost(url.hostname)
  if (isHashMode) takeRoute(url)
  const host = withoutDot(url.hostname)
  if (host.length > hostLengthMax) return undefined
  return {
    host,
    path: url.pathname,
    address: cut(`${originOf(url)}${inOneSpelling(url.pathname)}`),
    // Most URLs have no query, and each access would create an object.
    query: queryOf(url),
  }
}

/** Google Translate shows a page on a host of its own: `shop-tidewater--gear-example.translate.goog`. */ // spec 6.1.5
const translation = ".translate.goog"

const translatedHost = (host: string): string =>
  host.slice(0, -translation.length).replaceAll(/--?/g, (dash) => (dash === "-" ? "." : "-"))

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

/**
 * Escapes in upper case, and letters beyond ASCII in NFC, so that one page is one address however links to it are
 * written. Escapes that are not UTF-8 stay.
 */
const inOneSpelling = (path: string): string =>
  path.includes("%")
    ? path
        .replaceAll(/(?:%[89a-f][\da-f])+/gi, lettersOf)
        .normalize()
        .replaceAll(/[^!-~]+/g, encodeURIComponent)
        .replaceAll(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())
    : path

const lettersOf = (run: string): string => {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}

/** Never ends in the middle of an escape. */
const cut = (address: string): string =>
  address.length <= urlLengthMax
    ? address
    : address.slice(0, urlLengthMax).replace(/%[\dA-Fa-f]?$/, "")

/** A parameter whose name may be misspelled. Most queries have none, and their names need no second reading. */
const oddName = /[?&](?:amp;|[^=&A-Z]{0,40}[A-Z])/

const noQuery = new URLSearchParams()

/** Some tools write the campaign into the fragment, where it counts if the query has none. A route is no campaign. */
const queryOf = (url: URL): URLSearchParams => {
  const { hash, search } = url
  const isInFragment = /^#[^/]*utm_/i.test(hash) && !search.includes("utm_")
  if (search === "" && !isInFragment) return noQuery
  const query = oddName.test(search) ? withUsualNames(url.searchParams) : url.searchParams
  if (!isInFragment) return query
  const joined = new URLSearchParams(query)
  const ofFragment = withUsualNames(new URLSearchParams(hash.slice(1)))
  for (const [name, value] of ofFragment) if (!joined.has(name)) joined.append(name, value)
  return joined
}

export type Referrer = Pick<PageUrl, "address" | "host" | "path">

/** What opened the page: a page, or an Android app by the name of its package. */
export const readReferrer = (value: string): Referrer | undefined => {
  const [, app] = /^android-app:\/\/([\w.]{1,253})(?:[/?#]|$)/i.exec(value) ?? []
  if (app === undefined) return readPageUrl(value)
  const host = app.toLowerCase()
  return { host, path: "/", address: `android-app://${host}` }
}

/** The path of a stored URL, cut to the length that session summaries show. */
export const pathOf = (address: string): string => {
  const start = address.indexOf("/", address.indexOf("://") + 3)
  return (start === -1 ? "/" : address.slice(start)).slice(0, pathLengthMax)
}

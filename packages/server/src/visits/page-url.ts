// A page address, read once: what the query says is taken out first, then query, fragment, user and
// password are gone for good (spec 2.1). Only http and https pages are pages.

// spec 6.3
export const urlLengthMax = 2048
/** Units: UTF-16 code units. */ // spec 2.2
export const pathLengthMax = 512

export interface PageUrl {
  /** Host as in the address, lower case, without port. */
  readonly host: string
  /** Path alone, percent-encoded as in the address. */
  readonly path: string
  /** Origin and path: the only form that is ever stored. */
  readonly address: string
  /** The query, for reading attribution; never stored, never changed. */
  readonly query: URLSearchParams
}

/** The parts of a page's URL, or undefined if it is invalid or too long. */
export const readPageUrl = (value: string): PageUrl | undefined => {
  if (value.length > urlLengthMax) return undefined
  const url = URL.parse(value)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined
  return {
    host: withoutDot(url.hostname),
    path: url.pathname,
    address: `${originOf(url)}${url.pathname}`,
    // Most addresses have none, and each access would make one.
    query: url.search === "" ? noQuery : url.searchParams,
  }
}

const withoutDot = (host: string): string => (host.endsWith(".") ? host.slice(0, -1) : host)

/** A host with a trailing dot is the host without. */
const originOf = ({ hostname, origin, port, protocol }: URL): string =>
  hostname.endsWith(".")
    ? `${protocol}//${withoutDot(hostname)}${port === "" ? "" : `:${port}`}`
    : origin

const noQuery = new URLSearchParams()

/** The path of a stored address, cut to what a session summary shows. */
export const pathOf = (address: string): string => {
  const start = address.indexOf("/", address.indexOf("://") + 3)
  return (start === -1 ? "/" : address.slice(start)).slice(0, pathLengthMax)
}

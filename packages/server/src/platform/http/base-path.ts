// Where the server is mounted inside another application: the part of each path that routing doesn't see.

/** `/v1/data` for `/footfall/v1/data`. A path outside `basePath` stays, because some frameworks remove the prefix. */
export const withoutBase = (path: string, basePath: string): string =>
  basePath !== "" && isBelow(path, basePath)
    ? path.slice(basePath.length).replace(/^(?!\/)/, "/")
    : path

export const isBelow = (path: string, basePath: string): boolean =>
  path.startsWith(basePath) && ["/", "?", undefined].includes(path[basePath.length])

/**
 * The request for the router, without `Accept-Encoding`. The host sends the response, and some hosts drop
 * `Content-Encoding` or compress again, so only they may compress.
 */
export const routedRequest = (request: Request, basePath: string): Request => {
  if (basePath === "" && !request.headers.has("accept-encoding")) return request
  const url = new URL(request.url)
  url.pathname = withoutBase(url.pathname, basePath)
  const routed = new Request(url, request)
  routed.headers.delete("accept-encoding")
  return routed
}

/** What is wrong with the public URL of a server that is mounted at `basePath`, or undefined. */
export const baseUrlFault = (server: {
  readonly baseUrl: string
  readonly basePath: string
  readonly isBaseUrlGiven: boolean
}): string | undefined => {
  const { basePath, baseUrl, isBaseUrlGiven } = server
  if (!isBaseUrlGiven)
    return `BASE_URL is not set, so pixel tags, mails and cookies are for ${baseUrl}. Set BASE_URL or the option baseUrl to the URL at which browsers reach this server, including ${basePath}.`
  if (!new URL(baseUrl).pathname.endsWith(basePath))
    return `BASE_URL is ${baseUrl}, but the option basePath is "${basePath}". Pixel tags, mails and cookies work only if BASE_URL ends in ${basePath}.`
  return undefined
}

/** Says once that requests arrive at another path than `basePath`. */
export const otherMount = (basePath: string): string =>
  `The option basePath is "${basePath}", but a request arrived at another path. Mount the handlers at basePath, or set basePath to the path at which they are mounted. The console, cookies and links depend on it.`

// The methods a path accepts: the `Allow` of a 405, and how to distinguish a 405 from a 404. Follows the router:
// `:name` is one segment, `*` the rest, and case matters. But a literal path never counts as the parameter of another
// path, whatever the method.

export interface RoutePattern {
  readonly method: string
  readonly path: string
}

/** The methods of all routes that match the path, HEAD with GET; empty for an unknown path. */
export const allowedMethods = (
  routes: ReadonlyArray<RoutePattern>,
  path: string,
): ReadonlyArray<string> => {
  const segments = path.split("/")
  const named = routes.filter((route) => route.path === path)
  const matching =
    named.length > 0
      ? named
      : routes.filter((route) => matchesPath(route.path.split("/"), segments))
  const methods = matching.flatMap((route) =>
    route.method === "GET" ? ["GET", "HEAD"] : [route.method],
  )
  return [...new Set(methods)].sort()
}

/** Routes without parameters, by path. */
export const namedMethods = (
  routes: ReadonlyArray<RoutePattern>,
): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    routes
      .filter(({ path }) => !/[:*]/.test(path))
      .map(({ path }) => [path, allowedMethods(routes, path)]),
  )

/** Whether the path's segments match the pattern's. */
export const matchesPath = (
  pattern: ReadonlyArray<string>,
  segments: ReadonlyArray<string>,
): boolean => {
  if (pattern.at(-1) === "*") {
    const fixed = pattern.slice(0, -1)
    return (
      segments.length >= pattern.length &&
      fixed.every((part, i) => matchesSegment(part, segments[i]))
    )
  }
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => matchesSegment(part, segments[i]))
  )
}

const matchesSegment = (part: string, segment: string | undefined): boolean =>
  part === segment || (part.startsWith(":") && segment !== undefined && segment !== "")

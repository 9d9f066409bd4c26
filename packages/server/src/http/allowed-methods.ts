// The methods a path accepts: what a 405 names in `Allow`, and how it differs from a 404.
// Follows the router: `:name` is one segment, `*` the rest, case counts. But a path with a
// name of its own is never the parameter of another, whatever the method.

export interface RoutePattern {
  readonly method: string
  readonly path: string
}

/** The methods of all routes that match the path, HEAD beside GET; empty for an unknown path. */
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

/** The routes whose path has no parameters, by their path. */
export const namedMethods = (
  routes: ReadonlyArray<RoutePattern>,
): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    routes
      .filter(({ path }) => !/[:*]/.test(path))
      .map(({ path }) => [path, allowedMethods(routes, path)]),
  )

/** Whether the segments of a path fit those of a pattern. */
export const matchesPath = (
  pattern: ReadonlyArray<string>,
  segments: ReadonlyArray<string>,
): boolean => {
  if (pattern.at(-1) === "*") {
    const fixed = pattern.slice(0, -1)
    return segments.length >= pattern.length && fixed.every((part, i) => fits(part, segments[i]))
  }
  return pattern.length === segments.length && pattern.every((part, i) => fits(part, segments[i]))
}

const fits = (part: string, segment: string | undefined): boolean =>
  part === segment || (part.startsWith(":") && segment !== undefined && segment !== "")

// The outermost layer around every routed request, standalone or embedded. It assigns the request id and client
// address, and wraps every non-2xx response in the envelope, with X-Request-Id on everything (spec 1.3, 1.4). A defect
// is logged once, here, and never shown to the client. Errors before the router get the same envelope:
// parser-errors.ts, visits/listener.ts.
import { Cause, Clock, Context, Effect, Option, Predicate, type Schema } from "effect"
import {
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse,
  HttpTraceContext,
} from "effect/http"
import { outcomeUnknown } from "../database/silent-database.ts"
import { ConnectionWait, requestWaitMs } from "../database/statement-limits.ts"
import { allowedMethods, namedMethods, type RoutePattern } from "./allowed-methods.ts"
import { clientAddress, type Network } from "./client-address.ts"
import { currentMeta } from "./envelope.ts"
import { type ErrorCode, errorStatus, type Refusal } from "./errors.ts"
import { asProblem } from "./problem.ts"
import { type AnsweredRequest, countRequest, makeRouteOf } from "./request-metrics.ts"
import { makeRequestId, PeerAddress, RequestContext } from "./request-context.ts"
import { revalidated, revalidatedRoutes } from "./revalidation.ts"

const userAgentLengthMax = 300

/** `TRUSTED_PROXIES`: the peers allowed to set the forwarded address. Default: none. */
export const TrustedProxies = Context.Reference<ReadonlyArray<Network>>(
  "@footfall/server/http/TrustedProxies",
  { defaultValue: () => [] },
)

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const emptySegment = /\/\/|.\/$/

/** `routes`: all routes of the app, to distinguish a wrong method from an unknown path. */
export const answer = <E, R>(app: App<E, R>, routes: ReadonlyArray<RoutePattern>) => {
  const routeOf = makeRouteOf(routes)
  const methodsOf = namedMethods(routes)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { method } = request
    const path = request.url.split("?", 1)[0]!
    const route = routeOf(path)
    // The router would match a literal path to another path's parameter, and accept an empty parameter.
    const isUnrouted =
      methodsOf.get(path)?.includes(method) === false ||
      (route === undefined && emptySegment.test(path))
    const services = yield* Effect.context<never>()
    const clock = yield* Clock.Clock
    const startedAt = clock.currentTimeNanosUnsafe()
    const context = {
      id: makeRequestId(),
      clientAddress: clientAddress({
        peer: (yield* PeerAddress) ?? Option.getOrElse(request.remoteAddress, () => "unknown"),
        forwardedFor: request.headers["x-forwarded-for"],
        trustedProxies: yield* TrustedProxies,
      }),
      userAgent: request.headers["user-agent"]?.slice(0, userAgentLengthMax) ?? null,
    }
    return yield* (isUnrouted ? unrouted(request, routes) : app).pipe(
      Effect.catchCause((cause) => failure(cause, request, routes)),
      Effect.map((response) => {
        if (response.status >= 400) return asProblem(response, request.headers["accept"])
        if (!isRevalidated(method, route)) return response
        return revalidated(response, {
          id: context.id,
          ifNoneMatch: request.headers["if-none-match"],
          nowMs: clock.currentTimeMillisUnsafe(),
        })
      }),
      Effect.tap(({ status }) => {
        const seconds = Number(clock.currentTimeNanosUnsafe() - startedAt) / 1e9
        countRequest({ method, route, status, seconds }, services)
        return Effect.andThen(
          Effect.annotateCurrentSpan("http.response.status_code", status),
          logRequest({ method, route, status, seconds }),
        )
      }),
      Effect.map((response) => finish(response, { id: context.id, path })),
      Effect.withSpan(route === undefined ? method : `${method} ${route}`, {
        kind: "server",
        ...Option.match(HttpTraceContext.fromHeaders(request.headers), {
          onNone: () => ({ root: true }),
          onSome: (parent) => ({ parent }),
        }),
        attributes: {
          "http.request.method": method,
          "http.route": route ?? "none",
          "footfall.request_id": context.id,
        },
      }),
      Effect.provideService(RequestContext, context),
      Effect.provideService(ConnectionWait, requestWaitMs),
      Effect.annotateLogs({ request_id: context.id }),
    )
  })
}

const isRevalidated = (method: string, route: string | undefined): boolean =>
  (method === "GET" || method === "HEAD") && route !== undefined && revalidatedRoutes.has(route)

/** Requests that a machine repeats all day. */
const frequentRoutes = new Set(["/healthz", "/readyz", "/metrics"])

/** The route's pattern instead of its path and query, which may contain an address or its hash. */
const logRequest = ({ method, route, seconds, status }: AnsweredRequest) => {
  const log = frequentRoutes.has(route ?? "") ? Effect.logDebug : Effect.logInfo
  return log("request").pipe(
    Effect.annotateLogs({ method, route: route ?? "none", status, ms: Math.round(seconds * 1e3) }),
  )
}

/** Responses contain personal data or tokens, so nothing may cache them unless the response itself allows it. */
const finish = (
  response: HttpServerResponse.HttpServerResponse,
  { id, path }: { readonly id: string; readonly path: string },
) =>
  HttpServerResponse.setHeaders(response, {
    ...(isKeptNowhere(path) && response.headers["cache-control"] === undefined
      ? { "cache-control": "no-store" }
      : {}),
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(response.status === 503 && response.headers["retry-after"] === undefined
      ? { "retry-after": "1" }
      : {}),
  })

const isKeptNowhere = (path: string): boolean =>
  path.startsWith("/v1/") || path.startsWith("/demo/visitor")

/** Interrupts pass through: the client disconnected or the server is stopping, so nothing reads a response. */
const failure = <E>(
  cause: Cause.Cause<E>,
  request: HttpServerRequest.HttpServerRequest,
  routes: ReadonlyArray<RoutePattern>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return unrouted(request, routes)
    if (error.reason._tag === "RequestParseError") {
      const message = "The request could not be read."
      const issue = { path: "", code: "format", message }
      return refused({ code: "VALIDATION_ERROR", message, details: { issues: [issue] } })
    }
  }
  if (isDatabaseAway(error)) {
    return Effect.andThen(
      Effect.logError("database unavailable", cause),
      refused(mayBeDone(error, request) ? perhapsDone : notDone, { "retry-after": "1" }),
    )
  }
  return Effect.andThen(
    Effect.logError("request failed", cause),
    refused({
      code: "INTERNAL_ERROR",
      message:
        "Something went wrong on the server. To find the details, search the server's log for this request id.",
    }),
  )
}

const notDone: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "The database is busy or unreachable. Try again in a moment.",
}

/** The statement reached the database, but its outcome is unknown. */
const perhapsDone: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message:
    "The database stopped responding, so the change may or may not have been made. " +
    "Check before you try again.",
  details: { outcome: "unknown" },
}

const mayBeDone = (error: unknown, { method }: HttpServerRequest.HttpServerRequest): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  Predicate.hasProperty(error, "reason") &&
  Predicate.hasProperty(error.reason, "operation") &&
  error.reason.operation === outcomeUnknown

/** Failures of the connection or its time limits, not of a statement. */
const databaseAway = new Set([
  "ConnectionError",
  "AuthenticationError",
  "LockTimeoutError",
  "StatementTimeoutError",
])

/** Checks the error's shape, because this room must not import SQL. */
const isDatabaseAway = (error: unknown): boolean => {
  if (!Predicate.isTagged(error, "SqlError") || !Predicate.hasProperty(error, "reason"))
    return false
  const { reason } = error
  if (Predicate.hasProperty(reason, "_tag") && databaseAway.has(String(reason._tag))) return true
  // A Postgres that is starting, stopping or full rejects connections with a code of its own.
  if (Predicate.hasProperty(reason, "operation") && reason.operation === "connect") return true
  return Predicate.hasProperty(reason, "cause") && isOutOfOrder(reason.cause)
}

/**
 * SQLSTATE class 53: out of disk, memory or connections. 58: its files can't be read or written. 25006: it is
 * read-only, as a standby is before its promotion. All of them are temporary, so the request may succeed later.
 */
const isOutOfOrder = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && /^(?:53|58|25006)/.test(String(cause.code))

const unrouted = (
  request: HttpServerRequest.HttpServerRequest,
  routes: ReadonlyArray<RoutePattern>,
) => {
  const path = request.url.split("?", 1)[0]!
  const allowed = allowedMethods(routes, path)
  // The method is allowed, so the path is the problem: a part of it is unreadable or too long.
  return allowed.length === 0 || allowed.includes(request.method)
    ? notFound
    : refused(
        {
          code: "METHOD_NOT_ALLOWED",
          message: `This path accepts ${allowed.join(", ")}. Received ${request.method}.`,
          details: { allowed },
        },
        { allow: allowed.join(", ") },
      )
}

/** An error response outside the typed API. */
export const refused = (
  { code, details, message }: Refusal,
  headers: Readonly<Record<string, string>> = {},
) =>
  Effect.map(currentMeta, (meta) =>
    HttpServerResponse.jsonUnsafe(errorBody({ code, message, details, meta }), {
      status: errorStatus[code],
      headers,
    }),
  )

/** The response to an unknown path. */
export const notFound = refused({ code: "NOT_FOUND", message: "No endpoint at this path." })

/** The body of every error response. */
export const errorBody = (parts: {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Schema.Json | undefined
  readonly meta: { readonly timestamp: string; readonly request_id: string }
}) => ({
  error: {
    code: parts.code,
    message: parts.message,
    ...(parts.details === undefined ? {} : { details: parts.details }),
  },
  meta: parts.meta,
})

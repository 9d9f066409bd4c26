// The cookies of `/v1/auth`. Over https their names begin with a prefix that browsers enforce, so that no other host,
// such as a neighboring subdomain, can set one (spec 17.1.2).
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuse } from "../../platform/http/errors.ts"
import { AccessConfig } from "../access-config.ts"
import { refreshLifetime } from "./refresh-token.ts"

interface AuthCookieOptions {
  readonly baseUrl: string
  readonly name: string
  /** The path that the cookie is sent to, relative to the server's. */
  readonly path: string
  readonly sameSite: "lax" | "strict"
}

export const authCookie = ({ baseUrl, name, path, sameSite }: AuthCookieOptions) => {
  const { hostname, pathname, protocol } = new URL(baseUrl)
  const basePath = pathname.replace(/\/$/, "")
  const secure = protocol === "https:" || !isLoopback(hostname)
  // `__Host-` is stricter. It requires the path `/`, which belongs to another application if the server has a base
  // path.
  const prefix = !secure ? "" : basePath === "" ? "__Host-" : "__Secure-"
  const ownPath = `${basePath}${path}`
  const options = { httpOnly: true, secure, sameSite }
  const prefixed = `${prefix}${name}`
  return {
    /** Reads the cookie from the request. */
    read: Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
      Option.fromUndefinedOr(Object.hasOwn(cookies, prefixed) ? cookies[prefixed] : undefined),
    ),
    /** Sets the cookie in the response. */
    send: (value: string, maxAge: Duration.Duration) =>
      HttpEffect.appendPreResponseHandler(({ cookies }, response) =>
        Effect.orDie(
          HttpServerResponse.setCookies(response, [
            [prefixed, value, { ...options, maxAge, path: prefix === "__Host-" ? "/" : ownPath }],
            // Browsers may still have the cookie of a version without prefixes.
            ...(prefix !== "" && Object.hasOwn(cookies, name)
              ? [[name, "", { ...options, maxAge: Duration.zero, path: ownPath }] as const]
              : []),
          ]),
        ),
      ),
  }
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)

// The cookie with the console's refresh token: no script can read it, and no other site can send or set it (spec
// 17.1.2).
export const makeSessionCookie = Effect.gen(function* () {
  const { baseUrl } = yield* AccessConfig
  const cookie = authCookie({
    baseUrl,
    name: "footfall_session",
    path: "/v1/auth",
    sameSite: "strict",
  })
  return {
    /** Reads the request's refresh token. */
    read: Effect.map(cookie.read, (held) => Option.map(held, (text) => Redacted.make(text))),
    /** Sets it in the response. */
    set: (refreshToken: Redacted.Redacted) =>
      cookie.send(Redacted.value(refreshToken), refreshLifetime),
    /** Deletes it from the browser. */
    clear: cookie.send("", Duration.zero),
  }
})

/** Whether the request comes from a page of this origin: `SameSite` alone allows pages of the same site. */
export const isOwnPage = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  ["same-origin", "none", undefined].includes(headers["sec-fetch-site"]),
)

/** Fails with the 403 for a page of another origin. */
export const ownPageOnly = Effect.flatMap(isOwnPage, (isOwn) =>
  isOwn
    ? Effect.void
    : refuse({
        code: "FORBIDDEN",
        message: "Only the console of this server can use its session.",
      }),
)

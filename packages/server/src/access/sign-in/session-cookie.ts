// The cookie with the console's refresh token: no script can read it, no other site can send it, and it is only sent to
// `/v1/auth` (spec 17.1.2).
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuse } from "../../http/errors.ts"
import { AccessConfig } from "../access-config.ts"
import { refreshLifetime } from "./refresh-token.ts"

const name = "footfall_session"

export const makeSessionCookie = Effect.gen(function* () {
  const options = { ...cookieOptions((yield* AccessConfig).baseUrl), sameSite: "strict" } as const
  return {
    /** The request's refresh token. */
    read: Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
      Option.map(Option.fromUndefinedOr(cookies[name]), (text) => Redacted.make(text)),
    ),
    /** Sets it with the response. */
    set: (refreshToken: Redacted.Redacted) =>
      HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.orDie(
          HttpServerResponse.setCookie(response, name, Redacted.value(refreshToken), {
            ...options,
            maxAge: refreshLifetime,
          }),
        ),
      ),
    /** Deletes it from the browser. */
    clear: HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.orDie(
        HttpServerResponse.setCookie(response, name, "", { ...options, maxAge: Duration.zero }),
      ),
    ),
  }
})

/** What the cookies of `/v1/auth` have in common. */
export const cookieOptions = (baseUrl: string) => {
  const { hostname, pathname } = new URL(baseUrl)
  return {
    httpOnly: true,
    secure: !isLoopback(hostname),
    path: `${pathname.replace(/\/$/, "")}/v1/auth`,
  } as const
}

/** Whether no page of another origin sent it: `SameSite` lets those of the same site through. */
export const isOwnPage = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  ["same-origin", "none", undefined].includes(headers["sec-fetch-site"]),
)

/** Fails with the 403 of a page of another origin. */
export const ownPageOnly = Effect.flatMap(isOwnPage, (isOwn) =>
  isOwn
    ? Effect.void
    : refuse({
        code: "FORBIDDEN",
        message: "Only the console of this server can use its session.",
      }),
)

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)

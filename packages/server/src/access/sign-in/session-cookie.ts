// The cookie with the console's refresh token: no script can read it, and no other site can send it or set it
// (spec 17.1.2).
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { refuse } from "../../http/errors.ts"
import { AccessConfig } from "../access-config.ts"
import { authCookie } from "./auth-cookie.ts"
import { refreshLifetime } from "./refresh-token.ts"

export const makeSessionCookie = Effect.gen(function* () {
  const { baseUrl } = yield* AccessConfig
  const cookie = authCookie({
    baseUrl,
    name: "footfall_session",
    path: "/v1/auth",
    sameSite: "strict",
  })
  return {
    /** The request's refresh token. */
    read: Effect.map(cookie.read, (held) => Option.map(held, (text) => Redacted.make(text))),
    /** Sets it with the response. */
    set: (refreshToken: Redacted.Redacted) =>
      cookie.send(Redacted.value(refreshToken), refreshLifetime),
    /** Deletes it from the browser. */
    clear: cookie.send("", Duration.zero),
  }
})

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

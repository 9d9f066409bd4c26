// The cookie that binds a sign-in at the external issuer to the browser that started it, so that no one can be signed in
// through a link that someone else made (spec 7.5.3). It is `SameSite=Lax`, because the issuer sends the user back.
import { Duration, Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AccessConfig } from "../../access-config.ts"
import { cookieOptions } from "../session-cookie.ts"
import type { Attempt } from "./issuer-client.ts"

const name = "footfall_external"

/** How long a user has to sign in at the issuer. */
const attemptLifetime = Duration.minutes(10)

export const makeAttemptCookie = Effect.gen(function* () {
  const { path, ...options } = cookieOptions((yield* AccessConfig).baseUrl)
  const send = (value: string, maxAge: Duration.Duration) =>
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.orDie(
        HttpServerResponse.setCookie(response, name, value, {
          ...options,
          path: `${path}/external`,
          sameSite: "lax",
          maxAge,
        }),
      ),
    )
  return {
    read: Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
      readAttempt(cookies[name]),
    ),
    set: ({ nonce, state, verifier }: Attempt) =>
      send([state, nonce, verifier].join("."), attemptLifetime),
    clear: send("", Duration.zero),
  }
})

const form = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/

const readAttempt = (text: string | undefined): Option.Option<Attempt> => {
  const [, state, nonce, verifier] = form.exec(text ?? "") ?? []
  return state === undefined || nonce === undefined || verifier === undefined
    ? Option.none()
    : Option.some({ state, nonce, verifier })
}

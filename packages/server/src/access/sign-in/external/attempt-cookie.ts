// The cookie that binds a sign-in at the external issuer to the browser that started it, so that no one can be signed in
// through a link that someone else made (spec 7.5.3). It is `SameSite=Lax`, because the issuer sends the user back.
import { Duration, Effect, Option } from "effect"
import { AccessConfig } from "../../access-config.ts"
import { authCookie } from "../auth-cookie.ts"
import type { Attempt } from "./issuer-client.ts"

/** How long a user has to sign in at the issuer. */
const attemptLifetime = Duration.minutes(10)

export const makeAttemptCookie = Effect.gen(function* () {
  const { baseUrl } = yield* AccessConfig
  const cookie = authCookie({
    baseUrl,
    name: "footfall_external",
    path: "/v1/auth/external",
    sameSite: "lax",
  })
  return {
    read: Effect.map(cookie.read, Option.flatMap(readAttempt)),
    set: ({ nonce, state, verifier }: Attempt) =>
      cookie.send([state, nonce, verifier].join("."), attemptLifetime),
    clear: cookie.send("", Duration.zero),
  }
})

const form = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/

const readAttempt = (text: string): Option.Option<Attempt> => {
  const [, state, nonce, verifier] = form.exec(text) ?? []
  return state === undefined || nonce === undefined || verifier === undefined
    ? Option.none()
    : Option.some({ state, nonce, verifier })
}

// The two routes for signing in at the external issuer (spec 7.5). Browsers open both as pages, so they respond with a
// redirect or a page, and are not part of the API. Neither accepts a URL to redirect to.
import { Effect, Option, Duration } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { escaped, type PlainPage } from "../../../platform/http/plain-page.ts"
import { TooManyRequests } from "../../../platform/http/errors.ts"
import { addressSubject, RateLimits } from "../../../platform/http/rate-limit.ts"
import { RequestContext } from "../../../platform/http/request-context.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { AccessConfig, type IssuerClient } from "../../access-config.ts"
import { perAddress } from "../api.ts"
import { authCookie, isOwnPage, makeSessionCookie } from "../auth-cookie.ts"
import { ExternalSignIn, type ExternalSignInFailed } from "./external-sign-in.ts"
import { callbackPath, type Attempt } from "./issuer-client.ts"

const startPath = "/v1/auth/external"

export const externalSignInRoutes = [
  { method: "GET", path: startPath },
  { method: "GET", path: callbackPath },
] as const

type Page = HttpServerResponse.HttpServerResponse

export const ExternalSignInRoutes = (plainPage: PlainPage, { name }: IssuerClient) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* AccessConfig
      const signIn = yield* ExternalSignIn
      const limits = yield* RateLimits
      const dataKeys = yield* DataKeys
      const attemptCookie = yield* makeAttemptCookie
      const sessionCookie = yield* makeSessionCookie
      const issuer = escaped(name)

      const here = Effect.map(RequestContext, ({ clientAddress }) =>
        addressSubject(dataKeys, clientAddress),
      )
      const refused = (reason: keyof typeof failures): Page => {
        const { status, text } = failures[reason]
        const body = `<p>${text(issuer)}</p>\n${link(`${baseUrl}/console/`, "Back to sign-in")}`
        return HttpServerResponse.setStatus(
          plainPage({ title: "You are not signed in", body }),
          status,
        )
      }
      const answered = <R>(app: Effect.Effect<Page, ExternalSignInFailed | TooManyRequests, R>) =>
        Effect.catch(app, (error) =>
          Effect.succeed(refused(error instanceof TooManyRequests ? "limited" : error.reason)),
        )

      const start = Effect.gen(function* () {
        // A page of another origin must not start it without the user noticing.
        if (!(yield* isOwnPage)) {
          const body = link(`${baseUrl}${startPath}`, `Continue with ${issuer}`)
          return plainPage({ title: "Sign in to Footfall", body })
        }
        yield* limits.count(perAddress, yield* here)
        const { attempt, url } = yield* signIn.begin
        yield* attemptCookie.set(attempt)
        return HttpServerResponse.redirect(url, { status: 303 })
      })

      const callback = Effect.gen(function* () {
        const addressHash = yield* here
        yield* limits.count(perAddress, addressHash)
        const found = yield* attemptCookie.read
        // An attempt can be used once, whatever the result.
        yield* attemptCookie.clear
        if (Option.isNone(found)) return refused("expired")
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const query = new URLSearchParams(url.split("?").slice(1).join("?"))
        const attempt = found.value
        const { refreshToken } = yield* signIn.finish({ query, attempt, addressHash })
        yield* limits.giveBack(perAddress, addressHash)
        yield* sessionCookie.set(refreshToken)
        return HttpServerResponse.redirect(`${baseUrl}/console/signed-in`, { status: 303 })
      })

      yield* router.add("GET", startPath, answered(start))
      yield* router.add("GET", callbackPath, answered(callback))
    }),
  )

const link = (url: string, text: string) => `<p><a href="${escaped(url)}">${text}</a></p>`

interface Failure {
  readonly status: number
  /** `issuer`: its escaped name. */
  readonly text: (issuer: string) => string
}

const failures = {
  limited: {
    status: 429,
    text: () =>
      "Too many people tried to sign in from your network. Wait a minute, then try again.",
  },
  unreachable: {
    status: 503,
    text: (issuer) =>
      `${issuer} is not responding, or sent an unexpected response. Try again in a moment. If the problem persists, ask the person who runs this server to check OIDC_ISSUER and the server's log. You can also sign in with your password.`,
  },
  denied: {
    status: 403,
    text: (issuer) =>
      `${issuer} did not sign you in. Either you canceled, or your account there does not have access to Footfall. An admin of ${issuer} can grant access.`,
  },
  expired: {
    status: 400,
    text: () =>
      "This sign-in was started in another browser or tab, more than 10 minutes ago, or was used already. Start again.",
  },
  refused: {
    status: 403,
    text: (issuer) =>
      `${issuer} sent a response that this server does not accept. Ask the person who runs this server to check its log.`,
  },
  unverified: {
    status: 403,
    text: (issuer) =>
      `${issuer} has not verified your email address, so this server cannot confirm who you are. Verify it there, then try again.`,
  },
  unknown: {
    status: 403,
    text: (issuer) =>
      `No Footfall user has the email address of your ${issuer} account. Ask an admin of your organization to invite that address.`,
  },
} as const satisfies Record<ExternalSignInFailed["reason"] | "limited", Failure>

// The cookie that binds a sign-in at the external issuer to the browser that started it, so that no one can be signed
// in through a link that someone else created (spec 7.5.3). It is `SameSite=Lax`, because the issuer sends the user
// back.

/** How long a user has to sign in at the issuer. */
const attemptLifetime = Duration.minutes(10)

const makeAttemptCookie = Effect.gen(function* () {
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

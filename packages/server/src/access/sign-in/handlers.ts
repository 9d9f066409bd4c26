// Translates between the wire and the SignIn service, and counts requests per account: the account is
// in the body, so this limit comes after everything else (decisions.md 10.2).
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api.ts"
import { success } from "../../http/envelope.ts"
import { refuse } from "../../http/errors.ts"
import { RateLimits } from "../../http/rate-limits.ts"
import { DataKeys } from "../../http/data-keys/data-keys.ts"
import { Caller } from "../caller.ts"
import { organizationOf } from "../organizations/organization-wire.ts"
import { Organizations } from "../organizations/organizations.ts"
import { accessTokenLifetime } from "../tokens/access-tokens.ts"
import { SignIn, type SignedIn, type SignInRefused } from "./sign-in.ts"

/** decisions.md 10.2. */
const perAccount = { name: "auth-account", limit: 5 }

export const AuthHandlers = HttpApiBuilder.group(
  Api,
  "auth",
  Effect.fn(function* (handlers) {
    const signIn = yield* SignIn
    const organizations = yield* Organizations
    const limits = yield* RateLimits
    const dataKeys = yield* DataKeys

    /** An address without an account is counted like any other. The counters hold a keyed hash. */
    const count = (email: string) =>
      limits.count(perAccount, dataKeys.sign("account", email).toString("base64url"))

    /** A token that is none of ours belongs to no account. */
    const countHolder = Effect.fnUntraced(function* (given: Parameters<typeof signIn.emailOf>[0]) {
      const email = yield* signIn.emailOf(given)
      if (Option.isSome(email)) yield* count(email.value)
    })

    return handlers.handleAll({
      login: Effect.fnUntraced(function* ({ payload }) {
        const email = payload.email.trim().toLowerCase()
        yield* count(email)
        const password = Redacted.make(payload.password)
        const signedIn = signIn.login({ ...payload, email, password })
        return yield* tokensOf(signedIn, "Address and password do not fit.")
      }),

      refresh: Effect.fnUntraced(function* ({ payload }) {
        const refreshToken = Redacted.make(payload.refreshToken)
        yield* countHolder({ refreshToken })
        const signedIn = signIn.refresh({ ...payload, refreshToken })
        return yield* tokensOf(signedIn, "A valid refresh token is needed.")
      }),

      acceptInvite: Effect.fnUntraced(function* ({ payload }) {
        const token = Redacted.make(payload.token)
        yield* countHolder({ invite: token })
        const password = Redacted.make(payload.password)
        const signedIn = signIn.acceptInvite({ ...payload, token, password })
        return yield* tokensOf(signedIn, "The invitation is unknown, used or expired.")
      }),

      logout: Effect.fnUntraced(function* ({ payload }) {
        const { actor, organizationId } = yield* Caller
        const refreshToken =
          payload.refreshToken === undefined ? undefined : Redacted.make(payload.refreshToken)
        yield* signIn.logout({ userId: actor.id, organizationId, refreshToken })
        return yield* success({ loggedOut: true as const })
      }),

      me: Effect.fnUntraced(function* () {
        const { actor, organizationId, role } = yield* Caller
        const [user, organization, joined] = yield* Effect.all(
          [signIn.getUser(actor.id), organizations.get(organizationId), signIn.joined(actor.id)],
          { concurrency: "unbounded" },
        )
        return yield* success({
          user,
          organization: organizationOf(organization),
          role,
          organizations: joined,
        })
      }),
    })
  }),
)

const tokensOf = (signedIn: Effect.Effect<SignedIn, SignInRefused>, refusal: string) =>
  signedIn.pipe(
    Effect.catchTag("SignInRefused", () =>
      refuse({ code: "AUTHENTICATION_ERROR", message: refusal }),
    ),
    Effect.flatMap(({ accessToken, refreshToken }) =>
      success({
        accessToken: Redacted.value(accessToken),
        tokenType: "Bearer" as const,
        expiresIn: Duration.toSeconds(accessTokenLifetime),
        refreshToken: Redacted.value(refreshToken),
      }),
    ),
  )

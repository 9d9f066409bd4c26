// Translates between the wire and the SignIn service, and counts requests by what is in the body, so after
// everything else (spec 10.2). Whom it stops:
// - Who guesses at one account from one address has 5 failures a minute there, as has every other address: so
//   what a stranger fails at keeps the owner out nowhere else.
// - Who guesses from many addresses has 100 failures in 15 minutes at one account, all together. Beyond it new
//   addresses are refused, and those from which the user has logged in before are not; a log-in that succeeds counts
//   for nothing. A stranger with many addresses can so keep a user from logging in at a new place, for as long as it
//   goes on, but from no place that is known and out of no session.
// - A refresh token that is good has its own count, by its chain: whatever anyone fails at ends no session. One that
//   is not good counts for the address, as do all log-ins and invitations.
// - A password is compared only after all limits, so that what is refused costs nothing. It is compared for addresses
//   without an account as well, and these are counted alike, so neither time nor limit tells who has one.
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../http/contract.ts"
import { success } from "../../http/envelope.ts"
import { refuse } from "../../http/errors.ts"
import { addressSubject } from "../../http/rate-limit.ts"
import { RateLimits } from "../../http/rate-limits.ts"
import { RequestContext } from "../../http/request-context.ts"
import { DataKeys } from "../../secrets/data-keys.ts"
import { Caller } from "../caller.ts"
import { organizationOf } from "../organizations/organization-wire.ts"
import { Organizations } from "../organizations/organizations.ts"
import { accessTokenLifetime } from "../tokens/access-tokens.ts"
import { AuthApi, perAddress } from "./api.ts"
import { SignIn, type SignedIn, type SignInBusy, type SignInRefused } from "./sign-in.ts"

/** spec 10.2. Of one account and address; of a chain of refresh tokens. */
const perAccount = { name: "auth-account", limit: 5 }
const perChain = { name: "auth-refresh", limit: 5 }

/** Failures of one account from all addresses that it does not know. Our bound. */
const perAccountEverywhere = { name: "auth-everywhere", limit: 100, windowSeconds: 900 }

export const AuthHandlers = HttpApiBuilder.group(
  footfall.add(AuthApi),
  "auth",
  Effect.fn(function* (handlers) {
    const signIn = yield* SignIn
    const organizations = yield* Organizations
    const limits = yield* RateLimits
    const dataKeys = yield* DataKeys

    /** The counters hold keyed hashes. */
    const accountOf = (email: string) => dataKeys.sign("account", email).toString("base64url")
    const here = Effect.map(RequestContext, ({ clientAddress }) =>
      addressSubject(dataKeys, clientAddress),
    )

    return handlers.handleAll({
      login: Effect.fnUntraced(function* ({ payload }) {
        const email = payload.email.trim().toLowerCase()
        const addressHash = yield* here
        const account = accountOf(email)
        const accountHere = `${account}.${addressHash}`
        yield* limits.count(perAccount, accountHere)
        const takeBack = limits.giveBack(perAccount, accountHere)
        const isKnown = yield* signIn.isKnownAddress(email, addressHash)
        if (!isKnown) {
          yield* Effect.tapError(limits.count(perAccountEverywhere, account), () => takeBack)
        }
        const isNoFailure = isKnown
          ? takeBack
          : Effect.andThen(takeBack, limits.giveBack(perAccountEverywhere, account))
        const password = Redacted.make(payload.password)
        const signedIn = signIn.login({ ...payload, email, password, addressHash }).pipe(
          Effect.tap(isNoFailure),
          Effect.tapErrorTag("SignInBusy", () => isNoFailure),
        )
        return yield* tokensOf(signedIn, "Address and password do not fit.")
      }),

      refresh: Effect.fnUntraced(function* ({ payload }) {
        const refreshToken = Redacted.make(payload.refreshToken)
        const chain = yield* signIn.chainOf(refreshToken)
        yield* Option.match(chain, {
          onSome: (id) => limits.count(perChain, id),
          onNone: () => Effect.flatMap(here, (address) => limits.count(perAddress, address)),
        })
        const signedIn = signIn.refresh({ ...payload, refreshToken })
        return yield* tokensOf(signedIn, "A valid refresh token is needed.")
      }),

      acceptInvite: Effect.fnUntraced(function* ({ payload }) {
        const token = Redacted.make(payload.token)
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

const tokensOf = (signedIn: Effect.Effect<SignedIn, SignInRefused | SignInBusy>, refusal: string) =>
  signedIn.pipe(
    Effect.catchTags({
      SignInRefused: () => refuse({ code: "AUTHENTICATION_ERROR", message: refusal }),
      SignInBusy: () =>
        refuse({
          code: "SERVICE_UNAVAILABLE",
          message: "Too many people are signing in at once; try again soon.",
        }),
    }),
    Effect.flatMap(({ accessToken, refreshToken }) =>
      success({
        accessToken: Redacted.value(accessToken),
        tokenType: "Bearer" as const,
        expiresIn: Duration.toSeconds(accessTokenLifetime),
        refreshToken: Redacted.value(refreshToken),
      }),
    ),
  )

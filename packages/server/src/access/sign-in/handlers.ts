// Maps requests and responses to the SignIn service. Counts requests by values in the body, so after all other checks
// (spec 10.2).
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse, type TooManyRequests, Unauthorized } from "../../platform/http/errors.ts"
import { addressSubject, RateLimits } from "../../platform/http/rate-limit.ts"
import { RequestContext } from "../../platform/http/request-context.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { Caller } from "../caller.ts"
import { organizationOf } from "../organizations/organization-wire.ts"
import { Organizations } from "../organizations/organizations.ts"
import { accessTokenLifetime } from "../tokens/access-tokens.ts"
import { AuthApi, perAddress } from "./api.ts"
import { makeSessionCookie, ownPageOnly } from "./auth-cookie.ts"
import type { SignInBusy } from "../password.ts"
import { type AccountHeld, SignIn, type SignedIn, type SignInRefused } from "./sign-in.ts"
import { typedEmail } from "../user-email.ts"

/** spec 10.2. Per account and address; or per chain of refresh tokens, which all tabs of a browser share. */
const perAccount = { name: "auth-account", limit: 5 }
const perChain = { name: "auth-refresh", limit: 30 }

/** Failures per account from all addresses it does not know. */
const perAccountEverywhere = { name: "auth-everywhere", limit: 100, windowSeconds: 900 }

/**
 * Who is limited:
 *
 * - Guessing at one account from one address is limited to 5 failures a minute there, separately for each address. So a
 *   stranger's failures lock the owner out nowhere else.
 * - Guessing at one account from many addresses is limited to 100 failures in 15 minutes in total. Beyond that, only
 *   addresses from which the user has signed in before are let through; successful sign-ins don't count. A stranger
 *   with many addresses can thus keep a user from signing in at a new place while the attack lasts, but not at a known
 *   place, and can end no session.
 * - A valid refresh token is counted by its chain, so other people's failures end no session. An invalid one counts for
 *   the address, as do all sign-ins and invitations.
 * - Passwords are compared two at a time, one per address, and addresses take turns: many requests from one address
 *   delay only that address.
 * - A password is compared only after all limits, so a rejected request costs nothing. It is also compared for
 *   addresses without an account, which are counted the same way, so neither timing nor limits reveal who has an
 *   account.
 */
export const AuthHandlers = HttpApiBuilder.group(
  footfall.add(AuthApi),
  "auth",
  Effect.fn(function* (handlers) {
    const signIn = yield* SignIn
    const organizations = yield* Organizations
    const limits = yield* RateLimits
    const dataKeys = yield* DataKeys
    const cookie = yield* makeSessionCookie

    /** Counters contain keyed hashes. */
    const accountOf = (email: string) => dataKeys.sign("account", email).toString("base64url")
    const here = Effect.map(RequestContext, ({ clientAddress }) =>
      addressSubject(dataKeys, clientAddress),
    )

    /** Counts a failure for the account and address. */
    const guarded = Effect.fnUntraced(function* (
      email: string,
      addressHash: string,
      signedIn: Effect.Effect<SignedIn, AccountHeld | SignInRefused | SignInBusy>,
    ) {
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
      return yield* signedIn.pipe(
        Effect.tap(isNoFailure),
        Effect.tapErrorTag("SignInBusy", () => isNoFailure),
      )
    })

    /** Signs in with a password, counting failures. */
    const loggedIn = Effect.fnUntraced(function* (given: {
      readonly email: string
      readonly password: string
      readonly organizationId?: string | undefined
      readonly isConsole?: boolean | undefined
    }) {
      const email = typedEmail(given.email)
      const addressHash = yield* here
      const password = Redacted.make(given.password)
      const signedIn = signIn.login({ ...given, email, password, addressHash })
      return yield* refusedWith("Wrong email or password.")(guarded(email, addressHash, signedIn))
    })

    /** Renews a session, counting attempts. */
    const refreshed = Effect.fnUntraced(function* (given: {
      readonly refreshToken: Redacted.Redacted
      readonly organizationId?: string | undefined
      readonly isConsole?: boolean | undefined
    }) {
      const chain = yield* signIn.chainOf(given.refreshToken)
      yield* Option.match(chain, {
        onSome: (id) => limits.count(perChain, id),
        onNone: () => Effect.flatMap(here, (address) => limits.count(perAddress, address)),
      })
      return yield* refusedWith("Invalid or expired refresh token. Sign in again.")(
        signIn.refresh(given),
      )
    })

    const sessionOf = ({ accessToken, refreshToken }: SignedIn) =>
      Effect.andThen(
        cookie.set(refreshToken),
        success({
          accessToken: Redacted.value(accessToken),
          tokenType: "Bearer" as const,
          expiresIn: Duration.toSeconds(accessTokenLifetime),
        }),
      )
    /** Clears a cookie that belongs to no session; keeps that of a live one. */
    const keptOrCleared = Effect.fnUntraced(function* (
      error: Unauthorized,
      refreshToken: Redacted.Redacted,
    ) {
      if (Option.isSome(yield* signIn.chainOf(refreshToken))) return yield* notMember
      yield* cookie.clear
      return yield* error
    })

    return handlers.handleAll({
      login: ({ payload }) => Effect.flatMap(loggedIn(payload), tokensOf),

      refresh: Effect.fnUntraced(function* ({ payload }) {
        const refreshToken = Redacted.make(payload.refreshToken)
        return yield* tokensOf(yield* refreshed({ ...payload, refreshToken }))
      }),

      startSession: Effect.fnUntraced(function* ({ payload }) {
        yield* ownPageOnly
        return yield* sessionOf(yield* loggedIn({ ...payload, isConsole: true }))
      }),

      refreshSession: Effect.fnUntraced(function* ({ payload }) {
        yield* ownPageOnly
        const held = yield* cookie.read
        // Nothing was guessed, so nothing is counted: whoever opens the sign-in form may do so at any time.
        if (Option.isNone(held)) return yield* Effect.andThen(cookie.clear, noSession)
        const refreshToken = held.value
        const signedIn = refreshed({ ...payload, refreshToken, isConsole: true }).pipe(
          Effect.catchIf(
            (error) => error instanceof Unauthorized,
            (error) =>
              payload.organizationId === undefined
                ? Effect.andThen(cookie.clear, error)
                : keptOrCleared(error, refreshToken),
          ),
        )
        return yield* sessionOf(yield* signedIn)
      }),

      endSession: Effect.fnUntraced(function* () {
        yield* ownPageOnly
        const refreshToken = yield* cookie.read
        if (Option.isSome(refreshToken)) yield* signIn.endSession(refreshToken.value)
        yield* cookie.clear
        return yield* success({ loggedOut: true as const })
      }),

      acceptInvite: Effect.fnUntraced(function* ({ payload }) {
        const token = Redacted.make(payload.token)
        const password = Redacted.make(payload.password)
        const addressHash = yield* here
        const signedIn = signIn.acceptInvite({ ...payload, token, password, addressHash })
        // This endpoint could be used to guess passwords too.
        const email = Option.getOrUndefined(yield* signIn.invitedAccount(token))
        return yield* tokensOf(
          yield* refusedWith(notOpen)(
            email === undefined ? signedIn : guarded(email, addressHash, signedIn),
          ),
        )
      }),

      invitation: Effect.fnUntraced(function* ({ payload }) {
        const invited = yield* signIn
          .invitation(Redacted.make(payload.token))
          .pipe(
            Effect.catchTag("SignInRefused", () =>
              refuse({ code: "AUTHENTICATION_ERROR", message: notOpen }),
            ),
          )
        return yield* success(invited)
      }),

      join: Effect.fnUntraced(function* ({ payload }) {
        const { actor } = yield* Caller
        const joined = yield* signIn
          .join({
            userId: actor.id,
            token: Redacted.make(payload.token),
            isPreview: payload.preview === true,
          })
          .pipe(
            Effect.catchTag("SignInRefused", () =>
              refuse({ code: "NOT_FOUND", message: "No open invitation found for this token." }),
            ),
          )
        return yield* success(joined)
      }),

      logout: Effect.fnUntraced(function* ({ payload }) {
        const { actor, organizationId } = yield* Caller
        const refreshToken =
          payload.refreshToken === undefined ? undefined : Redacted.make(payload.refreshToken)
        yield* signIn.logout({ userId: actor.id, organizationId, refreshToken })
        return yield* success({ loggedOut: true as const })
      }),

      sessions: Effect.fnUntraced(function* () {
        const { actor, sessionId } = yield* Caller
        const stored = yield* signIn.sessions(actor.id)
        return yield* success(
          stored.map((session) => ({ ...session, isCurrent: session.id === sessionId })),
        )
      }),

      endOne: Effect.fnUntraced(function* ({ params }) {
        const ended = yield* signIn.endOf(yield* Caller, { only: params.sessionId })
        return ended === 0 ? yield* notFound : yield* success({ deleted: true as const })
      }),

      endOthers: Effect.fnUntraced(function* () {
        const caller = yield* Caller
        return yield* success({ ended: yield* signIn.endOf(caller, { allBut: caller.sessionId }) })
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

const notOpen = "This invitation is invalid, expired or already used. Ask for a new one."

const noSession = refuse({
  code: "AUTHENTICATION_ERROR",
  message: "This browser has no session. Sign in.",
})

const notMember = refuse({
  code: "FORBIDDEN",
  message: "You are not a member of this organization.",
  details: { reason: "not_a_member" },
})

type SignInFailure = AccountHeld | SignInRefused | SignInBusy | TooManyRequests

const refusedWith =
  (message: string) =>
  <R>(signedIn: Effect.Effect<SignedIn, SignInFailure, R>) =>
    Effect.catchTags(signedIn, {
      AccountHeld: () =>
        refuse({
          code: "AUTHENTICATION_ERROR",
          message:
            "This email address already has an account. Accept the invitation with its password, or sign in first.",
        }),
      SignInRefused: () => refuse({ code: "AUTHENTICATION_ERROR", message }),
      SignInBusy: () => busy,
    })

export const busy = refuse({
  code: "SERVICE_UNAVAILABLE",
  message: "Too many people are signing in. Try again in a moment.",
})

export const tokensOf = ({ accessToken, refreshToken }: SignedIn) =>
  success({
    accessToken: Redacted.value(accessToken),
    tokenType: "Bearer" as const,
    expiresIn: Duration.toSeconds(accessTokenLifetime),
    refreshToken: Redacted.value(refreshToken),
  })

// Signing in to the console at the external issuer (spec 7.5). The user is found as for the issuer's access tokens: by
// the verified email address. The result is the same session that a password starts.
import { Context, Effect, Layer, Schema } from "effect"
import { Memberships } from "../../members/memberships.ts"
import { MemberStore } from "../../members/store.ts"
import { AccessConfig } from "../../access-config.ts"
import { AccessStore } from "../../store.ts"
import { AccessTokens } from "../../tokens/access-tokens.ts"
import { SignIn } from "../sign-in.ts"
import { SignInStore } from "../store.ts"
import { type Attempt, IssuerClient } from "./issuer-client.ts"

/** `unknown`: no member has the email address. */
export class ExternalSignInFailed extends Schema.TaggedError<ExternalSignInFailed>()(
  "ExternalSignInFailed",
  {
    reason: Schema.Literals([
      "unreachable",
      "denied",
      "expired",
      "refused",
      "unverified",
      "unknown",
    ]),
  },
) {}

const make = Effect.gen(function* () {
  const issuer = yield* IssuerClient
  const tokens = yield* AccessTokens
  const memberships = yield* Memberships
  const members = yield* MemberStore
  const store = yield* SignInStore
  const signIn = yield* SignIn
  const { transaction } = yield* AccessStore
  const audience = (yield* AccessConfig).externalIssuer?.client?.clientId ?? ""

  const failed = (reason: ExternalSignInFailed["reason"]) => new ExternalSignInFailed({ reason })

  const finish = Effect.fn("ExternalSignIn.finish")(
    function* (options: {
      readonly query: URLSearchParams
      readonly attempt: Attempt
      /** Keyed hash of the client address. */
      readonly addressHash: string
    }) {
      const { idToken, userInfo } = yield* issuer.redeem(options.query, options.attempt)
      const holder = yield* tokens.readIdToken({ idToken, userInfo, audience })
      const { actor, organizationId } = yield* memberships.find(holder)
      const userId = actor.id
      return yield* transaction(
        Effect.gen(function* () {
          // A concurrent change of the account either comes first or ends this session.
          yield* members.lockUser(userId)
          const action = "user.logged_in"
          const begun = yield* signIn.begin({ userId, organizationId, action, isConsole: true })
          yield* store.keepAddress(userId, options.addressHash)
          return begun
        }),
      )
    },
    Effect.catchTags({
      IssuerFailed: ({ reason }) => failed(reason),
      KeysUnavailable: () => failed("unreachable"),
      TokenRefused: () => failed("refused"),
      EmailUnverified: () => failed("unverified"),
      NoMember: () => failed("unknown"),
      SignInRefused: () => failed("unknown"),
    }),
  )

  return {
    begin: Effect.catchTag(issuer.begin, "IssuerFailed", ({ reason }) => failed(reason)),
    finish,
  }
})

export class ExternalSignIn extends Context.Service<ExternalSignIn, Effect.Success<typeof make>>()(
  "@footfall/server/access/ExternalSignIn",
) {
  static readonly layer = Layer.effect(ExternalSignIn, make)
}

// Access tokens: issued for a user in an organization, and read again. A token says who the user is;
// what the user may do is asked of the database (members/memberships.ts). Nothing of a token is
// believed, and no database asked, before its signature holds (decisions.md 7).
import { Clock, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SignJWT } from "jose"
import { Secrets } from "../../http/secrets.ts"
import { AccessConfig } from "../access-config.ts"
import type { MemberKey } from "../members/member-key.ts"
import type { Role } from "../role.ts"
import { isSignedBy, parseSignedToken, type SignedToken } from "./signed-token.ts"
import { localAudience, localClaims } from "./token-claims.ts"

export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {}) {}

/** How long an access token is valid. decisions.md 7. */
export const accessTokenLifetime = Duration.minutes(60)

const algorithm = "HS256"

export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** `lifetime`: default 60 minutes. */
    issue(options: {
      readonly userId: string
      readonly organizationId: string
      readonly role: Role
      readonly lifetime?: Duration.Duration | undefined
    }): Effect.Effect<{
      readonly accessToken: Redacted.Redacted
      readonly expiresAtSeconds: number
    }>
    /** Whose token it is. Fails with TokenRefused for every reason alike. */
    read(token: Redacted.Redacted): Effect.Effect<MemberKey, TokenRefused>
  }
>()("@footfall/server/access/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const { baseUrl } = yield* AccessConfig
      const keys = (yield* Secrets).keys("token")
      const nowSeconds = Effect.map(Clock.currentTimeMillis, (ms) => Math.floor(ms / 1000))

      const issue = Effect.fn("AccessTokens.issue")(function* (options: {
        readonly userId: string
        readonly organizationId: string
        readonly role: Role
        readonly lifetime?: Duration.Duration | undefined
      }) {
        const issuedAt = yield* nowSeconds
        const lifetime = options.lifetime ?? accessTokenLifetime
        const expiresAtSeconds = issuedAt + Math.floor(Duration.toSeconds(lifetime))
        const token = new SignJWT({ org: options.organizationId, role: options.role })
          .setProtectedHeader({ alg: algorithm, typ: "JWT" })
          .setIssuer(baseUrl)
          .setAudience(localAudience)
          .setSubject(options.userId)
          .setIssuedAt(issuedAt)
          .setExpirationTime(expiresAtSeconds)
        const text = yield* Effect.promise(() => token.sign(keys[0]!))
        return { accessToken: Redacted.make(text), expiresAtSeconds }
      })

      const readLocal = Effect.fnUntraced(function* (token: SignedToken) {
        const claims = localClaims(token.claims, {
          issuer: baseUrl,
          nowSeconds: yield* nowSeconds,
        })
        if (!(yield* isSignedBy(token, { algorithms: [algorithm], keys }))) {
          return yield* new TokenRefused()
        }
        if (claims === undefined) return yield* new TokenRefused()
        return { userId: claims.sub.toLowerCase(), organizationId: claims.org.toLowerCase() }
      })

      const read = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const parsed = parseSignedToken(Redacted.value(token))
        if (parsed === undefined) return yield* new TokenRefused()
        return yield* readLocal(parsed)
      })

      return AccessTokens.of({ issue, read })
    }),
  )
}

// Issues and reads access tokens, each for a user in an organization. A token identifies the user; the database says
// what they may do (members/memberships.ts). Nothing in a token is trusted, and no database queried, before its
// signature is verified (spec 7).
import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SignJWT } from "jose"
import { Secrets } from "../../platform/secrets/secrets.ts"
import { AccessConfig } from "../access-config.ts"
import type { TokenHolder } from "../members/memberships.ts"
import { Role } from "../role.ts"
import { userEmail } from "../user-email.ts"
import { externalAlgorithms, ExternalKeys, type KeysUnavailable } from "./external-keys.ts"
import { isSignedBy, parseSignedToken, type SignedToken } from "./signed-token.ts"
import { lengthAtLeast, lengthAtMost } from "../../platform/http/fields.ts"

export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {}) {}

/** The issuer does not confirm an email address of the user. */
export class EmailUnverified extends Schema.TaggedError<EmailUnverified>()("EmailUnverified", {}) {}

interface IdTokenOptions {
  readonly idToken: Redacted.Redacted
  /** The expected `aud`. */
  readonly audience: string
  /** Used if the token has no email address. */
  readonly userInfo: Readonly<Record<string, unknown>> | undefined
}

/** How long an access token is valid. */ // spec 7
export const accessTokenLifetime = Duration.minutes(60)

const algorithm = "HS256"

/** The content of a token. A console session's token also works where an API key is required. */ // spec 17.1.5
export interface AccessToken {
  readonly member: TokenHolder
  readonly isConsole: boolean
  /** Undefined for tokens without a session: external ones, and those the operator created. */
  readonly sessionId?: string | undefined
}

export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /**
     * `lifetime`: default 60 minutes. `isConsole`: for a console session, see `AccessToken`. `generation`: default 0,
     * as for an account that was never taken over. `sessionId`: the chain of refresh tokens.
     */
    issue(options: {
      readonly userId: string
      readonly organizationId: string
      readonly role: Role
      readonly generation?: number
      readonly lifetime?: Duration.Duration | undefined
      readonly isConsole?: boolean | undefined
      readonly sessionId?: string | undefined
    }): Effect.Effect<{
      readonly accessToken: Redacted.Redacted
      readonly expiresAtSeconds: number
    }>
    /**
     * Identifies the holder of a token.
     *
     * *Errors*: TokenRefused, whatever the reason; KeysUnavailable if the keys can't be read.
     */
    read(token: Redacted.Redacted): Effect.Effect<AccessToken, TokenRefused | KeysUnavailable>
    /**
     * Reads the ID token of a sign-in at the external issuer, by the rules for its access tokens.
     *
     * *Errors*: those of `read`, and EmailUnverified.
     */
    readIdToken(
      options: IdTokenOptions,
    ): Effect.Effect<TokenHolder, TokenRefused | EmailUnverified | KeysUnavailable>
  }
>()("@footfall/server/access/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const { baseUrl, externalIssuer } = yield* AccessConfig
      const externalKeys = yield* ExternalKeys
      const keys = (yield* Secrets).keys("token")
      const nowSeconds = Effect.map(Clock.currentTimeMillis, (ms) => Math.floor(ms / 1000))

      const issue = Effect.fn("AccessTokens.issue")(function* (options: {
        readonly userId: string
        readonly organizationId: string
        readonly role: Role
        readonly generation?: number
        readonly lifetime?: Duration.Duration | undefined
        readonly isConsole?: boolean | undefined
        readonly sessionId?: string | undefined
      }) {
        const issuedAt = yield* nowSeconds
        const lifetime = options.lifetime ?? accessTokenLifetime
        const expiresAtSeconds = issuedAt + Math.floor(Duration.toSeconds(lifetime))
        const token = new SignJWT({
          org: options.organizationId,
          role: options.role,
          ...(options.isConsole === true && { use: consoleUse }),
          ...(options.sessionId !== undefined && { sid: options.sessionId }),
          ...(options.generation ? { gen: options.generation } : {}),
        })
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
        const claims = localClaims(token.claims, { issuer: baseUrl, nowSeconds: yield* nowSeconds })
        const isOurs = yield* isSignedBy(token, { algorithms: [algorithm], keys })
        if (claims === undefined || !isOurs) return yield* new TokenRefused()
        return {
          member: {
            userId: claims.sub.toLowerCase(),
            organizationId: claims.org.toLowerCase(),
            generation: claims.gen ?? 0,
          },
          isConsole: claims.use === consoleUse,
          sessionId: claims.sid,
        }
      })

      const readExternal = Effect.fnUntraced(function* (
        token: SignedToken,
        expected: Omit<Expected, "nowSeconds"> & { readonly audience: string },
      ) {
        const claims = externalClaims(token.claims, { ...expected, nowSeconds: yield* nowSeconds })
        const email = claims === undefined ? undefined : userEmail(claims.email)
        if (email === undefined || !externalAlgorithms.includes(token.algorithm)) {
          return yield* new TokenRefused()
        }
        const keys = yield* externalKeys.keysFor(token)
        if (!(yield* isSignedBy(token, { algorithms: externalAlgorithms, keys }))) {
          return yield* new TokenRefused()
        }
        return { email, organizationId: claims?.org?.toLowerCase() }
      })

      const readIdToken = Effect.fn("AccessTokens.readIdToken")(function* ({
        audience,
        idToken,
        userInfo,
      }: IdTokenOptions) {
        const token = parseSignedToken(Redacted.value(idToken), idTokenLengthMax)
        if (token?.claims === undefined || externalIssuer === undefined) {
          return yield* new TokenRefused()
        }
        // The address and `email_verified` must come from the same source.
        const { email, email_verified } =
          (token.claims["email"] === undefined && userInfo) || token.claims
        if (email === undefined || email_verified !== true) return yield* new EmailUnverified()
        return yield* readExternal(
          { ...token, claims: { ...token.claims, email, email_verified } },
          { issuer: externalIssuer.issuer, audience },
        )
      })

      /** The claimed issuer only decides which keys must verify the token. */
      const read = Effect.fn("AccessTokens.read")(function* (text: Redacted.Redacted) {
        const token = parseSignedToken(Redacted.value(text))
        if (token === undefined) return yield* new TokenRefused()
        const issuer = token.claims?.["iss"]
        if (issuer === baseUrl) return yield* readLocal(token)
        if (externalIssuer?.audience === undefined || issuer !== externalIssuer.issuer) {
          return yield* new TokenRefused()
        }
        const { audience } = externalIssuer
        return {
          member: yield* readExternal(token, { issuer: externalIssuer.issuer, audience }),
          isConsole: false,
        }
      })

      return AccessTokens.of({ issue, read, readIdToken })
    }),
  )
}

// What an access token must contain to be trusted: all claims, valid now and for this server (spec 7). Local tokens are
// ours; external ones come from `OIDC_ISSUER`.
/** Allowed clock skew between this server and the issuer. */ // spec 7
export const clockSkewSeconds = 30
/** External tokens issued longer ago are rejected, whatever their `exp`. */
export const externalAgeSecondsMax = 86_400
/** Higher than for access tokens: some issuers list groups in it. Units: characters. Our own limit. */
const idTokenLengthMax = 65_536
/** The `aud` of local tokens. */
export const localAudience = "footfall"
/** The `use` of a console session's token. */
const consoleUse = "console"

/** Seconds since 1970, up to the year 9999. */
const Time = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799 }))
const Uuid = Schema.String.check(Schema.isUUID())

const times = { iat: Time, exp: Time, nbf: Schema.optionalKey(Time) }

const LocalClaims = Schema.Struct({
  ...times,
  iss: Schema.String,
  aud: Schema.String,
  sub: Uuid,
  org: Uuid,
  role: Role,
  use: Schema.optionalKey(Schema.Literal(consoleUse)),
  /** The session that the token belongs to. */
  sid: Schema.optionalKey(Uuid),
  /** How often the account was taken over before; absent for 0. */
  gen: Schema.optionalKey(Schema.Int),
})

const ExternalClaims = Schema.Struct({
  ...times,
  iss: Schema.String,
  aud: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  sub: Schema.String.check(lengthAtLeast(1)),
  email: Schema.String.check(lengthAtLeast(3), lengthAtMost(320)),
  email_verified: Schema.Literal(true),
  org: Schema.optionalKey(Uuid),
})

export type LocalClaims = typeof LocalClaims.Type
export type ExternalClaims = typeof ExternalClaims.Type

const decodeLocal = Schema.decodeUnknownOption(LocalClaims)
const decodeExternal = Schema.decodeUnknownOption(ExternalClaims)

interface Expected {
  readonly issuer: string
  readonly nowSeconds: number
}

/** The claims of a local token, or undefined if one is missing, malformed, or not valid here and now. */
export const localClaims = (
  claims: unknown,
  { issuer, nowSeconds }: Expected,
): LocalClaims | undefined => {
  const read = Option.getOrUndefined(decodeLocal(claims))
  if (read?.iss !== issuer || read.aud !== localAudience) return undefined
  return isPresent(read, nowSeconds) ? read : undefined
}

/** Like `localClaims`, for a token of the external issuer. */
export const externalClaims = (
  claims: unknown,
  { audience, issuer, nowSeconds }: Expected & { readonly audience: string },
): ExternalClaims | undefined => {
  const read = Option.getOrUndefined(decodeExternal(claims))
  if (read?.iss !== issuer || ![read.aud].flat().includes(audience)) return undefined
  if (nowSeconds - read.iat > externalAgeSecondsMax + clockSkewSeconds) return undefined
  return isPresent(read, nowSeconds) ? read : undefined
}

const isPresent = (
  { exp, iat, nbf }: { readonly exp: number; readonly iat: number; readonly nbf?: number },
  nowSeconds: number,
): boolean =>
  nowSeconds < exp + clockSkewSeconds && nowSeconds >= Math.max(iat, nbf ?? iat) - clockSkewSeconds

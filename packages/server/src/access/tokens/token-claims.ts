// What an access token must say before it is believed: its claims, in full, at the present time and
// for us (spec 7). Local tokens are ours, external ones those of `OIDC_ISSUER`.
import { Option, Schema } from "effect"
import { lengthAtLeast, lengthAtMost } from "../../http/request-text.ts"
import { Role } from "../role.ts"

/** Clock skew between us and who issued a token. */ // spec 7
export const clockSkewSeconds = 30
/** An external token issued longer ago is refused, whatever its `exp`. */
export const externalAgeSecondsMax = 86_400
/** The `aud` of local tokens. */
export const localAudience = "footfall"

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

/** The claims of a local token, or undefined when one is missing, malformed or not for here and now. */
export const localClaims = (
  claims: unknown,
  { issuer, nowSeconds }: Expected,
): LocalClaims | undefined => {
  const read = Option.getOrUndefined(decodeLocal(claims))
  if (read?.iss !== issuer || read.aud !== localAudience) return undefined
  return isPresent(read, nowSeconds) ? read : undefined
}

/** The same for a token of the external issuer. */
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

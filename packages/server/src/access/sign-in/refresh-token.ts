// The format of a refresh token: `rt_` and 48 bytes in base64url. 16 bytes identify the sign-in's chain; 32 are random
// or, for a console, derived from the previous token and the server's secret. Only its SHA-256 is stored (spec 7).
import { Duration, Redacted } from "effect"
import { createHash, createHmac, type KeyObject, randomBytes } from "node:crypto"

export interface RefreshToken {
  readonly chainId: string
  readonly digest: Uint8Array
}

/** How long a refresh token is valid. */ // spec 7
export const refreshLifetime = Duration.days(30)

/** How long a console may repeat an exchange. */ // spec 17.1.4
export const exchangeRepeatable = Duration.seconds(10)

const form = /^rt_[A-Za-z0-9_-]{64}$/

/** Generates a token for a chain. */
export const makeRefreshToken = (chainId: string): Redacted.Redacted =>
  tokenOf(chainId, randomBytes(32))

/**
 * The tokens that a console gets in exchange for this one, one for each value of FOOTFALL_SECRET. They are
 * deterministic, so a repeated request whose response was lost gets the same response.
 */
export const nextRefreshTokens = (
  token: Redacted.Redacted,
  chainId: string,
  keys: ReadonlyArray<KeyObject>,
): ReadonlyArray<Redacted.Redacted> =>
  keys.map((key) =>
    tokenOf(chainId, createHmac("sha256", key).update(Redacted.value(token)).digest()),
  )

const tokenOf = (chainId: string, bytes: Buffer): Redacted.Redacted => {
  const chain = Buffer.from(chainId.replaceAll("-", ""), "hex")
  return Redacted.make(`rt_${Buffer.concat([chain, bytes]).toString("base64url")}`)
}

/** Returns a token's chain and its stored digest; undefined if it is not a refresh token. */
export const readRefreshToken = (token: Redacted.Redacted): RefreshToken | undefined => {
  const text = Redacted.value(token)
  if (!form.test(text)) return undefined
  const hex = Buffer.from(text.slice(3), "base64url").subarray(0, 16).toString("hex")
  return {
    chainId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    digest: createHash("sha256").update(text).digest(),
  }
}

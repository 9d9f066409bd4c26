// The token of an invitation: `inv_` and 32 random bytes in base64url, shown once. Only its SHA-256
// is stored (spec 5.13).
import { Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"

/** Validity of an invitation. */ // spec 5.13
export const inviteLifetimeDays = 7

export const makeInviteToken = (): Redacted.Redacted =>
  Redacted.make(`inv_${randomBytes(32).toString("base64url")}`)

export const inviteTokenDigest = (token: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(token)).digest()

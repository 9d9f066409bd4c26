// The credentials of one account, as they are stored: encrypted, and bound to the account
// (decisions.md 1.2, rule 5).
import { Effect, Redacted } from "effect"
import { seal, type Sealing, unseal } from "../../http/sealing.ts"
import type { Secrets } from "../../http/secrets.ts"
import type { AccountKey } from "./store.ts"

const sealing = ({ accountId, organizationId }: AccountKey): Sealing => ({
  purpose: "account-credentials",
  owner: `${organizationId}.${accountId}`,
})

export const sealCredentials = (
  secrets: Secrets["Service"],
  owner: AccountKey,
  apiKey: Redacted.Redacted,
): Uint8Array => seal(secrets, sealing(owner), Redacted.value(apiKey))

/** Dies when FOOTFALL_SECRET is another one: the row was written by this server. */
export const openCredentials = (
  secrets: Secrets["Service"],
  owner: AccountKey,
  sealed: Uint8Array,
): Effect.Effect<Redacted.Redacted> =>
  unseal(secrets, sealing(owner), sealed).pipe(Effect.map(Redacted.make), Effect.orDie)

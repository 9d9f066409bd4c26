// The credentials of one account, as they are stored: encrypted, and bound to the account
// (spec 1.2, rule 5).
import { Effect, Redacted } from "effect"
import { seal, type Sealing, unseal } from "../../secrets/sealing.ts"
import type { DataKeys } from "../../secrets/data-keys.ts"
import type { AccountKey } from "./store.ts"

const sealing = ({ accountId, organizationId }: AccountKey): Sealing => ({
  purpose: "account-credentials",
  owner: `${organizationId}.${accountId}`,
})

export const sealCredentials = (
  dataKeys: DataKeys["Service"],
  owner: AccountKey,
  apiKey: Redacted.Redacted,
): Uint8Array => seal(dataKeys, sealing(owner), Redacted.value(apiKey))

/** Dies when it does not open: the row was written under the same data keys. */
export const openCredentials = (
  dataKeys: DataKeys["Service"],
  owner: AccountKey,
  sealed: Uint8Array,
): Effect.Effect<Redacted.Redacted> =>
  unseal(dataKeys, sealing(owner), sealed).pipe(Effect.map(Redacted.make), Effect.orDie)

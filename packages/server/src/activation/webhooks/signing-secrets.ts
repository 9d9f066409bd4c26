// A webhook's secrets. Each is encrypted for this webhook only. The current one comes first; during a rotation the
// previous one signs too (spec 1.2, 8.1).
import { Effect, Redacted } from "effect"
import { type SealBroken, type Sealing, unseal } from "../../platform/secrets/sealing.ts"
import type { DataKeys } from "../../platform/secrets/data-keys.ts"
import type { SealedSecrets, WebhookKey } from "./store.ts"

/** A row copied to another webhook cannot be decrypted. Uses the id as stored, however a path spells it. */
export const sealingOf = ({ organizationId, webhookId }: WebhookKey): Sealing => ({
  purpose: "webhook-secret",
  owner: `${organizationId}.webhook.${webhookId.toLowerCase()}`,
})

/** Decrypts the secrets that sign now, current one first. */
export const openSecrets = (
  dataKeys: DataKeys["Service"],
  key: WebhookKey,
  { formerSecret, secret }: SealedSecrets,
): Effect.Effect<ReadonlyArray<Redacted.Redacted>, SealBroken> =>
  Effect.forEach(formerSecret === null ? [secret] : [secret, formerSecret], (sealed) =>
    Effect.map(unseal(dataKeys, sealingOf(key), sealed), (text) => Redacted.make(text)),
  )

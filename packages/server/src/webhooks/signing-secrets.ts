// The secrets of a webhook as they are kept and as they sign: encrypted for this webhook alone, the new
// one before the former one, which signs too while a rotation lasts (spec 1.2, 8.1).
import { Effect, Redacted } from "effect"
import { type SealBroken, type Sealing, unseal } from "../secrets/sealing.ts"
import type { DataKeys } from "../secrets/data-keys.ts"
import type { SealedSecrets, WebhookKey } from "./store.ts"

/** A row copied to another webhook does not open. The id as it is stored, however a path spells it. */
export const sealingOf = ({ organizationId, webhookId }: WebhookKey): Sealing => ({
  purpose: "webhook-secret",
  owner: `${organizationId}.webhook.${webhookId.toLowerCase()}`,
})

/** Those that sign now, the present one first. */
export const openSecrets = (
  dataKeys: DataKeys["Service"],
  key: WebhookKey,
  { formerSecret, secret }: SealedSecrets,
): Effect.Effect<ReadonlyArray<Redacted.Redacted>, SealBroken> =>
  Effect.forEach(formerSecret === null ? [secret] : [secret, formerSecret], (sealed) =>
    Effect.map(unseal(dataKeys, sealingOf(key), sealed), (text) => Redacted.make(text)),
  )

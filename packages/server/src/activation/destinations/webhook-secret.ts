// The secret that signs a destination's webhooks, as stored: encrypted and bound to the destination, so that it can't
// be decrypted in another destination's row (spec 1.2, rule 5).
import { Effect } from "effect"
import { seal, type Sealing, unseal } from "../../platform/secrets/sealing.ts"
import type { DataKeys } from "../../platform/secrets/data-keys.ts"

export interface SecretOwner {
  readonly organizationId: string
  readonly destinationId: string
}

const sealing = ({ destinationId, organizationId }: SecretOwner): Sealing => ({
  purpose: "webhook-secret",
  owner: `${organizationId}.${destinationId}`,
})

export const sealSecret = (
  dataKeys: DataKeys["Service"],
  owner: SecretOwner,
  secret: string,
): Uint8Array => seal(dataKeys, sealing(owner), secret)

/** Dies if it can't be decrypted, because it was encrypted with the same data keys. */
export const openSecret = (
  dataKeys: DataKeys["Service"],
  owner: SecretOwner,
  sealed: Uint8Array,
): Effect.Effect<string> => Effect.orDie(unseal(dataKeys, sealing(owner), sealed))

// The secret that signs the webhooks of one destination, as it is stored: encrypted, and bound to the
// destination, so that a row copied to another one does not open (spec 1.2, rule 5).
import { Effect } from "effect"
import { seal, type Sealing, unseal } from "../secrets/sealing.ts"
import type { DataKeys } from "../secrets/data-keys.ts"

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

/** Dies when it does not open: the row was written under the same data keys. */
export const openSecret = (
  dataKeys: DataKeys["Service"],
  owner: SecretOwner,
  sealed: Uint8Array,
): Effect.Effect<string> => Effect.orDie(unseal(dataKeys, sealing(owner), sealed))

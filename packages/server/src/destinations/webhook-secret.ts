// The secret that signs the webhooks of one destination, as it is stored: encrypted, and bound to the
// destination, so that a row copied to another one does not open (decisions.md 1.2, rule 5).
import { Effect } from "effect"
import { seal, type Sealing, unseal } from "../http/sealing.ts"
import type { Secrets } from "../http/secrets.ts"

export interface SecretOwner {
  readonly organizationId: string
  readonly destinationId: string
}

const sealing = ({ destinationId, organizationId }: SecretOwner): Sealing => ({
  purpose: "webhook-secret",
  owner: `${organizationId}.${destinationId}`,
})

export const sealSecret = (
  secrets: Secrets["Service"],
  owner: SecretOwner,
  secret: string,
): Uint8Array => seal(secrets, sealing(owner), secret)

/** Dies when FOOTFALL_SECRET is another one: the row was written by this server. */
export const openSecret = (
  secrets: Secrets["Service"],
  owner: SecretOwner,
  sealed: Uint8Array,
): Effect.Effect<string> => Effect.orDie(unseal(secrets, sealing(owner), sealed))

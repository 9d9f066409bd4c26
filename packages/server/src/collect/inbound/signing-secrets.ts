// The secrets with which a vendor signs, sealed in the database (spec 15.3.4).
import { Effect, Option } from "effect"
import type { DataKeys } from "../../platform/secrets/data-keys.ts"
import { type Sealing, unseal } from "../../platform/secrets/sealing.ts"
import type { Holder } from "./store.ts"

interface Owner {
  readonly organizationId: string
  readonly id: string
}

export const secretSealing = ({ id, organizationId }: Owner): Sealing => ({
  purpose: "webhook-secret",
  owner: `inbound ${organizationId} ${id}`,
})

/** The secrets that are good now. One that can't be opened is left out: the installation's keys were replaced since. */
export const openSigningSecrets = (dataKeys: DataKeys["Service"], source: Holder) =>
  Effect.forEach(
    [source.secret, source.formerSecret].filter((sealed) => sealed !== null),
    (sealed) => Effect.option(unseal(dataKeys, secretSealing(source), sealed)),
  ).pipe(Effect.map((opened) => opened.flatMap(Option.toArray)))

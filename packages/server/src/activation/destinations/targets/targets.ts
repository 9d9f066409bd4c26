// Destinations as deliveries use them: configuration, approval, and decrypted secrets.
import { Context, Effect, Layer, Redacted } from "effect"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { configHash, type DestinationConfig } from "../destination.ts"
import { openSecret } from "../webhook-secret.ts"
import { type TargetRow, TargetStore } from "./store.ts"
import { openHeaders } from "../../../platform/secrets/sealed-headers.ts"
import { headersSealing } from "../webhook-headers.ts"
import type { Target, TargetKey } from "./target.ts"

const make = Effect.gen(function* () {
  const store = yield* TargetStore
  const dataKeys = yield* DataKeys

  const opened = ({ formerSecret, id, organizationId, secret }: TargetRow) =>
    Effect.forEach(
      [secret, formerSecret].filter((sealed) => sealed !== null),
      (sealed) => openSecret(dataKeys, { organizationId, destinationId: id }, sealed),
    )

  return {
    /** Undefined for an id the organization never had. Deleted destinations are found. */
    find: Effect.fn("Targets.find")(function* (key: TargetKey) {
      const row = yield* Effect.orDie(store.find(key))
      if (row === undefined) return undefined
      const {
        config: stored,
        destinationType,
        formerSecret: _,
        headers: sealed,
        secret: __,
        ...rest
      } = row
      // The columns match: the type decides the shape of the configuration.
      const config = { destinationType, ...stored } as DestinationConfig
      const isApproved = configHash(config) === rest.approvedConfigHash
      const signing = (yield* opened(row)).map((secret) => Redacted.make(secret))
      const owner = { organizationId: row.organizationId, destinationId: row.id }
      const headers = Redacted.make(yield* openHeaders(dataKeys, headersSealing(owner), sealed))
      return { ...rest, config, isApproved, secrets: signing, headers } satisfies Target
    }),
  }
})

export class Targets extends Context.Service<Targets, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/Targets",
) {
  static readonly layer = Layer.effect(Targets, make)
}

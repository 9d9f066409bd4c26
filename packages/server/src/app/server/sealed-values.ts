// Checks which stored encrypted values the given data keys open: for the doctor, and when a version with data keys
// first starts on an older installation.
import { Effect, Exit, Layer } from "effect"
import { openCredentials } from "../../activation/destinations/accounts/probes.ts"
import { openSecret } from "../../activation/destinations/webhook-secret.ts"
import { DataKeys, StoredBefore } from "../../platform/secrets/data-keys.ts"
import { openSecrets } from "../../activation/webhooks/signing-secrets.ts"
import { type SealedValue, SealedValueStore } from "./sealed-values-store.ts"
import { DataKeyStore } from "../../platform/secrets/store.ts"

/** Returns how many values were checked, and which do not open. */
export const triedValues = Effect.fnUntraced(function* (dataKeys: DataKeys["Service"]) {
  const values = yield* (yield* SealedValueStore).oldest
  const closed = yield* Effect.filter(values, (value) =>
    Effect.map(Effect.exit(opened(dataKeys, value)), Exit.isFailure),
  )
  return { values, closed }
})

export const FormerInstallation = Layer.effect(
  StoredBefore,
  Effect.map(SealedValueStore, (store) =>
    StoredBefore.of({
      openedBy: Effect.fnUntraced(function* (dataKeys) {
        if (!(yield* store.isInstalled)) return "none"
        const { closed, values } = yield* Effect.provideService(
          triedValues(dataKeys),
          SealedValueStore,
          store,
        )
        return values.length > 0 && closed.length === values.length ? "closed" : "open"
      }),
    }),
  ),
).pipe(Layer.provide(SealedValueStore.layer))

const opened = (
  dataKeys: DataKeys["Service"],
  { id, kind, organizationId, sealed }: SealedValue,
): Effect.Effect<unknown, unknown> => {
  switch (kind) {
    case "webhook":
      return openSecrets(
        dataKeys,
        { organizationId, webhookId: id },
        { secret: sealed, formerSecret: null },
      )
    case "webhook destination":
      return openSecret(dataKeys, { organizationId, destinationId: id }, sealed)
    case "connected account":
      return openCredentials(dataKeys, { organizationId, accountId: id }, sealed)
  }
}

/** The installation's data keys, opened with its secret. */
export const Keys = Layer.provide(DataKeys.layer, [DataKeyStore.layer, FormerInstallation])

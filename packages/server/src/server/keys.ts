// The installation's data keys, opened with its secret, and the collector's configuration, which names one of them.
import { Effect, Layer, Redacted } from "effect"
import { ServerConfig } from "../config.ts"
import { DataKeys } from "../secrets/data-keys.ts"
import { DataKeyStore } from "../secrets/store.ts"
import { Secrets } from "../secrets/secrets.ts"
import { CollectConfig } from "../visits/collect-config.ts"
import type { AppOptions } from "./configuration.ts"
import { FormerInstallation } from "./sealed-values.ts"

export const Keys = ({ resolvers = [] }: AppOptions) =>
  Layer.effect(
    CollectConfig,
    Effect.gen(function* () {
      const { gpcMode, storeIp } = yield* ServerConfig
      const dataKeys = yield* DataKeys
      return {
        gpcMode,
        storeIp,
        addressKey: Redacted.make(dataKeys.keys("address")[0]!.export()),
        linkTokenKeys: (yield* Secrets).keys("link-token"),
        keepsUserAgent: resolvers.length > 0,
      }
    }),
  ).pipe(
    Layer.provideMerge(Layer.provide(DataKeys.layer, [DataKeyStore.layer, FormerInstallation])),
  )

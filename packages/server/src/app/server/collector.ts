// The collector's configuration, which names one of the data keys.
import { Effect, Layer, Redacted } from "effect"
import { ServerConfig } from "../config/config.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"
import { CollectConfig } from "../../collect/visits/collect-config.ts"
import type { AppOptions } from "./configuration.ts"

export const Collector = (options: AppOptions) =>
  Layer.effect(
    CollectConfig,
    Effect.gen(function* () {
      const { gpcMode, resolver, storeIp } = yield* ServerConfig
      const resolvers = options.resolvers?.length ?? (resolver === undefined ? 0 : 1)
      const dataKeys = yield* DataKeys
      return {
        gpcMode,
        storeIp,
        addressKey: Redacted.make(dataKeys.keys("address")[0]!.export()),
        linkTokenKeys: (yield* Secrets).keys("link-token"),
        keepsUserAgent: resolvers > 0,
      }
    }),
  )

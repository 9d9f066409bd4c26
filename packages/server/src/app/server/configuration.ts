// The configuration of a server as layers, including every value derived from it alone.
import { Effect, Layer } from "effect"
import { ServerConfig } from "../config/config.ts"
import { ConfigInvalid } from "../config/reading.ts"
import { DatabaseWaitSeconds } from "../../platform/database/database-config.ts"
import type { DatabaseClient } from "../../platform/database/database.ts"
import { ReplicaConfig } from "../../platform/database/replica.ts"
import { MailerBaseUrl } from "../../activation/destinations/connectors/connectors.ts"
import { ServicePace } from "../../activation/destinations/connectors/pacing.ts"
import { TrustedProxies } from "../../platform/http/answer.ts"
import { RateLimitsEnabled } from "../../platform/http/rate-limit.ts"
import {
  type IdentityResolver,
  IdentityResolvers,
} from "../../people/identification/resolving/identity-resolver.ts"
import {
  httpResolver,
  resolverHeaders,
} from "../../people/identification/resolving/http-resolver.ts"
import { CompanyFiles } from "../../people/identification/resolving/company-files.ts"
import { PrivateAddressesAllowed } from "../../platform/outbound/outbound.ts"
import { PixelBaseUrl } from "../../collect/pixels/embed.ts"
import { IdentificationLanes } from "../../people/identification/identification.ts"
import { SyncCycleSeconds } from "../../people/suppression/cycle/worker.ts"
import { InboundConfig } from "../../collect/inbound/inbound-config.ts"
import { GeoCountryHeader } from "../../collect/visits/collect-config.ts"
import { WebhookDays } from "../../activation/webhooks/retention/webhook-retention.ts"
import { BaseConfiguration, type BaseOptions } from "./base-configuration.ts"

/** Layers of any services. They may require the database. */
export type Replacements = Layer.Layer<never, never, DatabaseClient>

export interface AppOptions extends BaseOptions {
  /** Migrate the schema first. Default: true. */
  readonly migrate?: boolean | undefined
  /** Identify the company or person behind a browser, before IP_COMPANY_FILE. Default: none. */
  readonly resolvers?: ReadonlyArray<IdentityResolver> | undefined
  /**
   * Services that replace the ones of the same name: stores, the clock, `Mail`, `Outbound`. Built on the configuration
   * and the database. Default: none.
   */
  readonly replacements?: Replacements | undefined
}

/** The resolver of `RESOLVER_URL`, which an embedding program's resolvers replace. */
const configuredResolvers = ({ resolver }: ServerConfig["Service"]) => {
  if (resolver === undefined) return []
  return [httpResolver({ url: resolver.url, headers: resolverHeaders(resolver) })]
}

/** The configuration and every value derived from it alone. */
export const Configuration = (options: AppOptions) =>
  Layer.unwrap(
    Effect.map(ServerConfig, (config) =>
      Layer.mergeAll(
        Layer.sync(IdentityResolvers, () => options.resolvers ?? configuredResolvers(config)),
        Layer.catchTag(CompanyFiles(config), "CompanyFileRefused", ({ message, variable }) =>
          Layer.effectDiscard(new ConfigInvalid({ variable, message })),
        ),
        Layer.succeed(DatabaseWaitSeconds, config.databaseWaitSeconds),
        // Only servers read from it. Commands read little, and must report current values.
        Layer.succeed(ReplicaConfig, config.readReplica),
        Layer.succeed(RateLimitsEnabled, config.rateLimits),
        Layer.succeed(TrustedProxies, config.trustedProxies),
        Layer.succeed(GeoCountryHeader, config.geoCountryHeader),
        Layer.succeed(PixelBaseUrl, config.pixelBaseUrl),
        Layer.succeed(PrivateAddressesAllowed, config.allowPrivateWebhooks),
        Layer.succeed(MailerBaseUrl, config.mailerBaseUrl),
        Layer.succeed(ServicePace, config.servicePace),
        Layer.succeed(InboundConfig, {
          perMinute: config.inboundPerMinute,
          spoolBytesMax: config.inboundSpoolMb * 1024 * 1024,
          dataDir: config.dataDir,
        }),
        Layer.succeed(SyncCycleSeconds, config.syncCycleSeconds),
        Layer.succeed(IdentificationLanes, config.identificationLanes),
        Layer.succeed(WebhookDays, {
          log: config.webhookLogDays,
          payload: config.webhookPayloadDays,
        }),
      ),
    ),
  ).pipe(Layer.provideMerge(BaseConfiguration(options)))

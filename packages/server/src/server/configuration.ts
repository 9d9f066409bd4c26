// The configuration as layers, including every value derived from it alone.
import { Effect, Layer, Logger, Metric, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccessConfig } from "../access/access-config.ts"
import { ServerConfig } from "../config/config.ts"
import type { ConfigOptions } from "../config/options.ts"
import { ConfigInvalid } from "../config/reading.ts"
import type { DatabaseClient } from "../database/database.ts"
import { DatabaseConfig } from "../database/database-config.ts"
import { ReplicaConfig } from "../database/replica.ts"
import { MailerBaseUrl } from "../destinations/mailer/mailer.ts"
import { TrustedProxies } from "../http/answer.ts"
import { RateLimitsEnabled } from "../http/rate-limit.ts"
import { Secrets } from "../secrets/secrets.ts"
import {
  type IdentityResolver,
  IdentityResolvers,
} from "../identification/resolving/identity-resolver.ts"
import { CompanyFiles } from "../identification/resolving/company-files.ts"
import { MailServer } from "../outbound/mail/smtp-server.ts"
import { PrivateAddressesAllowed } from "../outbound/outbound.ts"
import { NoTracing, Tracing } from "../outbound/tracing.ts"
import { PixelBaseUrl } from "../pixels/embed.ts"
import { IdentificationLanes } from "../identification/identification.ts"
import { SyncCycleSeconds } from "../suppression/cycle/worker.ts"
import { GeoCountryHeader } from "../visits/collect-config.ts"
import { WebhookDays } from "../webhooks/retention/webhook-retention.ts"

/** Layers of any services. They may require the database. */
export type Replacements = Layer.Layer<never, never, DatabaseClient>

export interface AppOptions extends ConfigOptions {
  /** Migrate the schema first. Default: true. */
  readonly migrate?: boolean | undefined
  /** A command may share the Postgres of a running server; a server must be its only owner. */
  readonly role: "server" | "command"
  /** Identify the company or person behind a browser, before IP_COMPANY_FILE. Default: none. */
  readonly resolvers?: ReadonlyArray<IdentityResolver> | undefined
  /**
   * Services that replace the ones of the same name: stores, the clock, `Mail`, `Outbound`. Built on the configuration
   * and the database. Default: none.
   */
  readonly replacements?: Replacements | undefined
  /** Receives every log entry instead of the JSON lines on standard error. */
  readonly logger?: ((entry: LogEntry) => void) | undefined
}

/** One log entry. Never contains a secret or an address. */
export interface LogEntry {
  /** ISO 8601. */
  readonly timestamp: string
  readonly level: string
  readonly message: unknown
  /** Context of the message, such as the id of a request. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** The cause of a failure, as text. */
  readonly cause: string | undefined
}

/** The configuration and every value derived from it alone. */
export const Configuration = (options: AppOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* ServerConfig
      return Layer.mergeAll(
        Secrets.layer(config.secrets),
        ...resolving(config, options),
        Layer.succeed(DatabaseConfig, { url: config.databaseUrl, dataDir: config.dataDir }),
        // A command reads little, and must report current values.
        Layer.succeed(ReplicaConfig, options.role === "server" ? config.readReplica : undefined),
        Layer.succeed(AccessConfig, {
          baseUrl: config.baseUrl,
          externalIssuer: config.externalIssuer,
          hasConsole: config.hasConsole,
        }),
        Layer.succeed(RateLimitsEnabled, config.rateLimits),
        Layer.succeed(TrustedProxies, config.trustedProxies),
        Layer.succeed(GeoCountryHeader, config.geoCountryHeader),
        Layer.succeed(PixelBaseUrl, config.pixelBaseUrl),
        Layer.succeed(PrivateAddressesAllowed, config.allowPrivateWebhooks),
        Layer.succeed(MailerBaseUrl, config.mailerBaseUrl),
        Layer.succeed(MailServer, config.smtpServer),
        Layer.succeed(SyncCycleSeconds, config.syncCycleSeconds),
        Layer.succeed(IdentificationLanes, config.identificationLanes),
        Layer.succeed(WebhookDays, {
          log: config.webhookLogDays,
          payload: config.webhookPayloadDays,
        }),
        Layer.succeed(References.MinimumLogLevel, config.logLevel),
        // A registry for this server alone, because a process may run two.
        Layer.succeed(Metric.MetricRegistry, new Map()),
        config.otlpEndpoint === undefined ? NoTracing : Tracing(config.otlpEndpoint),
      )
    }),
  ).pipe(
    Layer.provideMerge(ServerConfig.layer(options)),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Logger.layer([loggerOf(options)])),
  )

/** Commands identify no one, so they need no resolvers. */
const resolving = (config: ServerConfig["Service"], { resolvers = [], role }: AppOptions) =>
  role === "server"
    ? ([
        Layer.succeed(IdentityResolvers, resolvers),
        Layer.catchTag(CompanyFiles(config), "CompanyFileRefused", ({ message, variable }) =>
          Layer.effectDiscard(new ConfigInvalid({ variable, message })),
        ),
      ] as const)
    : []

const loggerOf = ({ logger }: AppOptions) =>
  logger === undefined
    ? Logger.withConsoleError(Logger.formatJson)
    : Logger.map(Logger.formatStructured, logger)

// Where to find the files that the build puts beside the code.
/** Files the build puts beside the code: the pixel script and the demo page. */
export interface Assets {
  /** Absolute path. */
  readonly directory: string
}

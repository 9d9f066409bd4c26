// The configuration, and what both commands and servers derive from it alone.
import { Effect, Layer, Logger, Metric, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccessConfig } from "../../access/access-config.ts"
import { OrganizationsPerUser } from "../../access/organizations/organizations.ts"
import { ServerConfig } from "../config/config.ts"
import type { ConfigOptions } from "../config/options.ts"
import { DatabaseConfig } from "../../platform/database/database-config.ts"
import { StoreIp } from "../../platform/http/address.ts"
import { MailServer } from "../../platform/outbound/mail/smtp-server.ts"
import { NoTelemetry, Telemetry } from "../../platform/outbound/telemetry.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"

export interface BaseOptions extends ConfigOptions {
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

export const BaseConfiguration = (options: BaseOptions) =>
  Layer.unwrap(
    Effect.map(ServerConfig, (config) =>
      Layer.mergeAll(
        Secrets.layer(config.secrets),
        Layer.succeed(DatabaseConfig, { url: config.databaseUrl, dataDir: config.dataDir }),
        Layer.succeed(AccessConfig, {
          baseUrl: config.baseUrl,
          externalIssuer: config.externalIssuer,
          hasConsole: config.hasConsole,
        }),
        Layer.succeed(OrganizationsPerUser, config.organizationsPerUser),
        Layer.succeed(StoreIp, config.storeIp),
        Layer.succeed(MailServer, config.smtpServer),
        Layer.succeed(References.MinimumLogLevel, config.logLevel),
        config.otlpEndpoint === undefined ? NoTelemetry : Telemetry(config.otlpEndpoint),
      ),
    ),
  ).pipe(
    // A registry for this server alone, because a process may run two.
    Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map())),
    Layer.provideMerge(ServerConfig.layer(options)),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Logger.layer([loggerOf(options)])),
  )

const loggerOf = ({ logger }: BaseOptions) =>
  logger === undefined
    ? Logger.withConsoleError(Logger.formatJson)
    : Logger.map(Logger.formatStructured, logger)

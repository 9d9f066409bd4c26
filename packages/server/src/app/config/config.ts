// A server's configuration: the variables of spec 1.2, each overridden by the option of the same name. An invalid or
// missing value stops the start with one line that names the variable or option, never a secret.
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { ExternalIssuer } from "../../access/access-config.ts"
import type { Network } from "../../platform/http/client-address.ts"
import { readSmtpUrl, type SmtpServer } from "../../platform/outbound/mail/smtp-server.ts"
import { readClickHouse, readDatabaseUrl, readReplica } from "./databases.ts"
import { readExternalIssuer } from "./external-issuer.ts"
import type { ConfigOptions } from "./options.ts"
import { invalid, read, variableOf } from "./reading.ts"
import type { ResolverConfig } from "../../people/identification/resolving/http-resolver.ts"
import { readResolver } from "./resolver.ts"
import { readSecrets } from "./secrets.ts"
import {
  addressOf,
  addressOrNone,
  anyText,
  basePathExpected,
  contactOf,
  headerOf,
  isBasePath,
  logLevelOf,
  logLevels,
  networksOf,
  nonEmpty,
  oneOf,
  portOf,
  switchOf,
  wholeNumber,
} from "./values.ts"

export class ServerConfig extends Context.Service<
  ServerConfig,
  {
    readonly databaseUrl: Option.Option<Redacted.Redacted>
    /** `DATABASE_READ_URL` and `DATABASE_READ_MAX_LAG`; undefined: everything is read from `databaseUrl`. */
    readonly readReplica:
      | { readonly url: Redacted.Redacted; readonly maxLagSeconds: number }
      | undefined
    /** How long a start waits for Postgres. */
    readonly databaseWaitSeconds: number
    readonly dataDir: string
    readonly host: string
    readonly port: number
    /** The path at which the server is mounted: the option, or else the path of `baseUrl`. Empty, or without a trailing slash. */
    readonly basePath: string
    /** Whether an application says with the option where it mounts the server. */
    readonly isMounted: boolean
    /** Public URLs without a trailing slash. */
    readonly baseUrl: string
    readonly pixelBaseUrl: string
    /** Whether BASE_URL or the option names it; otherwise it only follows from the port. */
    readonly isBaseUrlGiven: boolean
    /** The first signs; all of them verify. */
    readonly secrets: ReadonlyArray<Redacted.Redacted>
    /** Whether FOOTFALL_SECRET or the option provides them; otherwise they come from the file. */
    readonly areSecretsGiven: boolean
    /** `OIDC_ISSUER`, and what is done with it. */
    readonly externalIssuer: ExternalIssuer | undefined
    readonly rateLimits: boolean
    /** `SMTP_URL`; undefined sends no mail. */
    readonly smtpServer: SmtpServer | undefined
    readonly trustedProxies: ReadonlyArray<Network>
    readonly geoCountryHeader: string | undefined
    /** CSV or MMDB file of networks and companies. */
    readonly ipCompanyFile: string | undefined
    /** Domains that are not companies. */
    readonly ipCompanyExcludeFile: string | undefined
    /** `RESOLVER_URL`; undefined asks none. */
    readonly resolver: ResolverConfig | undefined
    readonly gpcMode: "honour" | "ignore"
    readonly storeIp: "truncated" | "full"
    /** Allows `http:` and private addresses in outbound requests, for development. */
    readonly allowPrivateWebhooks: boolean
    /** Default base URL of the mailer interface, without a trailing slash. */
    readonly mailerBaseUrl: string | undefined
    /** Percent of the pace that each service documents. */
    readonly servicePace: number
    /** Where to report a vulnerability, as a URI. */
    readonly securityContact: string | undefined
    /** `OTEL_EXPORTER_OTLP_ENDPOINT`, without a trailing slash; undefined sends no traces. */
    readonly otlpEndpoint: string | undefined
    readonly syncCycleSeconds: number
    /** How many organizations a user may own when they create one more. */
    readonly organizationsPerUser: number
    /** Into how many a hash divides the organizations for identification. */
    readonly identificationLanes: number
    /** Requests of an inbound source per minute. */
    readonly inboundPerMinute: number
    /** How much of DATA_DIR requests of inbound sources may take while Postgres is away. */
    readonly inboundSpoolMb: number
    /** How long webhook deliveries are kept, and how long their payloads. */
    readonly webhookLogDays: number
    readonly webhookPayloadDays: number
    /** `CLICKHOUSE_URL` and what goes with it; undefined keeps everything in Postgres. */
    readonly clickHouse:
      | {
          readonly url: Redacted.Redacted
          readonly cluster: string | undefined
          readonly takesNew: boolean
          readonly eventArchiveDays: number | undefined
        }
      | undefined
    /** Whether `/console` is served. */
    readonly hasConsole: boolean
    /** Whether tools at `/mcp` may make changes. */
    readonly allowsAgentWrites: boolean
    readonly logLevel: "Debug" | "Info" | "Warn" | "Error" | "None"
  }
>()("@footfall/server/ServerConfig") {
  static readonly layer = (options: ConfigOptions) => Layer.effect(ServerConfig, load(options))
}

/** The same as the maximum retention of sessions. */
const webhookDaysMax = 3_650

/** Percent: for an account whose service has lifted its limits. */
const servicePaceMax = 100_000

/** More lanes than one Postgres can take processes. */
const identificationLanesMax = 256

const load = Effect.fn("ServerConfig.load")(function* (options: ConfigOptions) {
  const databaseUrl = yield* readDatabaseUrl(options.databaseUrl)
  const isEmbedded = Option.isNone(databaseUrl)
  const dataDir = yield* read("DATA_DIR", "./.footfall", nonEmpty, options.dataDir)
  const host = isEmbedded ? "127.0.0.1" : "0.0.0.0"
  const port = yield* read("PORT", "4100", portOf, options.port)
  const { basePath } = options
  if (basePath !== undefined && !isBasePath(basePath))
    return yield* invalid("basePath", `expected ${basePathExpected}, received "${basePath}"`)
  const local = `http://localhost:${port}${basePath ?? ""}`
  const baseUrl = yield* read("BASE_URL", local, addressOf, options.baseUrl)
  return {
    databaseUrl,
    readReplica: yield* readReplica(options, isEmbedded),
    databaseWaitSeconds: yield* read(
      "DATABASE_WAIT_SECONDS",
      "60",
      wholeNumber(0, 3600),
      options.databaseWaitSeconds,
    ),
    dataDir,
    port,
    host: yield* read("HOST", host, nonEmpty, options.host),
    basePath: basePath ?? new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, ""),
    isMounted: basePath !== undefined && basePath !== "",
    baseUrl,
    isBaseUrlGiven: (options.baseUrl ?? (yield* variableOf("BASE_URL"))) !== undefined,
    pixelBaseUrl: yield* read("PIXEL_BASE_URL", baseUrl, addressOf, options.pixelBaseUrl),
    ...(yield* readSecrets({ given: options.secret, dataDir, isEmbedded })),
    externalIssuer: yield* readExternalIssuer,
    rateLimits: yield* read("RATE_LIMITS", "on", switchOf, options.rateLimits),
    smtpServer: yield* readSmtpServer(options.smtpUrl, baseUrl),
    trustedProxies: yield* read("TRUSTED_PROXIES", "", networksOf, options.trustedProxies),
    geoCountryHeader:
      (yield* read("GEO_COUNTRY_HEADER", "", headerOf, options.geoCountryHeader)) || undefined,
    ipCompanyFile:
      (yield* read("IP_COMPANY_FILE", "", anyText, options.ipCompanyFile)) || undefined,
    ipCompanyExcludeFile:
      (yield* read("IP_COMPANY_EXCLUDE_FILE", "", anyText, options.ipCompanyExcludeFile)) ||
      undefined,
    resolver: yield* readResolver,
    gpcMode: yield* read("GPC_MODE", "honour", oneOf("honour", "ignore"), options.gpcMode),
    storeIp: yield* read("STORE_IP", "truncated", oneOf("truncated", "full"), options.storeIp),
    allowPrivateWebhooks: yield* read(
      "ALLOW_PRIVATE_WEBHOOKS",
      "off",
      switchOf,
      options.allowPrivateWebhooks,
    ),
    mailerBaseUrl:
      (yield* read("MAILER_BASE_URL", "", addressOrNone, options.mailerBaseUrl)) || undefined,
    servicePace: yield* read(
      "SERVICE_PACE",
      "100",
      wholeNumber(1, servicePaceMax),
      options.servicePace,
    ),
    securityContact:
      (yield* read("SECURITY_CONTACT", "", contactOf, options.securityContact)) || undefined,
    otlpEndpoint: (yield* read("OTEL_EXPORTER_OTLP_ENDPOINT", "", addressOrNone)) || undefined,
    organizationsPerUser: yield* read(
      "ORGANIZATIONS_PER_USER",
      "5",
      wholeNumber(1, 100_000),
      options.organizationsPerUser,
    ),
    syncCycleSeconds: yield* read(
      "SYNC_CYCLE_SECONDS",
      "60",
      wholeNumber(1, 3600),
      options.syncCycleSeconds,
    ),
    identificationLanes: yield* read(
      "IDENTIFICATION_LANES",
      "64",
      wholeNumber(1, identificationLanesMax),
      options.identificationLanes,
    ),
    inboundPerMinute: yield* read(
      "INBOUND_PER_MINUTE",
      "15000",
      wholeNumber(1, 1_000_000),
      options.inboundPerMinute,
    ),
    inboundSpoolMb: yield* read(
      "INBOUND_SPOOL_MB",
      "256",
      wholeNumber(1, 100_000),
      options.inboundSpoolMb,
    ),
    webhookLogDays: yield* read(
      "WEBHOOK_LOG_DAYS",
      "30",
      wholeNumber(1, webhookDaysMax),
      options.webhookLogDays,
    ),
    webhookPayloadDays: yield* read(
      "WEBHOOK_PAYLOAD_DAYS",
      "7",
      wholeNumber(1, webhookDaysMax),
      options.webhookPayloadDays,
    ),
    clickHouse: yield* readClickHouse(options),
    hasConsole: yield* read("CONSOLE", "on", switchOf, options.console),
    allowsAgentWrites: yield* read("MCP_WRITES", "off", switchOf, options.mcpWrites),
    // In a terminal, a line for each request would bury the banner and the errors.
    logLevel:
      logLevels[yield* read("LOG_LEVEL", process.stderr.isTTY ? "warn" : "info", logLevelOf)],
  } satisfies ServerConfig["Service"]
})

/** It contains a password, so errors don't repeat the received value. */
const readSmtpServer = Effect.fnUntraced(function* (given: string | undefined, baseUrl: string) {
  const text = given ?? (yield* variableOf("SMTP_URL"))
  if (text === undefined) return undefined
  const server = readSmtpUrl(text, baseUrl)
  if (server !== undefined) return server
  return yield* invalid(
    given === undefined ? "SMTP_URL" : "smtpUrl",
    "expected smtp:// or smtps://, user:password@ if needed, a host, and no parameter except from",
  )
})

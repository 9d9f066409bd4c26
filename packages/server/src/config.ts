// A server's configuration: the variables of spec 1.2, each overridden by the option of the same name. An invalid or
// missing value stops the start with one line that names the variable or option, never a secret.
import { Config, Context, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import type { ExternalIssuer } from "./access/access-config.ts"
import {
  addressOf,
  addressOrNone,
  anyText,
  clusterOf,
  headerOf,
  issuerNameOf,
  issuerOf,
  logLevelOf,
  logLevels,
  networksOf,
  nonEmpty,
  numberOrNone,
  oneOf,
  type Parser,
  portOf,
  switchOf,
  wholeNumber,
} from "./config-values.ts"
import type { Network } from "./http/client-address.ts"
import { readSmtpUrl, type SmtpServer } from "./outbound/mail/smtp-server.ts"
import {
  makeSecretFile,
  readSecretValues,
  secretLengthMin,
  storedSecretValues,
} from "./secret-file.ts"

export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  variable: Schema.String,
  message: Schema.String,
}) {}

/** Options of `createFootfall` that override the environment. */
export interface ConfigOptions {
  /** Null uses the embedded Postgres, whatever `DATABASE_URL` and `DATABASE_READ_URL` say. */
  readonly databaseUrl?: string | null | undefined
  /** A streaming replica of `databaseUrl`, for lists, queries, previews and exports. */
  readonly databaseReadUrl?: string | undefined
  /** How old an answer from the replica may be: seconds, 1 to 3600. */
  readonly databaseReadMaxLag?: number | undefined
  readonly dataDir?: string | undefined
  /** Root key for signing and encryption, at least 32 characters per value. */
  readonly secret?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly baseUrl?: string | undefined
  readonly pixelBaseUrl?: string | undefined
  readonly rateLimits?: boolean | undefined
  /** Outgoing mail: ready mails, invitations, notices. */
  readonly smtpUrl?: string | undefined
  readonly allowPrivateWebhooks?: boolean | undefined
  /** CIDR list, separated by commas. */
  readonly trustedProxies?: string | undefined
  readonly geoCountryHeader?: string | undefined
  readonly ipCompanyFile?: string | undefined
  readonly ipCompanyExcludeFile?: string | undefined
  readonly gpcMode?: "honour" | "ignore" | undefined
  readonly storeIp?: "truncated" | "full" | undefined
  readonly mailerBaseUrl?: string | undefined
  /** 1 to 3600. */
  readonly syncCycleSeconds?: number | undefined
  /** 1 to 256; the same in every process. */
  readonly identificationLanes?: number | undefined
  readonly webhookLogDays?: number | undefined
  readonly webhookPayloadDays?: number | undefined
  /** `http://user:password@host:8123/database`. Imported signals are stored there. */
  readonly clickhouseUrl?: string | undefined
  /** A cluster of `clickhouseUrl`, by its name in `system.clusters`. Signals are stored in all its shards. */
  readonly clickhouseCluster?: string | undefined
  /** Events older than this move to `clickhouseUrl`: 91 to 3650 days. Default: none move. */
  readonly eventArchiveDays?: number | undefined
  /** Where signals of new dates are stored. Default: `clickhouse` if its URL is set, otherwise `postgres`. */
  readonly signalStore?: "postgres" | "clickhouse" | undefined
  /** Serve the console at `/console`. */
  readonly console?: boolean | undefined
  /** Allow agents at `/mcp` to make changes. */
  readonly mcpWrites?: boolean | undefined
}

export class ServerConfig extends Context.Service<
  ServerConfig,
  {
    readonly databaseUrl: Option.Option<Redacted.Redacted>
    /** `DATABASE_READ_URL` and `DATABASE_READ_MAX_LAG`; undefined: everything is read from `databaseUrl`. */
    readonly readReplica:
      | { readonly url: Redacted.Redacted; readonly maxLagSeconds: number }
      | undefined
    readonly dataDir: string
    readonly host: string
    readonly port: number
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
    readonly gpcMode: "honour" | "ignore"
    readonly storeIp: "truncated" | "full"
    /** Allows `http:` and private addresses in outbound requests, for development. */
    readonly allowPrivateWebhooks: boolean
    /** Default base URL of the mailer interface, without a trailing slash. */
    readonly mailerBaseUrl: string | undefined
    /** `OTEL_EXPORTER_OTLP_ENDPOINT`, without a trailing slash; undefined sends no traces. */
    readonly otlpEndpoint: string | undefined
    readonly syncCycleSeconds: number
    /** Into how many a hash divides the organizations for identification. */
    readonly identificationLanes: number
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

/** Click ids are deleted after 90 days, before an event moves. spec 1.8. */
const eventArchiveDaysMin = 91
/** The maximum retention. */
const eventArchiveDaysMax = 3_650

/** More than processes that one Postgres bears. Our bound. */
const identificationLanesMax = 256

const load = Effect.fn("ServerConfig.load")(function* (options: ConfigOptions) {
  const databaseUrl = yield* readDatabaseUrl(options.databaseUrl)
  const isEmbedded = Option.isNone(databaseUrl)
  const dataDir = yield* read("DATA_DIR", "./.footfall", nonEmpty, options.dataDir)
  const host = isEmbedded ? "127.0.0.1" : "0.0.0.0"
  const port = yield* read("PORT", "4100", portOf, options.port)
  const baseUrl = yield* read("BASE_URL", `http://localhost:${port}`, addressOf, options.baseUrl)
  return {
    databaseUrl,
    readReplica: yield* readReplica(options, isEmbedded),
    dataDir,
    port,
    host: yield* read("HOST", host, nonEmpty, options.host),
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
    otlpEndpoint: (yield* read("OTEL_EXPORTER_OTLP_ENDPOINT", "", addressOrNone)) || undefined,
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
    logLevel: logLevels[yield* read("LOG_LEVEL", "info", logLevelOf)],
  } satisfies ServerConfig["Service"]
})

/** `given`, the option, wins over the variable and follows the same rules. */
const read = <A>(
  variable: string,
  otherwise: string,
  { expected, parse }: Parser<A>,
  given?: string | number | boolean,
) =>
  Effect.gen(function* () {
    const text = given === undefined ? yield* variableOf(variable) : String(given)
    const value = parse(text ?? otherwise)
    const name = given === undefined ? variable : optionOf(variable)
    return value ?? (yield* invalid(name, `expected ${expected}, received "${text}"`))
  })

/** `SYNC_CYCLE_SECONDS` becomes `syncCycleSeconds`. */
const optionOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** An empty variable counts as absent, because shells and compose files leave them behind. */
const variableOf = (variable: string) =>
  Config.option(Config.String(variable)).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.map((text) => text?.trim() || undefined),
    Effect.catch(() => invalid(variable, "it cannot be read")),
  )

const invalid = (variable: string, reason: string) =>
  Effect.fail(new ConfigInvalid({ variable, message: `${variable}: ${reason}.` }))

const readDatabaseUrl = Effect.fnUntraced(function* (given: string | null | undefined) {
  if (given === null) return Option.none()
  return Option.fromNullishOr(yield* readPostgresUrl("DATABASE_URL", given))
})

/** It holds a password, so what was received is not said. */
const readPostgresUrl = Effect.fnUntraced(function* (variable: string, given: string | undefined) {
  const url = given ?? (yield* variableOf(variable))
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url)) {
    return yield* invalid(
      given === undefined ? variable : optionOf(variable),
      "expected a URL that starts with postgres://",
    )
  }
  return url === undefined ? undefined : Redacted.make(url)
})

const readReplica = Effect.fnUntraced(function* (options: ConfigOptions, isEmbedded: boolean) {
  const { databaseReadMaxLag, databaseReadUrl } = options
  if (options.databaseUrl === null) return undefined
  const url = yield* readPostgresUrl("DATABASE_READ_URL", databaseReadUrl)
  const maxLagSeconds = yield* read(
    "DATABASE_READ_MAX_LAG",
    "5",
    wholeNumber(1, 3600),
    databaseReadMaxLag,
  )
  if (url === undefined) return undefined
  if (!isEmbedded) return { url, maxLagSeconds }
  return yield* invalid(
    databaseReadUrl === undefined ? "DATABASE_READ_URL" : "databaseReadUrl",
    "it requires DATABASE_URL, because it must be a replica of that database",
  )
})

/** It contains a password, so errors don't repeat the received value. */
const readClickHouse = Effect.fnUntraced(function* (options: ConfigOptions) {
  const { clickhouseCluster, clickhouseUrl: given } = options
  const url = given ?? (yield* variableOf("CLICKHOUSE_URL"))
  const variable = given === undefined ? "CLICKHOUSE_URL" : "clickhouseUrl"
  const store = yield* read(
    "SIGNAL_STORE",
    url === undefined ? "postgres" : "clickhouse",
    oneOf("postgres", "clickhouse"),
    options.signalStore,
  )
  const cluster = yield* read("CLICKHOUSE_CLUSTER", "", clusterOf, clickhouseCluster)
  const eventArchiveDays =
    (yield* read(
      "EVENT_ARCHIVE_DAYS",
      "",
      numberOrNone(eventArchiveDaysMin, eventArchiveDaysMax),
      options.eventArchiveDays,
    )) || undefined
  if (url === undefined) {
    if (store === "clickhouse") {
      return yield* invalid(variable, "it is required with SIGNAL_STORE=clickhouse")
    }
    if (cluster !== "") return yield* invalid(variable, "it is required with CLICKHOUSE_CLUSTER")
    if (eventArchiveDays === undefined) return undefined
    return yield* invalid(variable, "it is required with EVENT_ARCHIVE_DAYS")
  }
  if (!/^https?:\/\/[^\s/?#]+(\/[^\s/?#]*)?$/.test(url) || !URL.canParse(url)) {
    return yield* invalid(
      variable,
      "expected http:// or https://, user:password@ if needed, a host and the name of a database",
    )
  }
  return {
    url: Redacted.make(url),
    cluster: cluster || undefined,
    takesNew: store === "clickhouse",
    eventArchiveDays,
  }
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

const readSecrets = Effect.fnUntraced(function* (options: {
  readonly given: string | undefined
  readonly dataDir: string
  readonly isEmbedded: boolean
}) {
  const text = options.given ?? (yield* variableOf("FOOTFALL_SECRET"))
  if (text === undefined) {
    if (options.isEmbedded) {
      return { secrets: yield* storedSecrets(options.dataDir), areSecretsGiven: false }
    }
    return yield* invalid(
      "FOOTFALL_SECRET",
      `it is required with DATABASE_URL; expected at least ${secretLengthMin} characters`,
    )
  }
  const values = readSecretValues(text)
  if (values === undefined) {
    return yield* invalid(
      options.given === undefined ? "FOOTFALL_SECRET" : "secret",
      `expected one or two values of at least ${secretLengthMin} characters, separated by a comma`,
    )
  }
  return { secrets: values.map((value) => Redacted.make(value)), areSecretsGiven: true }
})

/**
 * `DATA_DIR/secret`, mode 0600, created by the first embedded start (spec 1.2, rule 3). Next to an existing database
 * none is created, because it would open none of the stored values.
 */
const storedSecrets = Effect.fnUntraced(
  function* (dataDir: string) {
    const files = yield* FileSystem.FileSystem
    const path = `${dataDir}/secret`
    const hasDatabase = yield* files.exists(`${dataDir}/postgres/PG_VERSION`)
    if (!(yield* files.exists(path))) {
      if (hasDatabase) return yield* lost(`${path} is missing`, dataDir)
      yield* makeSecretFile(path)
    }
    const values = storedSecretValues(yield* files.readFileString(path))
    if (values !== undefined) return values.map((value) => Redacted.make(value))
    const found = `${path} contains no secret of at least ${secretLengthMin} characters`
    if (hasDatabase) return yield* lost(found, dataDir)
    return yield* invalid("DATA_DIR", `${found}. Remove it to get a new one`)
  },
  (effect, dataDir) =>
    Effect.catchTag(effect, "PlatformError", ({ reason }) =>
      invalid("DATA_DIR", `the secret cannot be saved in ${dataDir}: ${whyOf(reason)}`),
    ),
)

/** Says what another secret would cost; the guide says how to continue with one. */
const lost = (found: string, dataDir: string) =>
  invalid(
    "DATA_DIR",
    `${found}, and there is a database in ${dataDir} already: without the secret of its first start, ` +
      "webhook secrets and credentials of connected accounts cannot be read, erased people are not " +
      "recognized, and every session, cursor and link that was handed out stops working. Restore the file, or set FOOTFALL_SECRET to its content. " +
      "If it is lost for good, see docs/operations/backup-and-restore.md",
  )

/** The operating system's message, such as `EROFS: read-only file system, mkdir '…'`. */
const whyOf = ({ _tag, cause }: { readonly _tag: string; readonly cause?: unknown }): string =>
  cause instanceof Error ? cause.message : _tag

/** spec 7. The issuer stays exactly as written, because its tokens repeat it letter for letter. */
const readExternalIssuer = Effect.gen(function* () {
  const issuer = yield* read("OIDC_ISSUER", "", issuerOf)
  const audience = yield* variableOf("OIDC_AUDIENCE")
  const clientId = yield* variableOf("OIDC_CLIENT_ID")
  const clientSecret = yield* variableOf("OIDC_CLIENT_SECRET")
  if (issuer === "") {
    if (audience === undefined && clientId === undefined) return undefined
    const other = audience === undefined ? "OIDC_CLIENT_ID" : "OIDC_AUDIENCE"
    return yield* invalid("OIDC_ISSUER", `it is required with ${other}`)
  }
  if (audience === undefined && clientId === undefined) {
    return yield* invalid("OIDC_AUDIENCE", "it, or OIDC_CLIENT_ID, is required with OIDC_ISSUER")
  }
  if (clientSecret !== undefined && clientId === undefined) {
    return yield* invalid("OIDC_CLIENT_ID", "it is required with OIDC_CLIENT_SECRET")
  }
  const name = yield* read("OIDC_NAME", new URL(issuer).host, issuerNameOf)
  const secret = clientSecret === undefined ? undefined : Redacted.make(clientSecret)
  return {
    issuer,
    audience,
    client: clientId === undefined ? undefined : { clientId, clientSecret: secret, name },
  } satisfies ExternalIssuer
})

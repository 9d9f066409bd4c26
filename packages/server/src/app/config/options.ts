// What an application can set instead of environment variables (spec 1.2).

/** Options of `createFootfall` that override the environment. */
export interface ConfigOptions {
  /** The path at which the host application mounts the handlers. Default: the path of `baseUrl`. */
  readonly basePath?: string | undefined
  /** Null uses the embedded Postgres, whatever `DATABASE_URL` and `DATABASE_READ_URL` say. */
  readonly databaseUrl?: string | null | undefined
  /** A streaming replica of `databaseUrl`, for lists, queries, previews and exports. */
  readonly databaseReadUrl?: string | undefined
  /** How old an answer from the replica may be: seconds, 1 to 3600. */
  readonly databaseReadMaxLag?: number | undefined
  /** How long a start waits for a Postgres that doesn't accept connections yet: seconds, 0 to 3600. Default: 60. */
  readonly databaseWaitSeconds?: number | undefined
  readonly dataDir?: string | undefined
  /** Root key for signing and encryption, at least 32 characters per value. */
  readonly secret?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** The URL at which browsers reach this server, ending in `basePath`. Default: this computer, `port` and `basePath`. */
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
  /** Percent of the pace that each service documents: 1 to 100,000. Default: 100. */
  readonly servicePace?: number | undefined
  /** An email address or an `https:` URL, for `/.well-known/security.txt`. */
  readonly securityContact?: string | undefined
  /** 1 to 3600. */
  readonly syncCycleSeconds?: number | undefined
  readonly organizationsPerUser?: number | undefined
  /** 1 to 256; the same in every process. */
  readonly identificationLanes?: number | undefined
  /** Requests of an inbound source per minute. */
  readonly inboundPerMinute?: number | undefined
  /** Megabytes of `dataDir` for requests of inbound sources while Postgres is away. */
  readonly inboundSpoolMb?: number | undefined
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

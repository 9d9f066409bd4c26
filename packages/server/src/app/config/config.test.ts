import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ServerConfig } from "./config.ts"
import type { ConfigOptions } from "./options.ts"
import { secretVariables } from "./reading.ts"

const secret = "a secret of at least thirty-two characters"
const databaseUrl = "postgres://footfall@127.0.0.1/footfall"

type Environment = Readonly<Record<string, string>>

let dataDir: string
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), "footfall-config-")), "data")
})
afterEach(() => rm(join(dataDir, ".."), { recursive: true }))

const load = (environment: Environment, options: ConfigOptions = {}) =>
  Layer.build(ServerConfig.layer(options)).pipe(
    Effect.map((built) => Context.get(built, ServerConfig)),
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { DATA_DIR: dataDir, ...environment } }),
    ),
    Effect.runPromise,
  )

/** The line that a failed start prints; an accepted configuration has none. */
const complaint = (environment: Environment, options: ConfigOptions = {}) =>
  load(environment, options).then(
    () => "accepted",
    (error: Error & { readonly variable?: string }) => {
      expect(error.message.startsWith(`${error.variable}: `)).toBe(true)
      expect(error.message).not.toContain("\n")
      return error.message
    },
  )

const schemeOf = (name: string): string => {
  if (name.startsWith("DATABASE")) return "postgres://"
  if (name === "SMTP_URL") return "smtp://"
  return name === "CLICKHOUSE_URL" ? "http://" : ""
}

/** The configuration with its secrets in clear, to compare two. */
const revealed = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  if (Option.isOption(value)) return revealed(Option.getOrUndefined(value))
  if (Array.isArray(value)) return value.map(revealed)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value).map(([name, each]) => [name, revealed(each)])
}

describe("defaults (spec 1.2)", () => {
  it("of an empty environment are those of an embedded server", async () => {
    const { areSecretsGiven, databaseUrl: url, secrets, ...config } = await load({})

    expect(Option.isNone(url)).toBe(true)
    expect([secrets.length, areSecretsGiven]).toEqual([1, false])
    expect(config).toEqual({
      readReplica: undefined,
      dataDir,
      host: "127.0.0.1",
      port: 4100,
      baseUrl: "http://localhost:4100",
      pixelBaseUrl: "http://localhost:4100",
      isBaseUrlGiven: false,
      basePath: "",
      isMounted: false,
      externalIssuer: undefined,
      rateLimits: true,
      smtpServer: undefined,
      trustedProxies: [],
      geoCountryHeader: undefined,
      gpcMode: "honour",
      storeIp: "truncated",
      allowPrivateWebhooks: false,
      servicePace: 100,
      syncCycleSeconds: 60,
      identificationLanes: 64,
      inboundPerMinute: 15_000,
      inboundSpoolMb: 256,
      databaseWaitSeconds: 60,
      organizationsPerUser: 5,
      mailerBaseUrl: undefined,
      resolver: undefined,
      otlpEndpoint: undefined,
      webhookLogDays: 30,
      webhookPayloadDays: 7,
      clickHouse: undefined,
      hasConsole: true,
      allowsAgentWrites: false,
      logLevel: "Info",
    })
  })

  it("with a database address: every interface is listened on", async () => {
    const config = await load({ DATABASE_URL: databaseUrl, FOOTFALL_SECRET: secret })

    expect(config.host).toBe("0.0.0.0")
    expect(Option.map(config.databaseUrl, Redacted.value)).toEqual(Option.some(databaseUrl))
  })

  it("a read replica is one of a database with an address, and its lag is bounded", async () => {
    const replica = "postgres://reader:hunter2@replica/footfall"
    const address = { DATABASE_URL: databaseUrl, FOOTFALL_SECRET: secret }
    const { readReplica } = await load({ ...address, DATABASE_READ_URL: replica })

    expect(readReplica).toMatchObject({ maxLagSeconds: 5 })
    expect(Redacted.value(readReplica!.url)).toBe(replica)
    expect(await complaint({ DATABASE_READ_URL: replica })).toBe(
      "DATABASE_READ_URL: it requires DATABASE_URL, because it must be a replica of that database.",
    )
    expect(await complaint({ ...address, DATABASE_READ_URL: "mysql://hunter2@replica" })).toBe(
      "DATABASE_READ_URL: expected a URL that starts with postgres://.",
    )
    expect(await complaint({ ...address, DATABASE_READ_MAX_LAG: "0" })).toBe(
      'DATABASE_READ_MAX_LAG: expected a whole number from 1 to 3600, received "0".',
    )
  })

  it.each(["p@ss/word", "se#cret", "what?else", "a/b", "1:2/3"])(
    "a password with characters that end a host (%s) is refused without repeating it",
    async (password) => {
      const words = await complaint({
        DATABASE_URL: `postgres://operator:${password}@db.tidewater.example:5432/footfall`,
        FOOTFALL_SECRET: secret,
      })

      expect(words).toBe(
        "DATABASE_URL: expected a URL whose user name and password are percent-encoded: " +
          "write @ as %40, / as %2F, # as %23, ? as %3F and : as %3A.",
      )
    },
  )

  it.each([...secretVariables])(
    "%s may come from a file, without its last line break",
    async (name) => {
      const path = `${dataDir}-secret`
      const others = name === "FOOTFALL_SECRET" ? {} : { FOOTFALL_SECRET: secret }
      const required = {
        ...others,
        ...(name === "DATABASE_URL" ? {} : { DATABASE_URL: databaseUrl }),
        OIDC_ISSUER: "https://issuer.tidewater.example",
        OIDC_CLIENT_ID: "footfall",
      }
      const value = `${name === "FOOTFALL_SECRET" ? "" : schemeOf(name)}a-value-that-is-long-enough-for-a-secret`
      await writeFile(path, `${value}\n`)

      const fromFile = await load({ ...required, [`${name}_FILE`]: path })
      expect(inspect(revealed(fromFile))).toBe(
        inspect(revealed(await load({ ...required, [name]: value }))),
      )
      expect(await complaint({ ...required, [name]: value, [`${name}_FILE`]: path })).toBe(
        `${name}_FILE: it can't be combined with ${name}. Remove one of them.`,
      )
      expect(await complaint({ ...required, [`${name}_FILE`]: `${path}-missing` })).toBe(
        `${name}_FILE: ${path}-missing can't be read (NotFound).`,
      )
      await writeFile(path, "\n")
      expect(await complaint({ ...required, [`${name}_FILE`]: path })).toBe(
        `${name}_FILE: ${path} is empty.`,
      )
    },
  )

  it("public addresses follow the port, the pixel host follows the API", async () => {
    expect(await load({ PORT: "8080" })).toMatchObject({
      baseUrl: "http://localhost:8080",
      pixelBaseUrl: "http://localhost:8080",
    })
    expect(await load({ BASE_URL: "https://api.tidewater.example/" })).toMatchObject({
      baseUrl: "https://api.tidewater.example",
      pixelBaseUrl: "https://api.tidewater.example",
    })
  })

  it("an empty variable counts as absent", async () => {
    expect(await load({ PORT: "", HOST: " ", DATABASE_URL: "", LOG_LEVEL: "" })).toMatchObject({
      port: 4100,
      host: "127.0.0.1",
      logLevel: "Info",
    })
  })
})

describe("a variable", () => {
  it.each([
    ["PORT", "0", { port: 0 }],
    ["PORT", "65535", { port: 65_535 }],
    ["HOST", "::1", { host: "::1" }],
    [
      "BASE_URL",
      "https://tidewater.example/footfall",
      { baseUrl: "https://tidewater.example/footfall" },
    ],
    [
      "PIXEL_BASE_URL",
      "https://t.tidewater.example//",
      { pixelBaseUrl: "https://t.tidewater.example" },
    ],
    [
      "MAILER_BASE_URL",
      "https://lists.example/api/",
      { mailerBaseUrl: "https://lists.example/api" },
    ],
    [
      "RESOLVER_URL",
      "http://resolver.internal:8080/who/",
      { resolver: { url: "http://resolver.internal:8080/who", token: undefined } },
    ],
    ["GEO_COUNTRY_HEADER", "CF-IPCountry", { geoCountryHeader: "cf-ipcountry" }],
    ["GPC_MODE", "ignore", { gpcMode: "ignore" }],
    [
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "http://collector:4318/",
      { otlpEndpoint: "http://collector:4318" },
    ],
    ["GPC_MODE", "Honour", { gpcMode: "honour" }],
    ["STORE_IP", "full", { storeIp: "full" }],
    ["LOG_LEVEL", "debug", { logLevel: "Debug" }],
    ["LOG_LEVEL", "warn", { logLevel: "Warn" }],
    ["LOG_LEVEL", "error", { logLevel: "Error" }],
    ["LOG_LEVEL", "silent", { logLevel: "None" }],
    ["RATE_LIMITS", "on", { rateLimits: true }],
    ["RATE_LIMITS", "TRUE", { rateLimits: true }],
    ["RATE_LIMITS", "1", { rateLimits: true }],
    ["RATE_LIMITS", "off", { rateLimits: false }],
    ["RATE_LIMITS", "False", { rateLimits: false }],
    ["RATE_LIMITS", "0", { rateLimits: false }],
    ["ALLOW_PRIVATE_WEBHOOKS", "on", { allowPrivateWebhooks: true }],
    ["ALLOW_PRIVATE_WEBHOOKS", "off", { allowPrivateWebhooks: false }],
    ["SERVICE_PACE", "1", { servicePace: 1 }],
    ["SERVICE_PACE", "100000", { servicePace: 100_000 }],
    ["WEBHOOK_LOG_DAYS", "1", { webhookLogDays: 1 }],
    ["WEBHOOK_LOG_DAYS", "3650", { webhookLogDays: 3_650 }],
    ["WEBHOOK_PAYLOAD_DAYS", "1", { webhookPayloadDays: 1 }],
    ["WEBHOOK_PAYLOAD_DAYS", "3650", { webhookPayloadDays: 3_650 }],
  ])("%s=%s is taken", async (variable, value, expected) => {
    expect(await load({ [variable]: value })).toMatchObject(expected)
  })

  it("OIDC_ISSUER stays letter for letter, and goes with OIDC_AUDIENCE", async () => {
    const issuer = "https://login.tidewater.example/"
    expect(await load({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: "footfall" })).toMatchObject({
      externalIssuer: { issuer, audience: "footfall", client: undefined },
    })
    expect(await complaint({ OIDC_ISSUER: issuer })).toContain("OIDC_AUDIENCE: ")
    expect(await complaint({ OIDC_AUDIENCE: "footfall" })).toContain("OIDC_ISSUER: ")
  })

  it("OIDC_CLIENT_ID goes with OIDC_ISSUER, which is called by its host unless it has a name", async () => {
    const given = { OIDC_ISSUER: "https://login.tidewater.example/", OIDC_CLIENT_ID: "console" }
    const client = { clientId: "console", clientSecret: undefined, name: "login.tidewater.example" }
    expect((await load(given)).externalIssuer).toMatchObject({ audience: undefined, client })
    const { externalIssuer } = await load({
      ...given,
      OIDC_CLIENT_SECRET: "hunter2",
      OIDC_NAME: "Okta",
    })
    expect(externalIssuer?.client?.name).toBe("Okta")
    expect(JSON.stringify(externalIssuer)).not.toContain("hunter2")

    expect(await complaint({ OIDC_CLIENT_ID: "console" })).toContain("OIDC_ISSUER: ")
    const { OIDC_CLIENT_ID: _, ...rest } = given
    const line = await complaint({ ...rest, OIDC_AUDIENCE: "a", OIDC_CLIENT_SECRET: "hunter2" })
    expect(line).toContain("OIDC_CLIENT_ID: ")
    expect(line).not.toContain("hunter2")
    expect(await complaint({ ...given, OIDC_NAME: "a".repeat(61) })).toContain("OIDC_NAME: ")
  })

  it("TRUSTED_PROXIES is a comma-separated list of networks and addresses", async () => {
    const { trustedProxies } = await load({ TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8,,127.0.0.1" })

    expect(trustedProxies.map(([network, bits]) => `${network.toString()}/${bits}`)).toEqual([
      "10.0.0.0/8",
      "fd00::/8",
      "127.0.0.1/32",
    ])
  })

  it("RESOLVER_TOKEN needs RESOLVER_URL, and is never printed", async () => {
    expect(await complaint({ RESOLVER_TOKEN: "secret-1" })).toBe(
      "RESOLVER_URL: it is required with RESOLVER_TOKEN.",
    )
    const line = await complaint({ RESOLVER_URL: "http://r.example/", RESOLVER_TOKEN: "secret 1" })
    expect(line).toContain("RESOLVER_TOKEN: expected")
    expect(line).not.toContain("secret")
  })

  it.each([
    ["PORT", "65536", "a port from 0 to 65535"],
    ["PORT", "-1", "a port from 0 to 65535"],
    ["PORT", "80.5", "a port from 0 to 65535"],
    ["PORT", "http", "a port from 0 to 65535"],
    ["SERVICE_PACE", "0", "a whole number from 1 to 100000"],
    ["SERVICE_PACE", "100001", "a whole number from 1 to 100000"],
    ["WEBHOOK_LOG_DAYS", "0", "a whole number from 1 to 3650"],
    ["WEBHOOK_LOG_DAYS", "3651", "a whole number from 1 to 3650"],
    ["WEBHOOK_PAYLOAD_DAYS", "0", "a whole number from 1 to 3650"],
    ["WEBHOOK_PAYLOAD_DAYS", "1.5", "a whole number from 1 to 3650"],
    ["BASE_URL", "tidewater.example", "http:// or https://"],
    ["BASE_URL", "ftp://tidewater.example", "http:// or https://"],
    ["MAILER_BASE_URL", "lists.example", "http:// or https://"],
    ["RESOLVER_URL", "resolver.internal/who", "http:// or https://"],
    ["BASE_URL", "https:///", "http:// or https://"],
    ["PIXEL_BASE_URL", "https://tidewater.example/?a=b", "http:// or https://"],
    ["RATE_LIMITS", "yes", "on or off"],
    ["OIDC_ISSUER", "login.tidewater.example", "starts with https://"],
    ["OIDC_ISSUER", "https://login.example/?tenant=1", "starts with https://"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,proxy", "networks such as 10.0.0.0/8"],
    ["GEO_COUNTRY_HEADER", "cf ipcountry", "the name of a header"],
    ["GPC_MODE", "off", "honour or ignore"],
    ["STORE_IP", "none", "truncated or full"],
    ["ALLOW_PRIVATE_WEBHOOKS", "yes", "on or off"],
    ["LOG_LEVEL", "verbose", "debug or info or warn or error or silent"],
  ])("%s=%s ends the start with one line that names it", async (variable, value, expected) => {
    const line = await complaint({ [variable]: value })

    expect(line).toContain(`${variable}: expected `)
    expect(line).toContain(expected)
    expect(line).toContain(`received "${value}"`)
  })

  it("DATABASE_URL of another kind is refused, and not shown: it may hold a password", async () => {
    const line = await complaint({ DATABASE_URL: "mysql://root:hunter2@db/footfall" })

    expect(line).toContain("DATABASE_URL: expected a URL that starts with postgres://")
    expect(line).not.toContain("hunter2")
  })
})

describe("CLICKHOUSE_URL", () => {
  const url = "https://footfall:hunter2@clickhouse.acme.example:8443/signals"

  it("takes new dates of signals, unless SIGNAL_STORE says otherwise", async () => {
    const { clickHouse } = await load({ CLICKHOUSE_URL: url })
    expect(Redacted.value(clickHouse!.url)).toBe(url)
    expect(clickHouse!.takesNew).toBe(true)
    expect(await load({ CLICKHOUSE_URL: url, SIGNAL_STORE: "postgres" })).toMatchObject({
      clickHouse: { takesNew: false },
    })
  })

  it("is required with SIGNAL_STORE=clickhouse", async () => {
    expect(await complaint({ SIGNAL_STORE: "clickhouse" })).toBe(
      "CLICKHOUSE_URL: it is required with SIGNAL_STORE=clickhouse.",
    )
  })

  it("is required with EVENT_ARCHIVE_DAYS, which is longer than click ids are kept", async () => {
    expect(await load({ CLICKHOUSE_URL: url, EVENT_ARCHIVE_DAYS: "91" })).toMatchObject({
      clickHouse: { eventArchiveDays: 91 },
    })
    expect(await complaint({ EVENT_ARCHIVE_DAYS: "91" })).toBe(
      "CLICKHOUSE_URL: it is required with EVENT_ARCHIVE_DAYS.",
    )
    for (const days of ["90", "3651", "100.5", "0", "a year"]) {
      expect(await complaint({ CLICKHOUSE_URL: url, EVENT_ARCHIVE_DAYS: days })).toBe(
        `EVENT_ARCHIVE_DAYS: expected a whole number from 91 to 3650, received "${days}".`,
      )
    }
  })

  it("of another kind is refused, and not shown: it may hold a password", async () => {
    const line = await complaint({ CLICKHOUSE_URL: "tcp://footfall:hunter2@clickhouse:9000" })
    expect(line).toContain("CLICKHOUSE_URL: expected http:// or https://")
    expect(line).not.toContain("hunter2")
  })
})

describe("CLICKHOUSE_CLUSTER", () => {
  const url = "http://clickhouse.acme.example:8123/signals"

  it("names a cluster of CLICKHOUSE_URL", async () => {
    expect((await load({ CLICKHOUSE_URL: url })).clickHouse!.cluster).toBeUndefined()
    const { clickHouse } = await load({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: "two_shards-1" })
    expect(clickHouse!.cluster).toBe("two_shards-1")
  })

  it("requires CLICKHOUSE_URL", async () => {
    expect(await complaint({ CLICKHOUSE_CLUSTER: "footfall" })).toBe(
      "CLICKHOUSE_URL: it is required with CLICKHOUSE_CLUSTER.",
    )
  })

  it("of another form is refused", async () => {
    const line = await complaint({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: "footfall', 'x" })
    expect(line).toBe(
      `CLICKHOUSE_CLUSTER: expected the name of a cluster: at most 64 letters, digits, underscores and hyphens, received "footfall', 'x".`,
    )
  })
})

describe("SMTP_URL", () => {
  it("names the mail server", async () => {
    expect(await load({ SMTP_URL: "smtps://u%40acme.example:p@mail.acme.example" })).toMatchObject({
      smtpServer: { host: "mail.acme.example", port: 465, from: "u@acme.example" },
    })
    expect(await load({ SMTP_URL: "" })).toMatchObject({ smtpServer: undefined })
  })

  it("of another kind is refused, and not shown: it may hold a password", async () => {
    const line = await complaint({ SMTP_URL: "http://root:hunter2@mail.acme.example" })

    expect(line).toContain("SMTP_URL: expected smtp:// or smtps://")
    expect(line).not.toContain("hunter2")
  })
})

describe("FOOTFALL_SECRET", () => {
  const withDatabase = (value: string) => ({ DATABASE_URL: databaseUrl, FOOTFALL_SECRET: value })

  it("is required with DATABASE_URL", async () => {
    expect(await complaint({ DATABASE_URL: databaseUrl })).toContain(
      "FOOTFALL_SECRET: it is required with DATABASE_URL",
    )
  })

  it("has at least 32 characters", async () => {
    expect(await complaint(withDatabase("x".repeat(31)))).toContain("FOOTFALL_SECRET: ")
    expect(await complaint(withDatabase("x".repeat(32)))).toBe("accepted")
    expect(await complaint(withDatabase("x".repeat(33)))).toBe("accepted")
  })

  it("may be two values of that length, the first one first; three are refused", async () => {
    const one = "1".repeat(32)
    const two = "2".repeat(32)
    const { secrets } = await load(withDatabase(`${one}, ${two}`))

    expect(secrets.map(Redacted.value)).toEqual([one, two])
    expect(await complaint(withDatabase(`${one},${"2".repeat(31)}`))).toContain("FOOTFALL_SECRET: ")
    expect(await complaint(withDatabase(`${one},`))).toContain("FOOTFALL_SECRET: ")
    expect(await complaint(withDatabase(`${one},${two},${one}`))).toContain("FOOTFALL_SECRET: ")
  })

  it("is never printed, not in a complaint and not with the configuration", async () => {
    const short = "hunter2hunter2"

    expect(await complaint(withDatabase(short))).not.toContain(short)
    expect(inspect(await load(withDatabase(secret)), { depth: 9 })).not.toContain(secret)
    expect(JSON.stringify(await load(withDatabase(secret)))).not.toContain(secret)
  })

  it("is written to DATA_DIR/secret on the first embedded start, for its owner alone", async () => {
    const { secrets } = await load({})
    const file = join(dataDir, "secret")

    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readFile(file, "utf8")).toBe(Redacted.value(secrets[0]!))
    expect(Redacted.value(secrets[0]!).length).toBeGreaterThanOrEqual(64)
  })

  it("is the same on later starts, and of several first starts at once one remains", async () => {
    const first = await Promise.all(Array.from({ length: 8 }, () => load({})))
    const later = await load({})

    const values = [...first, later].map(({ secrets }) => Redacted.value(secrets[0]!))
    expect(new Set(values).size).toBe(1)
  })

  it("of the environment comes before the file", async () => {
    await load({})
    const { secrets } = await load({ FOOTFALL_SECRET: secret })

    expect(secrets.map(Redacted.value)).toEqual([secret])
  })

  it("that cannot be kept ends the start with a line that names DATA_DIR", async () => {
    const file = join(dataDir, "..", "a-file")
    await writeFile(file, "")

    expect(await complaint({ DATA_DIR: file })).toContain("DATA_DIR: the secret cannot be saved in")
  })

  it("in an emptied file ends the start: it signs everything", async () => {
    await load({})
    await writeFile(join(dataDir, "secret"), "")

    expect(await complaint({})).toContain("Remove it to get a new one")
  })

  it.each([
    ["lost", (file: string) => rm(file), "is missing"],
    [
      "emptied",
      (file: string) => writeFile(file, ""),
      "contains no secret of at least 32 characters",
    ],
  ])(
    "that was %s, with an existing database, is not replaced: the start says what to do",
    async (_, spoil, found) => {
      await load({})
      const file = join(dataDir, "secret")
      const held = await readFile(file, "utf8")
      await mkdir(join(dataDir, "postgres"))
      await writeFile(join(dataDir, "postgres", "PG_VERSION"), "18\n")
      await spoil(file)

      const words = await complaint({})

      expect(words).toContain(`DATA_DIR: ${file} ${found}, and there is a database`)
      expect(words).toContain("Restore the file, or set FOOTFALL_SECRET")
      expect(await readFile(file, "utf8").catch(() => "")).toBe("")
      expect((await load({ FOOTFALL_SECRET: held })).secrets.map(Redacted.value)).toEqual([held])
    },
  )
})

describe("an option of createFootfall comes before its variable", () => {
  it.each([
    ["PORT", "1", { port: 2 }],
    ["HOST", "::1", { host: "::2" }],
    ["DATA_DIR", "/var/a", { dataDir: "/var/b", secret }],
    ["BASE_URL", "https://a.example", { baseUrl: "https://b.example" }],
    ["PIXEL_BASE_URL", "https://a.example", { pixelBaseUrl: "https://b.example" }],
    ["RATE_LIMITS", "on", { rateLimits: false }],
  ])("%s", async (variable, value, options) => {
    const { secret: _, ...expected } = { secret, ...options }

    expect(await load({ [variable]: value }, { secret, ...options })).toMatchObject(expected)
  })

  it("FOOTFALL_SECRET and DATABASE_URL", async () => {
    const config = await load(
      { DATABASE_URL: "postgres://other", FOOTFALL_SECRET: "x".repeat(40) },
      { databaseUrl, secret },
    )

    expect(config.secrets.map(Redacted.value)).toEqual([secret])
    expect(Option.map(config.databaseUrl, Redacted.value)).toEqual(Option.some(databaseUrl))
  })

  it.each([
    [{ port: 65_536 }],
    [{ port: -1 }],
    [{ port: 1.5 }],
    [{ baseUrl: "tidewater.example" }],
    [{ pixelBaseUrl: "tidewater.example" }],
    [{ databaseUrl: "mysql://db" }],
    [{ secret: "short" }],
    [{ smtpUrl: "http://mail" }],
    [{ host: "" }],
    [{ dataDir: "" }],
    [{ trustedProxies: "10.0.0.0/33" }],
    [{ gpcMode: "never" as never }],
    [{ storeIp: "none" as never }],
    [{ mailerBaseUrl: "mailer.example" }],
    [{ servicePace: 0 }],
    [{ syncCycleSeconds: -5 }],
    [{ syncCycleSeconds: 3_601 }],
    [{ identificationLanes: 0 }],
    [{ identificationLanes: 257 }],
    [{ inboundPerMinute: 0 }],
    [{ inboundSpoolMb: 0 }],
    [{ webhookLogDays: 0 }],
    [{ webhookPayloadDays: 1.5 }],
  ] satisfies ReadonlyArray<[ConfigOptions]>)(
    "and is held to the same rule, and named by its own name: %j",
    async (options) => {
      const [name = ""] = Object.keys(options)

      expect(await complaint({ FOOTFALL_SECRET: secret }, options)).toContain(`${name}: expected `)
    },
  )
})

// `footfall-server doctor`: its findings and their remedies. Runs in this process with real databases, directories and
// ports.
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { chmod, mkdir, stat, writeFile } from "node:fs/promises"
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest"
import { Platform } from "../../src/app/application.ts"
import { doctor } from "../../src/app/commands/doctor.ts"
import type { Finding } from "../../src/app/commands/doctor/finding.ts"
import { dataDirectory } from "../../src/app/commands/doctor/host-findings.ts"
import { Output } from "../../src/app/commands/output.ts"
import type { ConfigOptions } from "../../src/app/config/options.ts"
import { ipv4, mmdbFile } from "../companies/mmdb-file.ts"
import { startMailerProvider } from "../destinations/mailer-provider.ts"
import { World } from "../destinations/support.ts"
import { startSmtp } from "../mail/smtp-server.ts"
import { startOpenIdProvider } from "../support/openid-provider.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"
import { settle, someone } from "../visitors/query/scene.ts"

let world: World
let server: TestServer
beforeAll(async () => {
  world = await World.start()
  server = world.server
})
afterAll(() => server.close())
afterEach(() => void vi.unstubAllEnvs())

const newDirectory = () => join(inject("temporaryDirectory"), `doctor-${randomUUID()}`)

const examine = async (options: ConfigOptions = {}) => {
  let document: object = {}
  let words = ""
  const output = Layer.succeed(Output, {
    isJson: true,
    result: (found, text) =>
      Effect.sync(() => {
        document = found
        words = text
      }),
    note: () => Effect.void,
  })
  const isHealthy = await Effect.runPromise(
    doctor({
      databaseUrl: server.databaseUrl,
      secret: testSecret,
      dataDir: newDirectory(),
      host: "127.0.0.1",
      port: 0,
      baseUrl: "http://localhost:4100",
      ...options,
    }).pipe(
      Effect.provide([Platform, output]),
      // By default Effect keeps the environment of the first file of a process.
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv()),
    ),
  )
  const { checks, healthy } = document as { healthy: boolean; checks: ReadonlyArray<Finding> }
  expect(healthy).toBe(isHealthy)
  return { isHealthy, words, of: (check: string) => checks.find((one) => one.check === check) }
}

const listen = async () => {
  const other = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.resume().end("no HTTP")
  })
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  return { other, port: (other.address() as AddressInfo).port }
}
const close = (other: Server) => new Promise<unknown>((resolve) => other.close(resolve))

test("finds nothing wrong in a healthy installation", async () => {
  const { isHealthy, of, words } = await examine()

  expect(isHealthy).toBe(true)
  expect(of("database")).toMatchObject({
    status: "ok",
    message: expect.stringMatching(/Postgres \d/),
  })
  for (const check of [
    "configuration",
    "clock",
    "data keys",
    "schema",
    "workers",
    "port",
    "secret",
    "encryption",
  ]) {
    expect(of(check), check).toMatchObject({ status: "ok" })
  }
  expect(of("mail")).toMatchObject({ status: "skipped" })
  expect(words).toContain("ok       database")
})

test("distinguishes no people, no companies, no topics and no signals, each with the command that helps", async () => {
  const { of, isHealthy } = await examine()

  expect(isHealthy).toBe(true)
  expect(of("topics")).toMatchObject({
    status: "skipped",
    advice: "Run footfall-server starter-topics",
  })
  expect(of("signals")).toMatchObject({
    status: "skipped",
    advice: "Run footfall pixels suggest-topics DOMAIN",
  })
  expect(of("people")).toMatchObject({
    status: "skipped",
    message: expect.stringContaining("footfall.identify(email)"),
    advice: "Run footfall-server import links FILE",
  })
  expect(of("company visits")).toMatchObject({
    status: "skipped",
    advice: "Run IP_COMPANY_FILE=networks.csv footfall-server start",
  })
})

test("names a user id that strangers share, with the command that releases it", async () => {
  expect((await examine()).of("user ids")).toBeUndefined()
  const { organizationId, pixelId } = await server.makeOrganization()
  const userId = randomUUID()
  await server.sql(
    `insert into user_id_use (
       organization_id, pixel_id, user_id, browsers, addresses, used_at, shared_at, text
     ) values ($1, $2, $3, '[]', '[]', now(), now(), 'demo-account')`,
    [organizationId, pixelId, userId],
  )
  const [pixel] = await server.sql("select domain from pixel where id = $1", [pixelId])
  const domain = String(pixel?.["domain"])

  const { isHealthy, of } = await examine()

  expect(isHealthy).toBe(true)
  expect(of("user ids")).toMatchObject({
    status: "warning",
    message: `Strangers on ${domain} share the user id "demo-account", so it no longer joins browsers.`,
    advice: expect.stringContaining(
      `run footfall pixels shared-user-ids release ${domain} ${userId}`,
    ),
  })
  await server.sql("delete from user_id_use")
})

describe("company files", () => {
  const dayOf = async (path: string) => (await stat(path)).mtime.toISOString().slice(0, 10)
  const written = async (text: string | Buffer) => {
    const path = join(inject("temporaryDirectory"), `companies-${randomUUID()}.csv`)
    await writeFile(path, text)
    return path
  }
  const table = "cidr,name,domain,type\n192.0.2.0/24,Harbor,harbor.example,business\n"

  test("that name companies are named with their number and the day they were written", async () => {
    const ipCompanyFile = await written(table)

    const { isHealthy, of } = await examine({ ipCompanyFile })

    expect(isHealthy).toBe(true)
    expect(of("companies")).toMatchObject({
      status: "ok",
      message: `${ipCompanyFile} maps 1 network to companies. It is of ${await dayOf(ipCompanyFile)}.`,
    })
    expect(of("company visits")).toMatchObject({ advice: "Run footfall pixels verify DOMAIN" })
  })

  test("that have no types of networks are named with what that means", async () => {
    const ipCompanyFile = await written(
      "cidr,domain\n192.0.2.0/24,harbor.example\n198.51.100.0/24,comcast.com\n" +
        "203.0.113.0/24,tidewater.example\n",
    )

    const { isHealthy, of } = await examine({ ipCompanyFile })

    expect(isHealthy).toBe(true)
    expect(of("companies")).toMatchObject({
      status: "warning",
      message: expect.stringMatching(/maps 2 networks to companies\. .* has no types of networks/),
      advice: expect.stringContaining("IP_COMPANY_EXCLUDE_FILE"),
    })
  })

  test.each([
    ["an MMDB file without networks", mmdbFile([])],
    [
      "GeoLite2 ASN, which has no domains",
      readFileSync(new URL("../companies/mmdb/GeoLite2-ASN-Test.mmdb", import.meta.url)),
    ],
    ["a file whose networks are all a provider's", "cidr,domain\n192.0.2.0/24,telekom.de\n"],
  ])("%s is reported, because it names no company", async (_what, content) => {
    const ipCompanyFile = await written(content)

    const { isHealthy, of } = await examine({ ipCompanyFile })

    expect(isHealthy).toBe(false)
    expect(of("companies")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/names no company: .* It is of \d{4}-\d\d-\d\d\.$/),
      advice: expect.stringContaining("GeoLite2 ASN"),
    })
  })

  test("that are MMDB are counted by their networks, with the day of their maker", async () => {
    const record = { domain: "harbor.example", type: "business" }
    const ipCompanyFile = await written(
      mmdbFile([
        ipv4("192.0.2.0/25", record),
        ipv4("192.0.2.128/25", { ...record, is_vpn: true }),
        ipv4("255.255.255.255/32", { ...record, domain: "tidewater.example" }),
      ]),
    )

    const { of } = await examine({ ipCompanyFile })

    expect(of("companies")).toMatchObject({
      status: "ok",
      message: `${ipCompanyFile} maps 2 networks to companies. It is of 2026-03-01.`,
    })
  })

  test.each([
    ["is missing", undefined, /^IP_COMPANY_FILE: .*missing\.csv/],
    [
      "has a row that is not a network",
      "cidr,name\n192.0.2.0/24,Harbor\nharbor,West\n",
      /^IP_COMPANY_FILE: row 2: expected a network/,
    ],
    ["has no networks at all", "name,domain\nHarbor,harbor.example\n", /^IP_COMPANY_FILE: .*cidr/],
  ])("a file that %s is reported and named", async (_what, text, message) => {
    const path = text === undefined ? "/nowhere/missing.csv" : await written(text)

    const { isHealthy, of } = await examine({ ipCompanyFile: path })

    expect(isHealthy).toBe(false)
    expect(of("companies")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(message),
      advice: expect.stringContaining("http://localhost:4100/guide/how-to/see-companies"),
    })
  })

  test("a missing list of excluded domains is named by its own variable", async () => {
    const ipCompanyFile = await written(table)
    const found = await examine({ ipCompanyFile, ipCompanyExcludeFile: "/nowhere/excluded.txt" })

    expect(found.of("companies")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/^IP_COMPANY_EXCLUDE_FILE: .*excluded\.txt/),
    })
  })
})

describe("the resolver", () => {
  const listen = async (status: number) => {
    const asked: Array<unknown> = []
    const web = createHttpServer((request, response) => {
      void json(request).then((body) => {
        asked.push([request.method, request.headers.authorization, body])
        response.writeHead(status).end(`{"answers":[]}`)
      })
    })
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve))
    const { port } = web.address() as AddressInfo
    vi.stubEnv("RESOLVER_URL", `http://127.0.0.1:${port}/who`)
    vi.stubEnv("RESOLVER_TOKEN", "secret-token")
    return { asked, close: () => web.close(), url: `http://127.0.0.1:${port}/who` }
  }

  test("that responds gets its token, and no question", async () => {
    const { asked, close, url } = await listen(200)
    const { of } = await examine()
    close()

    expect(of("resolver")).toMatchObject({ status: "ok", message: `${url} is responding.` })
    expect(asked).toEqual([["POST", "Bearer secret-token", { questions: [] }]])
  })

  test("that refuses, or isn't there, is reported", async () => {
    const { close, url } = await listen(403)
    const refused = await examine()
    close()
    const gone = await examine()

    expect(refused.of("resolver")).toMatchObject({
      status: "failed",
      message: `${url} responded with status 403.`,
      advice: expect.stringContaining("RESOLVER_TOKEN"),
    })
    expect(gone.of("resolver")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("ECONNREFUSED"),
    })
  })
})

describe("configuration", () => {
  test("names the invalid variable, and checks nothing else", async () => {
    vi.stubEnv("DATABASE_URL", "")
    const { isHealthy, of } = await examine({ secret: "short" })

    expect(isHealthy).toBe(false)
    expect(of("configuration")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("secret: expected"),
      advice: expect.stringContaining("/guide/reference/configuration"),
    })
    expect(of("database")).toBeUndefined()
  })

  test("says that other users can read a stored secret", async () => {
    const dataDir = newDirectory()
    await mkdir(dataDir)
    await writeFile(join(dataDir, "secret"), testSecret)
    await chmod(join(dataDir, "secret"), 0o644)

    expect((await examine({ dataDir })).of("secret")).toMatchObject({
      status: "warning",
      advice: `chmod 600 ${dataDir}/secret`,
    })
  })
})

describe("database", () => {
  test("reports what Postgres refuses to a user without rights", async () => {
    const role = `guest_${randomUUID().replaceAll("-", "")}`
    await server.sql(`create role ${role} login password 'guest'`)
    const address = new URL(server.databaseUrl)
    address.username = role
    address.password = "guest"
    try {
      const { isHealthy, of } = await examine({ databaseUrl: address.href })

      expect(isHealthy).toBe(false)
      expect(of("database")).toMatchObject({
        status: "failed",
        message: expect.stringMatching(
          /^Postgres returned an error: permission denied for \w+ schema_migration/,
        ),
        advice: expect.stringContaining("owner of the database"),
      })
    } finally {
      await server.sql(`drop role ${role}`)
    }
  })

  test("says that it does not respond, without its password", async () => {
    const { isHealthy, of, words } = await examine({
      databaseUrl: "postgres://someone:hunter2@127.0.0.1:9/footfall",
    })

    expect(isHealthy).toBe(false)
    expect(of("database")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("127.0.0.1:9/footfall"),
      advice: expect.stringContaining("DATABASE_URL"),
    })
    expect(words).not.toContain("hunter2")
  })

  test("creates none if none exists yet", async () => {
    const dataDir = newDirectory()
    const { isHealthy, of } = await examine({ databaseUrl: null, dataDir })

    expect(isHealthy).toBe(true)
    expect(of("database")).toMatchObject({ status: "skipped" })
  })

  test.each([
    ["older", "delete from schema_migration where migration_id > 1", "warning"],
    ["newer", "insert into schema_migration (migration_id, name) values (9999, 'later')", "failed"],
  ] as const)("reports a schema that is %s than the server", async (_which, statement, status) => {
    const other = await startServer({ workers: false })
    await other.sql(statement)
    const { isHealthy, of } = await examine({ databaseUrl: other.databaseUrl })
    await other.close()

    expect(of("schema")).toMatchObject({ status, advice: expect.any(String) })
    expect(isHealthy).toBe(status === "warning")
    expect(of("workers")).toBeUndefined()
  })

  test("says that no worker runs", async () => {
    await server.collect({
      v: 1,
      sentAt: new Date().toISOString(),
      anonymousId: randomUUID(),
      consent: "granted",
      events: [
        {
          id: randomUUID(),
          type: "page",
          time: new Date().toISOString(),
          url: "https://tidewater.example/",
        },
      ],
    })
    await server.sql("update event_inbox set received_at = now() - interval '1 hour'")
    const { isHealthy, of } = await examine()
    await server.sql("delete from event_inbox")

    expect(isHealthy).toBe(true)
    expect(of("workers")).toMatchObject({
      status: "warning",
      message: expect.stringContaining("visits (1)"),
    })
  })
})

describe("encryption", () => {
  test("says that the secret does not open the data keys, and that the second value is still needed", async () => {
    const provider = await startMailerProvider()
    const before = await examine()
    await world.account(provider)
    await world.webhook()
    await server.sdk.webhooks.create({ name: "Sales", url: "https://hooks.example/in" })
    const other = "another secret as after a restore without it"
    const [same, foreign, both] = [
      await examine(),
      await examine({ secret: other }),
      await examine({ secret: `${other},${testSecret}` }),
    ]
    await provider.close()

    expect(before.of("encryption")).toMatchObject({ message: "No encrypted data is stored." })
    expect(same.of("encryption")).toMatchObject({
      status: "ok",
      message: "All encrypted data can be read.",
    })
    expect(foreign.isHealthy).toBe(false)
    expect(same.of("data keys")).toMatchObject({ status: "ok" })
    expect(foreign.of("data keys")).toMatchObject({
      status: "failed",
      message: "The secret does not open the data keys that protect encrypted data.",
      advice: expect.stringContaining("FOOTFALL_SECRET"),
    })
    expect(both.of("encryption")).toMatchObject({ status: "ok" })
    expect(both.of("data keys")).toMatchObject({
      status: "warning",
      message: "The second value of the secret is still needed: 7 of 7 data keys use it.",
      advice: expect.stringContaining("footfall-server secrets rotate"),
    })
  })

  test("says how many values the data keys do not open, and of what kind", async () => {
    await server.sql("update webhook set secret = set_byte(secret, 0, 255 - get_byte(secret, 0))")

    const { isHealthy, of } = await examine()

    expect(isHealthy).toBe(false)
    expect(of("encryption")).toMatchObject({
      status: "failed",
      message: "1 of 3 encrypted values cannot be read with the data keys (webhooks: 1).",
      advice: expect.stringContaining("/guide/operations/backup-and-restore"),
    })
  })
})

test("says what a missing data directory means: none is needed, or a running server has another", async () => {
  const dataDir = newDirectory()

  expect((await examine({ dataDir })).of("data directory")).toEqual({
    check: "data directory",
    status: "ok",
    message: `${dataDir} doesn't exist, and none is needed: the data is in DATABASE_URL.`,
  })
  const config = { databaseUrl: Option.none(), dataDir } as never
  expect(await dataDirectory(config, true)).toMatchObject({
    status: "warning",
    message: `${dataDir} doesn't exist, but the server of this installation is running: it has another one.`,
    advice: expect.stringContaining("DATA_DIR"),
  })
  expect(await dataDirectory(config, false)).toMatchObject({
    status: "ok",
    message: `${dataDir} doesn't exist yet. The first start creates it.`,
  })
})

describe("network", () => {
  test("distinguishes this installation's server on the port from another's, and from another program", async () => {
    const port = Number(new URL(server.url).port)
    expect((await examine({ port })).of("port")).toMatchObject({ status: "ok" })
    const stranger = await examine({ port, secret: "the secret of an installation elsewhere" })
    expect(stranger.isHealthy).toBe(false)
    expect(stranger.of("port")).toMatchObject({
      status: "failed",
      message: `A Footfall server of another installation is using 127.0.0.1:${port}.`,
    })

    const { other, port: taken } = await listen()
    const { isHealthy, of } = await examine({ port: taken })
    await close(other)

    expect(isHealthy).toBe(false)
    expect(of("port")).toMatchObject({
      status: "failed",
      message: `Another program is using 127.0.0.1:${taken}.`,
    })
  })

  test("asks BASE_URL for a proof of this installation's secret, the former one included", async () => {
    const port = Number(new URL(server.url).port)
    const secret = `a newer secret of at least 32 characters,${testSecret}`
    const at = async (options: ConfigOptions) =>
      (await examine({ port, ...options })).of("public URL")

    expect(await at({ baseUrl: server.url })).toMatchObject({ status: "ok" })
    expect(await at({ baseUrl: server.url, secret })).toMatchObject({ status: "ok" })
    expect(
      await at({ baseUrl: server.url, secret: "the secret of an installation elsewhere" }),
    ).toMatchObject({
      status: "failed",
      message: `${server.url} reaches a Footfall server of another installation.`,
    })
    const { other, port: taken } = await listen()
    await close(other)
    expect(await at({ baseUrl: `http://127.0.0.1:${taken}` })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("ECONNREFUSED"),
    })
    // Without a server on this machine, there is nothing that it could reach.
    expect(await at({ baseUrl: `http://127.0.0.1:${taken}`, port: 0 })).toMatchObject({
      status: "skipped",
    })
    vi.stubEnv("BASE_URL", "")
    expect(await at({ baseUrl: undefined })).toMatchObject({ status: "skipped" })
  })

  test("reads the configuration of the external issuer, which must have exactly the name in OIDC_ISSUER", async () => {
    const issuer = await startOpenIdProvider()
    issuer.serve({ clientId: "console", redirectUri: "http://localhost:4100/callback" })
    vi.stubEnv("OIDC_CLIENT_ID", "console")
    vi.stubEnv("OIDC_ISSUER", issuer.url)
    const there = await examine()
    vi.stubEnv("OIDC_ISSUER", `${issuer.url}/`)
    const misnamed = await examine()
    await issuer.close()
    const away = await examine()

    expect(there.of("sign-in")).toEqual({
      check: "sign-in",
      status: "ok",
      message: `${issuer.url} is responding. Its redirect URI for this server must be http://localhost:4100/v1/auth/external/callback`,
    })
    expect(misnamed.of("sign-in")).toMatchObject({
      status: "failed",
      message: expect.stringContaining(`its configuration names ${issuer.url}.`),
    })
    expect(away.of("sign-in")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("ECONNREFUSED"),
    })
  })

  test("greets the mail server and signs in as for a mail, and says what it refused", async () => {
    const { other, port } = await listen()
    const silent = await examine({ smtpUrl: `smtp://127.0.0.1:${port}` })
    await close(other)
    const away = await examine({ smtpUrl: `smtp://127.0.0.1:${port}` })
    const smtp = await startSmtp()
    const there = await examine({ smtpUrl: smtp.url })
    await smtp.close()
    // Its own certificate for STARTTLS is from no authority, and it takes one password.
    const strict = new SMTPServer({
      onAuth: ({ password }, _session, done) =>
        password === "right" ? done(null, { user: "footfall" }) : done(new Error("no")),
    })
    strict.on("error", () => undefined)
    strict.listen(0, "localhost")
    await once(strict.server, "listening")
    const strictPort = (strict.server.address() as AddressInfo).port
    const certificate = await examine({ smtpUrl: `smtp://footfall:right@localhost:${strictPort}` })
    await new Promise<void>((resolve) => strict.close(() => resolve()))

    expect(there.of("mail")).toMatchObject({ status: "ok" })
    expect(away.of("mail")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("ECONNREFUSED"),
    })
    expect(silent.of("mail")).toMatchObject({ status: "failed" })
    expect(certificate.of("mail")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/certificate/),
      advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    })
    expect(smtp.mails).toEqual([])
  })
})

test("says when the topics of visitors have been behind for more than an hour", async () => {
  const late = await startServer({ workers: false })
  const finding = async () =>
    (await examine({ databaseUrl: late.databaseUrl })).of("topics of visitors")
  expect(await finding()).toBeUndefined()
  await settle(late, late, [someone([Date.now() - 3_600_000])])
  await late.sql(
    "insert into signal_date (organization_id, origin, date, signals) values ($1, 'import', current_date, 1)",
    [late.organizationId],
  )

  await late.sql("update visitor_topic_round set whole_at = now() - interval '61 minutes'")
  expect(await finding()).toMatchObject({
    status: "warning",
    message: expect.stringContaining("not all signals have been read"),
    advice: expect.stringContaining("--workers-only"),
  })

  await late.sql("update visitor_topic_round set whole_at = now() - interval '59 minutes'")
  expect(await finding()).toBeUndefined()
  await late.close()
})

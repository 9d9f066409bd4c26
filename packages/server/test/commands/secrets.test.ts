// `footfall-server secrets` replaces the secret any number of times, and can be killed at any time, without losing
// stored data (spec 1.2.6).
import { type ChildProcess, spawn } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { readdir, readFile, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { type MailerProvider, startMailerProvider } from "../destinations/mailer-provider.ts"
import { World } from "../destinations/support.ts"
import { batch, identify } from "../erasure/people-of-the-site.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"
import {
  embeddedPostgres,
  killLeftServers,
  makeServerHome,
  runCommand,
  type ServerHome,
  ServerProcess,
} from "../support/server-process.ts"
import { type Receiver, startReceiver, verify } from "../webhooks/receiver.ts"
import { isSoak } from "../soak/size.ts"
import { run } from "./command.ts"

/** From the first secret, and from one that a rotation created. */
const rotations = isSoak ? 3 : 2

describe("with DATABASE_URL", () => {
  const erased = "erased@harbor.example"
  let world: World
  let provider: MailerProvider
  let receiver: Receiver
  const starts: Array<TestServer> = []
  beforeAll(async () => {
    world = await World.start({ workers: true })
    provider = await startMailerProvider()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    for (const server of starts) await server.close()
    await world.close()
    await provider.close()
    await receiver.close()
    vi.unstubAllEnvs()
  })

  const isListed = async (server: TestServer, email: string) =>
    (await server.get(`/v1/data?email=${encodeURIComponent(email)}`)).status === 200
  const visit = async (server: TestServer, email: string) => {
    await world.server.collect(batch(randomUUID(), identify({ email }, 5)))
    await server.drain()
  }

  it("three rotations in a row keep tombstones, webhook secrets and credentials", async () => {
    const { server } = world
    const { webhook, webhookSecret } = await server.sdk.webhooks.create({
      name: "CRM",
      url: receiver.url.replace("http:", "https:"),
    })
    await server.sql("update webhook set url = $1", [receiver.url])
    const account = await world.account(provider)
    await visit(server, erased)
    await server.sdk.visitors.erase(createHash("sha256").update(erased).digest("hex"))

    let secret = testSecret
    for (const round of [1, 2, 3]) {
      const next = `secret number ${round} that is long enough for it`
      const rotated = await run(["secrets", "rotate", "--json"], {
        DATABASE_URL: server.databaseUrl,
        FOOTFALL_SECRET: `${next},${secret}`,
      })
      const again = await run(["secrets", "rotate", "--json"], {
        DATABASE_URL: server.databaseUrl,
        FOOTFALL_SECRET: next,
      })
      const former = await run(["keys", "list"], {
        DATABASE_URL: server.databaseUrl,
        FOOTFALL_SECRET: secret,
      })
      const started = await startServer({ beside: server, secret: next })
      starts.push(started)

      expect(rotated).toMatchObject({ code: 0, stderr: "" })
      expect(JSON.parse(rotated.stdout)).toEqual({ dataKeys: 7, rewrapped: 7, secretFile: null })
      expect(JSON.parse(again.stdout)).toEqual({ dataKeys: 7, rewrapped: 0, secretFile: null })
      expect(former.code).toBe(1)
      expect(former.stderr).toMatch(/^footfall-server: FOOTFALL_SECRET, or [^\n]*\n$/)
      const before = receiver.received.length
      expect(await started.sdk.webhooks.test(webhook.id)).toMatchObject({ ok: true })
      verify(webhookSecret!, receiver.received[before]!)
      await expect(checked(started, account.id)).resolves.toBe("healthy")
      await visit(started, erased)
      await visit(started, `other-${round}@harbor.example`)
      expect(await isListed(started, erased)).toBe(false)
      expect(await isListed(started, `other-${round}@harbor.example`)).toBe(true)
      secret = next
    }
  })

  /** Queries the provider with the stored credentials. */
  const checked = async (server: TestServer, accountId: string) => {
    const { accessToken } = await server.makeUser("member")
    const answer = await server.embedded.fetch(
      new Request(`${server.url}/v1/intent/integrations/accounts/${accountId}/check`, {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}` },
      }),
    )
    const { data } = (await answer.json()) as { data: { account: { status: string } } }
    return data.account.status
  }

  it("without a second value there is nothing to do, and an unknown secret changes nothing", async () => {
    const environment = { DATABASE_URL: world.server.databaseUrl }
    const before = await world.server.sql("select * from data_key order by purpose, number")

    const foreign = await run(["secrets", "rotate"], {
      ...environment,
      FOOTFALL_SECRET: "a secret that was never the one of this,and another that never was the one",
    })

    expect(foreign.code).toBe(1)
    expect(await world.server.sql("select * from data_key order by purpose, number")).toEqual(
      before,
    )
  })

  it("only reset deletes what a lost secret protected, and only with --yes", async () => {
    const environment = {
      DATABASE_URL: world.server.databaseUrl,
      FOOTFALL_SECRET: "a secret that was made after the other was lost",
    }

    expect((await run(["secrets", "reset"], environment)).code).toBe(2)
    expect((await run(["keys", "list"], environment)).code).toBe(1)
    expect(await run(["secrets", "reset", "--yes", "--json"], environment)).toMatchObject({
      code: 0,
    })
    expect((await run(["keys", "list"], environment)).code).toBe(0)
    const again = await run(["secrets", "reset", "--yes"], environment)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing is lost") })
  })
})

describe("with the file of the data directory", () => {
  let home: ServerHome
  let children: Array<ChildProcess> = []
  beforeAll(async () => {
    home = await makeServerHome({ LOG_LEVEL: "warn" })
    const made = await runCommand(
      home,
      "footfall-server",
      ...["init", "--organization", "Tidewater", "--email", "owner@tidewater.example", "--json"],
    )
    expect(made.exitCode, made.stderr).toBe(0)
  })
  afterEach(() => children.forEach((child) => child.kill("SIGKILL")))
  afterAll(killLeftServers)

  const file = () => readFile(`${home.dataDir}/secret`, "utf8")
  const command = (...args: ReadonlyArray<string>) => runCommand(home, "footfall-server", ...args)
  const opens = async (secret?: string) => {
    const environment = secret === undefined ? {} : { FOOTFALL_SECRET: secret }
    const { exitCode, stderr } = await runCommand(
      { ...home, environment },
      "footfall-server",
      "keys",
      "list",
    )
    return exitCode === 0 ? "opens" : stderr
  }

  it("each rotation creates a secret, writes only that, and the former one opens nothing", async () => {
    for (let rotation = 0; rotation < rotations; rotation++) {
      const former = await file()

      const { exitCode, stderr, stdout } = await command("secrets", "rotate", "--json")

      expect(exitCode, stderr).toBe(0)
      expect(JSON.parse(stdout)).toEqual({
        dataKeys: 7,
        rewrapped: 7,
        secretFile: `${home.dataDir}/secret`,
      })
      expect(await file()).toMatch(/^[A-Za-z0-9_-]{64}$/)
      expect(await file()).not.toBe(former)
      expect((await stat(`${home.dataDir}/secret`)).mode & 0o777).toBe(0o600)
      expect(await opens()).toBe("opens")
      expect(await opens(former)).toContain("FOOTFALL_SECRET, or DATA_DIR/secret, does not open")
    }
    expect((await readdir(home.dataDir)).filter((name) => name.startsWith("secret"))).toEqual([
      "secret",
    ])
  })

  it("--keep-former keeps the former one as the second value until the next rotation", async () => {
    const former = await file()

    await command("secrets", "rotate", "--keep-former")
    const [first, second, ...others] = (await file()).split(",")
    expect([second, others]).toEqual([former, []])
    expect(await opens()).toBe("opens")
    expect(await opens(first)).toBe("opens")

    await command("secrets", "rotate")
    expect(await file()).not.toContain(first)
    expect(await opens()).toBe("opens")
  })

  it("given values are written there if the file contains one of them", async () => {
    const former = await file()
    const next = "a value of FOOTFALL_SECRET that was given"

    const { exitCode } = await runCommand(
      { ...home, environment: { FOOTFALL_SECRET: `${next},${former}` } },
      "footfall-server",
      "secrets",
      "rotate",
    )

    expect(exitCode).toBe(0)
    expect(await file()).toBe(next)
    expect(await opens()).toBe("opens")
  })

  it("a kill before the database or the file has followed leaves an installation that starts", async () => {
    const server = await ServerProcess.start(home)
    const { connection } = await embeddedPostgres(home)
    const [blocking, locking] = [new pg.Client(connection), new pg.Client(connection)]
    await Promise.all([blocking.connect(), locking.connect()])
    const waiting = (client: pg.Client, locktype: string) =>
      vi.waitFor(
        async () => {
          const { rows } = await client.query(
            "select from pg_locks where locktype = $1 and not granted",
            [locktype],
          )
          if (rows.length === 0) throw new Error("no one waits yet")
        },
        { timeout: 60_000, interval: 50 },
      )
    const former = await file()

    // The file names both secrets; the database still opens with the old one.
    await blocking.query("begin")
    await blocking.query("lock table data_key in exclusive mode")
    const first = rotating()
    await waiting(blocking, "relation")
    expect(await file()).toMatch(/^[A-Za-z0-9_-]{64},/)
    expect(await file()).toContain(`,${former}`)
    await killed(first)
    await blocking.query("rollback")
    expect(await opens()).toBe("opens")
    expect(await opens(former)).toBe("opens")

    // The database opens with the new secret; the file still names both.
    const [next] = (await file()).split(",")
    await blocking.query("begin")
    await blocking.query("lock table data_key in exclusive mode")
    const second = rotating()
    await waiting(blocking, "relation")
    await locking.query("begin")
    const queued = locking.query("select pg_advisory_xact_lock($1)", [advisoryLocks.dataKeys])
    await waiting(blocking, "advisory")
    await blocking.query("rollback")
    await queued
    await waiting(blocking, "advisory")
    expect(await file()).toBe(`${next},${former}`)
    await killed(second)
    await locking.query("rollback")
    expect(await opens(next)).toBe("opens")
    expect(await opens(former)).toContain("does not open")

    await Promise.all([blocking.end(), locking.end()])
    await server.stop()
    await (await ServerProcess.start(home)).stop()
    expect((await command("secrets", "rotate")).exitCode).toBe(0)
    expect(await file()).not.toContain(",")
    expect(await opens()).toBe("opens")
  }, 300_000)

  it("a server with another secret ends at once with one line", async () => {
    const foreign = await makeServerHome({
      FOOTFALL_SECRET: "a secret that this database has never seen",
    })

    const { exitCode, stderr, stdout } = await runCommand(
      { ...home, environment: foreign.environment },
      "footfall-server",
      "start",
    )

    expect([exitCode, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(
      /^footfall-server: FOOTFALL_SECRET, or DATA_DIR\/secret, does not open [^\n]*\n$/,
    )
  })

  const rotating = (): ChildProcess => {
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("../../bin/footfall-server.js", import.meta.url)),
        "secrets",
        "rotate",
      ],
      {
        cwd: inject("temporaryDirectory"),
        env: { PATH: process.env["PATH"], ...compiledOnce(), DATA_DIR: home.dataDir },
        stdio: "ignore",
      },
    )
    children.push(child)
    return child
  }

  /** Resolves once Postgres has noticed the kill, too. */
  const killed = async (child: ChildProcess) => {
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
    children = children.filter((other) => other !== child)
  }
})

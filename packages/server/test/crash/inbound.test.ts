// Servers are killed with kill -9 and their Postgres is stopped at once and started again, while a vendor sends: every
// record that was answered with 200 is taken once, and none twice (spec 15.3.5). FOOTFALL_SOAK=1 for the full number.
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { mkdtemp } from "node:fs/promises"
import { createHash, randomUUID } from "node:crypto"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, inject, it } from "vitest"
import { apiKeyDigest, makeApiKey } from "../../src/access/api-key.ts"
import { url } from "../../src/platform/database/embedded/address.ts"
import { Migrations } from "../../src/platform/database/migrations.ts"
import { figure, isSoak, sizeOf } from "../soak/size.ts"
import { otherOwner } from "../support/database-directory.ts"
import {
  embeddedPostgres,
  killLeftServers,
  makeServerHome,
  ServerProcess,
} from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"

const kills = sizeOf("SOAK_KILLS", 2, 20)
const restarts = sizeOf("SOAK_RESTARTS", 2, 20)
const perSecond = sizeOf("SOAK_RATE", 40, 200)
const p99MsMax = 1_000

afterAll(killLeftServers)

const hashOf = (email: string) => createHash("sha256").update(email).digest("hex")

it(
  "every record that was answered is taken once, whatever is killed",
  async () => {
    const dataDir = join(await mkdtemp(join(inject("temporaryDirectory"), "inbound-")), "data")
    const start = () => Effect.runPromise(otherOwner(dataDir))
    let owner = await start()
    const postgres = () =>
      embeddedPostgres({ dataDir, configDirectory: "", port: 0, environment: {} })
    const { connection } = await postgres()
    const address = url({ ...connection, host: connection.host! })
    await Effect.runPromise(
      Effect.provide(Migrations.run, PgClient.layer({ url: address, maxConnections: 1 })),
    )
    const pool = new pg.Pool({ ...connection, max: 2 })
    pool.on("error", () => undefined)
    const [organizationId, pixelId, sourceId] = [randomUUID(), randomUUID(), randomUUID()]
    const token = makeApiKey("in_")
    await pool.query("insert into organization (id, slug, name) values ($1, $2, 'Harbor')", [
      organizationId,
      `h${organizationId.slice(0, 8)}`,
    ])
    await pool.query(
      "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'a.example', 'a')",
      [organizationId, pixelId],
    )
    await pool.query(
      `insert into inbound_source
         (organization_id, id, pixel_id, name, preset, consent, status, token_digest, token_last4)
       values ($1, $2, $3, 'RB2B', 'rb2b', 'vouched', 'active', $4, 'abcd')`,
      [organizationId, sourceId, pixelId, Buffer.from(apiKeyDigest(token))],
    )
    const home = await makeServerHome({
      DATABASE_URL: Redacted.value(address),
      FOOTFALL_SECRET: testSecret,
      LOG_LEVEL: "silent",
    })
    let server = await ServerProcess.start(home)

    const answered = new Set<string>()
    const times: Array<number> = []
    const sending = new Set<Promise<void>>()
    let isSending = true
    const send = async () => {
      const email = `${randomUUID()}@harbor.example`
      const begun = performance.now()
      try {
        const { status } = await fetch(
          `http://127.0.0.1:${home.port}/in/${Redacted.value(token)}`,
          {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ "Business Email": email, "First Name": "Jane" }),
          },
        )
        if (status !== 200) return
        times.push(performance.now() - begun)
        answered.add(hashOf(email))
      } catch {
        // The server was killed, or is starting: the vendor got no answer.
      }
    }
    const vendor = (async () => {
      // oxlint-disable-next-line no-unmodified-loop-condition -- ends below
      while (isSending) {
        const one = send().finally(() => sending.delete(one))
        sending.add(one)
        await sleep(1_000 / perSecond)
      }
      await Promise.all(sending)
    })()

    for (let round = 0; round < Math.max(kills, restarts); round++) {
      await sleep(1_500)
      if (round < restarts) {
        const { processId } = await postgres()
        const stopped = once(owner, "exit")
        process.kill(processId, "SIGQUIT")
        owner.kill("SIGKILL")
        await stopped
        await sleep(1_000)
        // Every other time the server dies while requests wait on its disk.
        if (round % 2 === 1 && round < kills) await server.kill()
        owner = await start()
        if (server.hasEnded) server = await ServerProcess.start(home)
      }
      await sleep(1_000)
      if (round % 2 === 0 && round < kills) {
        await server.kill()
        server = await ServerProcess.start(home)
      }
    }
    isSending = false
    await vendor

    const taken = async () => {
      const { rows } = await pool.query(
        `select address_hashes[1] as hash, count(*)::int as times from inbound_record
         where outcome = 'person' group by 1`,
      )
      return new Map<string, number>(rows.map(({ hash, times }) => [hash, times]))
    }
    const missing = async () => {
      const known = await taken()
      return [...answered].filter((hash) => !known.has(hash)).length
    }
    await expect.poll(missing, { timeout: 120_000, interval: 500 }).toBe(0)
    expect([...(await taken()).values()].filter((times) => times !== 1)).toEqual([])
    const inbox = async () =>
      (await pool.query("select count(*)::int as waiting from event_inbox")).rows[0].waiting
    await expect.poll(inbox, { timeout: 120_000, interval: 500 }).toBe(0)
    const { rows } = await pool.query("select count(*)::int as people from visitor_address")
    expect(rows[0].people).toBe((await taken()).size)

    const p99 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!
    figure("inbound kills and restarts", {
      kills,
      restarts,
      perSecond,
      answered: answered.size,
      lost: 0,
      p99Ms: Math.round(p99),
      slowestMs: Math.round(Math.max(...times)),
    })
    if (isSoak) expect(p99).toBeLessThan(p99MsMax)

    await server.kill()
    await pool.end()
    owner.kill("SIGINT")
    await once(owner, "exit")
  },
  isSoak ? 1_200_000 : 300_000,
)

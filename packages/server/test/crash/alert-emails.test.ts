// Two servers that send alerts by email are killed in turn with kill -9, while visits arrive (spec 14.5): no recipient
// gets an email twice, and only emails that were being handed over can be missing, which the history says.
// FOOTFALL_SOAK=1 for the full number of kills.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, expect, it, vi } from "vitest"
import { seal } from "../../src/platform/secrets/sealing.ts"
import { sealingOf } from "../../src/activation/webhooks/signing-secrets.ts"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import { dataKeysIn } from "../support/data-keys.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { browser } from "../webhooks/site.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 20 : 2
const sessions = isSoak ? 2_000 : 120
const timeoutMs = isSoak ? 900_000 : 300_000
/** Emails that one server hands over at the same time. */
const handoversMax = 3
const organizationId = randomUUID()
const webhookId = randomUUID()
const pixelId = randomUUID()
const recipients = [randomUUID(), randomUUID()]

let smtp: SmtpReceiver
afterAll(async () => {
  killLeftServers()
  await smtp.close()
})

const prepare = async (pool: pg.Pool): Promise<void> => {
  const dataKeys = await dataKeysIn(async (text) => (await pool.query(text)).rows, testSecret)
  await pool.query("insert into organization (id, name, slug) values ($1, 'T', 'tidewater')", [
    organizationId,
  ])
  await pool.query(
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'a.example', 'A')",
    [organizationId, pixelId],
  )
  for (const userId of recipients) {
    await pool.query("insert into user_account (id, email) values ($1, $2)", [
      userId,
      `${userId}@tidewater.example`,
    ])
    await pool.query(
      "insert into member (organization_id, user_id, role) values ($1, $2, 'member')",
      [organizationId, userId],
    )
  }
  await pool.query(
    `insert into webhook (organization_id, id, name, format, recipients, trigger, min_seconds,
       identified, again, status, timeout_ms, secret)
     values ($1, $2, 'Pages', 'email', $3, 'page_viewed', 0, 'any', 'every_session', 'active',
       5000, $4)`,
    [
      organizationId,
      webhookId,
      recipients,
      seal(dataKeys, sealingOf({ organizationId, webhookId }), "whsec_AAECAwQFBgc="),
    ],
  )
}

/** A person who views a page. */
const bodyOf = (place: number): string => {
  const now = Date.now()
  const event = (type: string, more: object = {}) => ({
    id: randomUUID(),
    type,
    time: new Date(now).toISOString(),
    url: "https://a.example/",
    ...more,
  })
  return JSON.stringify({
    v: 1,
    sentAt: new Date(now).toISOString(),
    anonymousId: randomUUID(),
    consent: "granted",
    events: [event("page"), event("identify", { email: `person${place}@acme.example` })],
  })
}

it(
  "no one gets an email twice, and none is missing that the history does not name",
  async () => {
    smtp = await startSmtp()
    const database = await testDatabaseUrl()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await prepare(pool)
    const environment = {
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: testSecret,
      SMTP_URL: smtp.url,
    }
    const homes = [await makeServerHome(environment), await makeServerHome(environment)]
    const servers = await Promise.all(homes.map((home) => ServerProcess.start(home)))

    /** Sends one batch to a server that runs, as a browser does: the same body until it was taken. */
    const visit = async (place: number): Promise<void> => {
      const body = bodyOf(place)
      await vi.waitFor(
        async () => {
          const { port } = homes[place % 2]!
          const answer = await fetch(`http://127.0.0.1:${port}/p/${pixelId}/e`, {
            method: "POST",
            headers: { "content-type": "text/plain", "user-agent": browser },
            body,
          })
          if (answer.status !== 204 && answer.status !== 202) throw new Error(await answer.text())
        },
        { timeout: 60_000, interval: 100 },
      )
    }
    const sent = async () => {
      for (let place = 0; place < sessions; place += 4) {
        await Promise.all([0, 1, 2, 3].map((offset) => visit(place + offset)))
      }
    }
    const visits = sent()
    for (let kill = 0; kill < kills; kill++) {
      const enough = Math.ceil(((2 * sessions) / (kills + 1)) * (kill + 0.5))
      await vi.waitFor(() => expect(smtp.handed).toBeGreaterThanOrEqual(enough), {
        timeout: 90_000,
        interval: 1,
      })
      const turn = kill % 2
      await servers[turn]!.kill()
      servers[turn] = await ServerProcess.start(homes[turn]!)
    }
    await visits
    const records = await vi.waitFor(
      async () => {
        const { rows } = await pool.query<{ id: string; status: string; message: string | null }>(
          "select id, status, error_message as message from webhook_delivery",
        )
        expect(rows).toHaveLength(sessions)
        expect(rows.filter(({ status }) => status === "queued")).toEqual([])
        return rows
      },
      { timeout: 120_000, interval: 500 },
    )

    const ids = smtp.mails.map(({ messageId }) => messageId ?? "")
    expect(new Set(ids).size).toBe(ids.length)
    const unsure = records.filter(({ message }) => message !== null)
    for (const { message } of unsure) expect(message).toContain("may have been sent")
    expect(unsure.length).toBeLessThanOrEqual(kills * handoversMax)
    const isUnsure = new Set(unsure.map(({ id }) => id))
    for (const { id } of records) {
      if (isUnsure.has(id)) continue
      for (const userId of recipients) {
        expect(ids.filter((one) => one.startsWith(`<alert-${id}-${userId}@`))).toHaveLength(1)
      }
    }

    await Promise.all(servers.map((server) => server.stop()))
    await pool.end()
    await database.drop()
  },
  timeoutMs,
)

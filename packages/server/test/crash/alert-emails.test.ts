// Two servers that send alerts by email are killed in turn with kill -9, while visits arrive (spec 14.5): no recipient
// gets an email twice, and only emails that were being handed over can be missing, which the history says.
// FOOTFALL_SOAK=1 for the full number of kills.
import { randomUUID } from "node:crypto"
import { afterAll, expect, it, vi } from "vitest"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import { killLeftServers } from "../support/server-process.ts"
import { AlertServers } from "./alert-servers.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 20 : 2
const sessions = isSoak ? 2_000 : 120
const timeoutMs = isSoak ? 900_000 : 300_000
/** Emails that one server hands over at the same time. */
const handoversMax = 3
const recipients = [randomUUID(), randomUUID()]

let smtp: SmtpReceiver
afterAll(async () => {
  killLeftServers()
  await smtp.close()
})

it(
  "no one gets an email twice, and none is missing that the history does not name",
  async () => {
    smtp = await startSmtp()
    const servers = await AlertServers.start(
      { SMTP_URL: smtp.url },
      async (pool, { organizationId, secret, webhookId }) => {
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
          [organizationId, webhookId, recipients, secret],
        )
      },
    )
    const visits = servers.visits(sessions)
    await servers.killInTurn(kills, 2 * sessions, () => Promise.resolve(smtp.handed))
    await visits
    const records = await vi.waitFor(
      async () => {
        const { rows } = await servers.pool.query<{
          id: string
          status: string
          message: string | null
        }>("select id, status, error_message as message from webhook_delivery")
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
    await servers.stop()
  },
  timeoutMs,
)

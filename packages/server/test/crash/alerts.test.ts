// Two servers that identify page views and send alerts about them are killed in turn with kill -9, while visits arrive
// (spec 8.6.6): every session is sent, and none twice. A session that was sent while a server died is sent
// again with the same `webhook-id`. FOOTFALL_SOAK=1 for the full number of kills.
import { afterAll, it } from "vitest"
import { killLeftServers } from "../support/server-process.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { AlertServers, expectEachOnce } from "./alert-servers.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 30 : 2
const sessions = isSoak ? 6_000 : 200
const timeoutMs = isSoak ? 900_000 : 300_000

afterAll(killLeftServers)

it(
  "every session is sent, and none twice",
  async () => {
    const receiver = await startReceiver()
    const servers = await AlertServers.start(
      { ALLOW_PRIVATE_WEBHOOKS: "on" },
      async (pool, { organizationId, secret, webhookId }) => {
        await pool.query(
          `insert into webhook (organization_id, id, name, url, trigger, path, min_seconds,
             identified, again, status, timeout_ms, secret)
           values ($1, $2, 'Pricing', $3, 'page_viewed', '/pricing', 0, 'any', 'every_session',
             'active', 5000, $4)`,
          [organizationId, webhookId, receiver.url, secret],
        )
      },
    )
    const visits = servers.visits(sessions)
    await servers.killInTurn(kills, sessions, () =>
      servers.number("select count(*)::int as count from webhook_told_session"),
    )
    await visits

    await servers.allSucceed(sessions)
    expectEachOnce(receiver.received, sessions)
    await servers.stop()
    await receiver.close()
  },
  timeoutMs,
)

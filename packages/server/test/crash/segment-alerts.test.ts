// Two servers that look who enters a segment and send it are killed in turn with kill -9, while visits arrive (spec 8.7.6):
// everyone who enters is sent, and no one twice. One that was sent while a server died is sent again with the same
// `webhook-id`. FOOTFALL_SOAK=1 for the full number of kills.
import { randomUUID } from "node:crypto"
import { afterAll, expect, it, vi } from "vitest"
import { killLeftServers } from "../support/server-process.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { AlertServers, expectEachOnce } from "./alert-servers.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 30 : 2
const people = isSoak ? 6_000 : 200
const timeoutMs = isSoak ? 900_000 : 300_000

afterAll(killLeftServers)

const rule = { field: "behavior.visited_paths", op: "any_starts_with", value: "/pricing" }

it(
  "everyone who enters is sent, and no one twice",
  async () => {
    const receiver = await startReceiver()
    const servers = await AlertServers.start(
      { ALLOW_PRIVATE_WEBHOOKS: "on" },
      async (pool, { organizationId, secret, webhookId }) => {
        const segmentId = randomUUID()
        await pool.query(
          `insert into segment (organization_id, id, name, rule_ast)
           values ($1, $2, 'Pricing readers', $3)`,
          [organizationId, segmentId, JSON.stringify({ version: 1, rule })],
        )
        await pool.query(
          `insert into webhook (organization_id, id, name, url, trigger, segment_id, status,
             timeout_ms, secret)
           values ($1, $2, 'Pricing', $3, 'entered_segment', $4, 'active', 5000, $5)`,
          [organizationId, webhookId, receiver.url, segmentId, secret],
        )
      },
    )
    await vi.waitFor(
      async () =>
        expect(
          await servers.number(
            "select count(*)::int as count from segment_watch where verified_from is not null",
          ),
        ).toBe(1),
      { timeout: 60_000, interval: 50 },
    )
    const visits = servers.visits(people)
    await servers.killInTurn(kills, people, () =>
      servers.number("select count(*)::int as count from segment_member where is_in"),
    )
    await visits

    await servers.allSucceed(people)
    expectEachOnce(receiver.received, people)
    await servers.stop()
    await receiver.close()
  },
  timeoutMs,
)

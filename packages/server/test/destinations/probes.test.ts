// Scheduled probes: every 15 minutes, each account by one of several processes (spec 4.5). They use the server's own
// base URL if an account has none (MAILER_BASE_URL, spec 1.2, 2.17).
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"
import { type Account, World } from "./support.ts"

let world: World
let beside: TestServer
let provider: MailerProvider
beforeAll(async () => {
  provider = await startMailerProvider()
  world = await World.start({ mailerBaseUrl: `${provider.url}/` })
})
afterAll(async () => {
  await beside.close()
  await world.close()
  await provider.close()
})

it("an account that is due is probed once, by any process; others are not probed", async () => {
  const connect = async () =>
    (
      await world.get<{ readonly account: Account }>("POST /v1/intent/integrations/accounts", {
        appSlug: "mailer",
        credentials: { apiKey: provider.apiKey },
      })
    ).account
  const [due, disconnected, fresh] = [await connect(), await connect(), await connect()]
  const probeDue = "probe_due_at = now() - interval '1 second'"
  await world.server.sql(`update connected_account set ${probeDue} where id = $1`, [due.id])
  await world.server.sql(
    `update connected_account set ${probeDue}, status = 'disconnected' where id = $1`,
    [disconnected.id],
  )
  const before = provider.requests.length
  provider.fault = () => ({ status: 500 })

  beside = await startServer({ beside: world.server, workers: true })
  const second = await startServer({ beside: world.server, workers: true })

  const statusOf = async (id: string) =>
    (await world.server.sql("select status from connected_account where id = $1", [id]))[0]?.[
      "status"
    ]
  await expect.poll(() => statusOf(due.id), { timeout: 30_000 }).toBe("unhealthy")
  await second.close()
  expect(await statusOf(disconnected.id)).toBe("disconnected")
  expect(await statusOf(fresh.id)).toBe("healthy")
  expect(provider.requests.length - before).toBe(1)
  const [row] = await world.server.sql(
    `select extract(epoch from probe_due_at - now()) / 60 as minutes
     from connected_account where id = $1`,
    [due.id],
  )
  expect(Number(row?.["minutes"])).toBeGreaterThan(14)
  expect(Number(row?.["minutes"])).toBeLessThanOrEqual(15)
})

// A server that stops while it sends webhooks (spec 1.2.7): requests in progress finish and are recorded, and no other
// one starts. So a restart sends nothing twice.
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status } from "./receiver.ts"
import { Customer } from "./site.ts"

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startServer({ workers: false, allowPrivateWebhooks: true })
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

it("a server that stops waits for requests in progress, and the next server sends only the others", async () => {
  const customer = await Customer.of(server)
  const answers: Array<() => void> = []
  receiver.answer = (_, response) => answers.push(() => response.writeHead(204).end())
  const { webhook } = await customer.webhook(receiver.url, { timeoutMs: 30_000 })
  const names = Array.from({ length: 30 }, (_, n) => `p${n}@acme.example`)
  const startWorker = () => startServer({ beside: server, allowPrivateWebhooks: true })
  const first = await startWorker()
  await Promise.all(names.map((email) => customer.visit({ email })))
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(0)

  let isClosed = false
  const closed = first.close().then(() => (isClosed = true))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(isClosed).toBe(false)
  receiver.answer = status(204)
  for (const answer of answers) answer()
  await closed

  const recorded = async () => {
    const all = await customer.deliveries(webhook.id)
    return all.map(({ attempts, status }) => [status, attempts] as const)
  }
  const sent = (await recorded()).filter(([state]) => state === "succeeded")
  expect(sent).toHaveLength(receiver.received.length)
  const second = await startWorker()
  await expect.poll(recorded, { timeout: 30_000 }).toEqual(names.map(() => ["succeeded", 1]))
  await second.close()
  expect(receiver.received).toHaveLength(names.length)
})

// The built command line for visitor webhooks, against the real server and a real receiver (spec 1.1, 5.6).
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status, verify } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))

let server: TestServer
let receiver: Receiver
let customer: Customer

beforeAll(async () => {
  server = await startSite()
  receiver = await startReceiver()
  customer = await Customer.of(server)
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const run = async (...words: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [footfallPath, ...words], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      HOME: process.env["HOME"],
      FOOTFALL_CONFIG_DIR: temporaryFolder("cli"),
      FOOTFALL_BASE_URL: server.url,
      FOOTFALL_API_KEY: customer.organization.apiKey,
    },
  })
  child.stdin.end()
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ])
  return { out, err, code, data: out.startsWith("{") ? JSON.parse(out).data : undefined }
}

it("the CLI creates, tests, follows, redelivers, updates and deletes a webhook", async () => {
  const created = await run("webhooks", "create", "CRM", receiver.url, "--trigger", "every_update")
  expect(created.code).toBe(0)
  const { webhook, webhookSecret } = created.data
  expect(webhook).toMatchObject({ name: "CRM", trigger: "every_update", status: "active" })

  const tested = await run("webhooks", "test", webhook.id)
  expect(tested.data).toMatchObject({ ok: true, statusCode: 204 })
  verify(webhookSecret, receiver.received[0]!)

  receiver.answer = status(410)
  await customer.visit({ email: "jane@acme.example" })
  const failed = await customer.delivery(webhook.id)
  const listed = await run("webhooks", "deliveries", webhook.id, "--status", "failed")
  expect(listed.data).toMatchObject([{ id: failed.id, status: "failed", statusCode: 410 }])
  expect((await run("webhooks", "get", webhook.id)).data).toMatchObject({ status: "auto_disabled" })
  expect((await run("webhooks", "list", "--output", "csv")).out).toContain("auto_disabled")

  receiver.answer = status(204)
  const shown = await run("webhooks", "delivery", webhook.id, "latest")
  expect(shown.data).toMatchObject({ id: failed.id, payload: receiver.received.at(-1)!.body })

  const again = await run("webhooks", "redeliver", webhook.id, failed.id)
  expect(again.data).toMatchObject({ id: failed.id, status: "queued" })
  expect(await customer.delivery(webhook.id)).toMatchObject({ status: "succeeded", attempts: 2 })

  const rotated = await run("webhooks", "rotate-secret", webhook.id, "--grace-hours", "0")
  expect(rotated.data.webhookSecret).not.toBe(webhookSecret)
  const updated = await run("webhooks", "update", webhook.id, "--status", "active", "--name", "New")
  expect(updated.data).toMatchObject({ name: "New", status: "active" })

  expect((await run("webhooks", "delete", webhook.id)).code).toBe(2)
  expect((await run("webhooks", "delete", webhook.id, "--yes")).data).toMatchObject({
    deleted: true,
  })
  expect((await run("webhooks", "get", webhook.id)).code).toBe(5)
  expect((await run("webhooks", "update", webhook.id)).code).toBe(2)
  expect((await run("webhooks", "rotate-secret", webhook.id, "--grace-hours", "73")).code).toBe(2)
})

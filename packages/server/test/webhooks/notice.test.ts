// The notice that a webhook was disabled, sent through a real SMTP server: one mail to each owner and admin of the
// organization (spec 8.5, Notice).
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status } from "./receiver.ts"
import { Customer } from "./site.ts"

let smtp: SmtpReceiver
let server: TestServer
let receiver: Receiver

beforeAll(async () => {
  smtp = await startSmtp()
  receiver = await startReceiver()
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  vi.stubEnv("LOG_LEVEL", "silent")
  server = await startServer({ smtpUrl: smtp.url })
  vi.unstubAllEnvs()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
  await smtp.close()
})

it("goes to owners and admins, and says which webhook it is and how to activate it again", async () => {
  const customer = await Customer.of(server)
  const others = await Customer.of(server)
  const owner = await server.makeUser("owner", customer.id)
  const admin = await server.makeUser("admin", customer.id)
  await server.makeUser("member", customer.id)
  await server.makeUser("viewer", customer.id)
  await server.makeUser("admin", others.id)
  const { webhook } = await customer.webhook(receiver.url, { name: 'CRM <b>"intake"</b>' })
  receiver.answer = status(410)

  await customer.visit({ email: "jane@acme.example" })

  await vi.waitFor(() => expect(smtp.mails).toHaveLength(2), { timeout: 30_000 })
  expect(smtp.mails.flatMap(({ to }) => to?.map(({ address }) => address)).toSorted()).toEqual(
    [owner.email, admin.email].toSorted(),
  )
  for (const mail of smtp.mails) {
    expect(mail.subject).toBe('The webhook "CRM <b>"intake"</b>" was disabled')
    expect(mail.text).toContain(`footfall webhooks update ${webhook.id} --status active`)
    expect(mail.html).toContain("&lt;b&gt;")
    expect(mail.html).not.toContain("<b>")
    // Nothing about the person of the event.
    expect(`${mail.text} ${mail.html}`).not.toContain("jane")
  }
  expect(await customer.read(webhook.id)).toMatchObject({ status: "auto_disabled" })

  // A failure of a disabled webhook sends no second notice.
  const [sent] = await customer.deliveries(webhook.id)
  const redelivery = `/v1/data/webhooks/${webhook.id}/deliveries/${sent!.id}/redeliver`
  await customer.ask("POST", redelivery)
  await customer.delivery(webhook.id, (one) => one.status === "failed" && one.attempts === 2)
  const { webhook: second } = await customer.webhook(receiver.url, { name: "Second" })
  await customer.visit({ email: "tom@acme.example" })
  await vi.waitFor(() => expect(smtp.mails).toHaveLength(4), { timeout: 30_000 })
  expect(smtp.mails.slice(2).map(({ text }) => text?.includes(second.id))).toEqual([true, true])
})

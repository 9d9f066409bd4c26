// Alerts by email (spec 14.5), to a real SMTP server: one email per recipient, what becomes of each, and who gets one.
import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import type { NewWebhook, Webhook } from "../../src/activation/webhooks/webhook.ts"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import type { TestServer, TestUser } from "../support/server.ts"
import { type Created, Customer, startSite } from "./site.ts"

let smtp: SmtpReceiver
let server: TestServer
let customer: Customer
let ann: TestUser
let bob: TestUser

beforeAll(async () => {
  smtp = await startSmtp()
  server = await startSite({ smtpUrl: smtp.url })
})
afterAll(async () => {
  await server.close()
  await smtp.close()
})
beforeEach(async () => {
  customer = await Customer.of(server)
  ann = await server.makeUser("member", customer.id)
  bob = await server.makeUser("viewer", customer.id)
})
afterEach(() => {
  expect([...smtp.toMails, ...smtp.toRecipients]).toEqual([])
})

/** For a busy machine. */
const soon = { timeout: 30_000, interval: 25 }

const created = (change: Partial<NewWebhook> = {}) =>
  customer.ask<Created>("POST", "/v1/data/webhooks", {
    name: "Pricing",
    format: "email",
    recipients: [ann.userId, bob.userId],
    ...change,
  })
const alert = async (change: Partial<NewWebhook> = {}): Promise<Webhook> =>
  (await created(change)).data.webhook
const change = (id: string, body: object) =>
  customer.ask<Webhook>("PATCH", `/v1/data/webhooks/${id}`, body)

const jane = () => ({
  email: `jane-${randomUUID()}@acme.example`,
  traits: { firstName: "Jane", lastName: "Mercer", companyName: "Acme" },
})

const mailsTo = (user: TestUser) => smtp.mails.filter(({ to }) => to?.[0]?.address === user.email)
const mailTo = (user: TestUser) =>
  vi.waitFor(() => {
    const [mail] = mailsTo(user)
    if (mail === undefined) throw new Error("no mail")
    return mail
  }, soon)
const headerOf = (mail: (typeof smtp.mails)[number], name: string) =>
  mail.headers.find(({ key }) => key === name)?.value
const linkOf = async (user: TestUser): Promise<string> =>
  headerOf(await mailTo(user), "list-unsubscribe")!.slice(1, -1)

/** Makes everything that waits due, and waits until the webhook's delivery is settled. */
const again = async (id: string) => {
  await server.sql(
    "update webhook_delivery set next_attempt_at = now() where webhook_id = $1 and status = 'queued'",
    [id],
  )
  return customer.delivery(id)
}
const issuesOf = (details: unknown) =>
  (details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues.map(
    ({ code, path }) => `${path} ${code}`,
  )

describe("an alert by email", () => {
  it("sends each recipient one email about a page view, with links to the console and to unsubscribe", async () => {
    const { id } = await alert({ trigger: "page_viewed", path: "/pricing" })
    const { email, traits } = jane()

    await customer.visit({
      email,
      traits,
      paths: ["/pricing"],
      title: "Pricing",
      secondsVisible: 30,
    })

    const record = await customer.delivery(id)
    expect(record).toMatchObject({
      event: "page.viewed",
      status: "succeeded",
      statusCode: null,
      errorMessage: null,
    })
    for (const user of [ann, bob]) {
      const mail = await mailTo(user)
      expect(mailsTo(user)).toHaveLength(1)
      expect(mail.subject).toBe("Jane Mercer viewed /pricing on tidewater.example")
      expect(mail.text).toContain("Page: Pricing")
      expect(mail.text).toContain(`Email: ${email}`)
      expect(mail.text).toContain(`${server.url}/console/people/${record.visitorHash}`)
      expect(mail.text).toContain('the alert "Pricing"')
      expect(mail.html).toContain(`href="${server.url}/console/people/${record.visitorHash}"`)
      expect(headerOf(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
      const link = await linkOf(user)
      expect(link.startsWith(`${server.url}/unsubscribe?token=`)).toBe(true)
      expect(mail.html).toContain(`href="${link}"`)
      expect(mail.text).toContain(link)
    }
    expect(await linkOf(ann)).not.toBe(await linkOf(bob))
    const payload = (
      await customer.ask<{ payload: string }>(
        "GET",
        `/v1/data/webhooks/${id}/deliveries/${record.id}`,
      )
    ).data.payload
    expect(Object.keys(JSON.parse(payload) as object)).toEqual(["subject", "text", "html"])
    expect(payload).not.toContain("unsubscribe?token")
  })

  it.each([
    ["first_match", "Jane Mercer visited tidewater.example"],
    ["every_update", "Jane Mercer visited tidewater.example"],
    ["company_seen", " visited tidewater.example"],
  ] as const)("with the trigger %s says %s", async (trigger, subject) => {
    await alert({ trigger, recipients: [ann.userId] })
    const domain = `${randomUUID()}.example`

    await customer.visit({ ...jane(), email: `jane@${domain}` })

    const mail = await mailTo(ann)
    expect(mail.subject).toContain(subject)
    expect(mail.text).toContain(domain)
  })

  it("is not signed, and has no secret to show or rotate", async () => {
    const { data } = await created()

    expect(data).toMatchObject({
      webhookSecret: null,
      webhook: {
        url: null,
        recipients: [ann.userId, bob.userId],
        signingVersion: null,
        digest: "immediate",
      },
    })
    const rotate = `/v1/data/webhooks/${data.webhook.id}/rotate-secret`
    expect((await customer.ask("POST", rotate, {})).error.code).toBe("CONFLICT")
  })

  it("sends a digest as one email per recipient, with counts and people, and says how many more", async () => {
    const { id } = await alert({ digest: "weekly", digestDay: 3, digestHour: 7 })
    for (let count = 0; count < 22; count++) await customer.visit(jane())
    expect(smtp.mails.filter(({ to }) => to?.[0]?.address === ann.email)).toEqual([])

    expect(await again(id)).toMatchObject({ event: "visitor.digest", status: "succeeded" })

    for (const user of [ann, bob]) {
      expect(mailsTo(user)).toHaveLength(1)
      const mail = await mailTo(user)
      expect(mail.subject).toBe("22 visitors in the last 7 days: 22 new")
      expect(mail.html).toMatch(/and \d+ more/)
      const named = mail.text!.split("/console/people/").length - 1
      expect(mail.text).toContain(`and ${22 - named} more`)
      expect(named).toBeGreaterThan(9)
    }
  })

  it("sends a test email to each recipient, also of an inactive alert", async () => {
    const { id } = await alert({ trigger: "page_viewed", status: "inactive" })

    const { data } = await customer.ask<object>("POST", `/v1/data/webhooks/${id}/test`, {})

    expect(data).toMatchObject({ ok: true, statusCode: null, error: null })
    for (const user of [ann, bob]) {
      expect((await mailTo(user)).subject).toBe(
        "Alex Example (a test) viewed /pricing on site.example",
      )
    }
    smtp.toRecipients.push(550)
    const second = await customer.ask<object>("POST", `/v1/data/webhooks/${id}/test`, {})
    expect(second.data).toMatchObject({
      ok: false,
      error: expect.stringContaining("Sent 1 of 2 emails. One was not sent: 550"),
    })
  })

  it("is tried by a preview, which answers the letter that would be sent and sends nothing", async () => {
    await customer.visit({ ...jane(), paths: ["/pricing"] })
    const { length } = smtp.mails
    const body = { format: "email", trigger: "page_viewed" }

    const { data } = await customer.ask<{ message: string; told: number }>(
      "POST",
      "/v1/data/webhooks/preview",
      body,
    )

    expect(data.told).toBe(1)
    expect(JSON.parse(data.message)).toEqual({
      subject: "Jane Mercer viewed /pricing on tidewater.example",
      text: expect.stringContaining("Jane Mercer viewed /pricing"),
      html: expect.stringContaining("<!doctype html>"),
    })
    const unknown = await customer.ask("POST", "/v1/data/webhooks/preview", {
      ...body,
      recipients: [randomUUID()],
    })
    expect(issuesOf(unknown.error.details)).toEqual(["/body/recipients/0 unknown_member"])
    expect(smtp.mails).toHaveLength(length)
  })
})

describe("recipients", () => {
  it("that are no members of the organization are 400, wherever they are members", async () => {
    const other = await Customer.of(server)
    const stranger = await server.makeUser("member", other.id)
    const pending = await server.makeUser("member", customer.id)
    await server.sql("update member set accepted_at = null where user_id = $1", [pending.userId])
    const { id } = await alert()

    for (const userId of [stranger.userId, pending.userId, randomUUID()]) {
      const recipients = [ann.userId, userId]
      const answers = [await created({ recipients }), await change(id, { recipients })]
      for (const { error, status } of answers) {
        expect([status, error.code, issuesOf(error.details)]).toEqual([
          400,
          "VALIDATION_ERROR",
          ["/body/recipients/1 unknown_member"],
        ])
      }
      expect(answers[0]!.text.replaceAll(/"requestId":"[^"]*"/g, "")).not.toContain(userId)
    }
  })

  it.each([
    [{ format: "email" }, "/body/recipients required"],
    [{ format: "email", recipients: [] }, "/body/recipients min_items"],
    [
      { format: "email", recipients: Array.from({ length: 21 }, () => randomUUID()) },
      "/body/recipients max_items",
    ],
    [
      { format: "email", recipients: [randomUUID()], url: "https://a.example/" },
      "/body/url mutually_exclusive",
    ],
    [
      { format: "slack", recipients: [randomUUID()], url: "https://a.example/" },
      "/body/recipients mutually_exclusive",
    ],
    [{ format: "slack" }, "/body/url required"],
    [{}, "/body/url required"],
  ])("%j is 400 at %s", async (body, issue) => {
    const { error, status } = await customer.ask("POST", "/v1/data/webhooks", {
      name: "x",
      ...body,
    })

    expect([status, error.code, issuesOf(error.details)]).toEqual([
      400,
      "VALIDATION_ERROR",
      [issue],
    ])
  })

  it("replace the URL in a change to email, and a URL replaces them in a change from it", async () => {
    const { webhook } = await customer.webhook("https://hooks.example/x", { format: "slack" })

    expect(issuesOf((await change(webhook.id, { format: "email" })).error.details)).toEqual([
      "/body/recipients required",
    ])
    const email = await change(webhook.id, { format: "email", recipients: [ann.userId] })
    expect(email.data).toMatchObject({ format: "email", url: null, recipients: [ann.userId] })
    expect((await change(webhook.id, { name: "Kept" })).data).toMatchObject({
      recipients: [ann.userId],
    })
    expect(issuesOf((await change(webhook.id, { format: "teams" })).error.details)).toEqual([
      "/body/url required",
    ])
    const url = "https://hooks.example/y"
    const teams = await change(webhook.id, { format: "teams", url })
    expect(teams.data).toMatchObject({ format: "teams", url, recipients: null })
  })

  it("lose a member who leaves, and the last one makes the alert inactive until it has others", async () => {
    const admin = await server.makeUser("owner", customer.id)
    const remove = ({ userId }: TestUser) =>
      fetch(`${server.url}/v1/organizations/${customer.id}/members/${userId}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${admin.accessToken}` },
      })
    const { id } = await alert()

    expect((await remove(ann)).status).toBe(200)
    expect(await customer.read(id)).toMatchObject({ recipients: [bob.userId], status: "active" })
    // A membership that is to be accepted again, as after a takeover of the account.
    await server.sql("update member set accepted_at = null where user_id = $1", [bob.userId])
    expect(await customer.read(id)).toMatchObject({ recipients: [], status: "inactive" })

    expect(issuesOf((await change(id, { status: "active" })).error.details)).toEqual([
      "/body/recipients required",
    ])
    expect((await change(id, { name: "Empty" })).status).toBe(200)
    const filled = await change(id, { recipients: [admin.userId], status: "active" })
    expect(filled.data).toMatchObject({ recipients: [admin.userId], status: "active" })
  })

  it("never keep a member who leaves while they are being added", async () => {
    const { id } = await alert({ recipients: [bob.userId] })
    for (let round = 0; round < 8; round++) {
      const { userId } = await server.makeUser("member", customer.id)
      const [added, made] = await Promise.all([
        change(id, { recipients: [bob.userId, userId] }),
        created({ recipients: [bob.userId, userId] }),
        server.sql("delete from member where user_id = $1", [userId]),
      ])

      expect([200, 400]).toContain(added.status)
      expect([201, 400]).toContain(made.status)
    }
    const { data } = await customer.ask<ReadonlyArray<Webhook>>("GET", "/v1/data/webhooks")
    for (const { recipients } of data) expect(recipients).toEqual([bob.userId])
  })

  it("who are named twice get one email", async () => {
    const { recipients } = await alert({ recipients: [ann.userId, ann.userId.toUpperCase()] })

    expect(recipients).toEqual([ann.userId])
  })
})

describe("unsubscribing", () => {
  it("needs the button, or the POST of a mail program, and no one is signed in", async () => {
    const { id } = await alert()
    await customer.visit(jane())
    const link = await linkOf(ann)

    // A scanner opens links.
    const page = await fetch(link)
    const html = await page.text()
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"])
    expect(page.headers.get("referrer-policy")).toBe("no-referrer")
    const [, action] = /<form method="post" action="([^"]+)">/.exec(html)!
    expect(new URL(action!, link).href).toBe(link)
    expect((await customer.read(id)).recipients).toEqual([ann.userId, bob.userId])

    for (let time = 0; time < 2; time++) {
      const done = await fetch(link, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      })
      expect(done.status).toBe(200)
      expect(await done.text()).toContain("You are unsubscribed")
    }
    expect(await customer.read(id)).toMatchObject({ recipients: [bob.userId], status: "active" })
    const entries = await server.sql(
      "select actor_type, actor_id, action from audit_entry where target_id = $1 and action <> 'webhook.created'",
      [id],
    )
    expect(entries).toEqual([
      { actor_type: "user", actor_id: ann.userId, action: "webhook.unsubscribed" },
    ])

    await fetch(await linkOf(bob), { method: "POST" })
    expect(await customer.read(id)).toMatchObject({ recipients: [], status: "inactive" })
  })

  it("stops one alert for one recipient, and a token that is not this server's stops nothing", async () => {
    const first = await alert({ recipients: [ann.userId] })
    const second = await alert()
    await customer.visit(jane())
    await vi.waitFor(() => expect(mailsTo(ann)).toHaveLength(2), soon)
    const link = new URL(await linkOf(bob))
    const token = link.searchParams.get("token")!
    const bytes = Buffer.from(token, "base64url")
    const forged = Buffer.from(bytes)
    // Another user's id with the same signature.
    Buffer.from(ann.userId.replaceAll("-", ""), "hex").copy(forged, 32)

    for (const other of ["", "x", token.slice(0, -1), `${token}A`, forged.toString("base64url")]) {
      for (const method of ["GET", "POST"]) {
        const answer = await fetch(`${server.url}/unsubscribe?token=${other}`, { method })
        expect([other, method, answer.status]).toEqual([other, method, 404])
      }
    }
    expect((await fetch(link, { method: "POST" })).status).toBe(200)

    expect((await customer.read(first.id)).recipients).toEqual([ann.userId])
    expect((await customer.read(second.id)).recipients).toEqual([ann.userId])
  })

  it("works for a webhook that was deleted since, and changes nothing", async () => {
    const { id } = await alert({ recipients: [ann.userId] })
    await customer.visit(jane())
    const link = await linkOf(ann)
    await customer.ask("DELETE", `/v1/data/webhooks/${id}`)

    expect((await fetch(link, { method: "POST" })).status).toBe(200)
  })
})

describe("an email", () => {
  /** Sends one alert; the first recipient's email gets this answer. */
  const attempt = async () => {
    const { id } = await alert()
    await customer.visit(jane())
    return id
  }
  const lastAttempt = (id: string) =>
    customer.delivery(id, ({ attempts, errorMessage }) => attempts === 1 && errorMessage !== null)

  it("that is refused for one recipient does not stop the others, and the history says so", async () => {
    smtp.toRecipients.push(550)

    const record = await customer.delivery(await attempt())

    expect(record).toMatchObject({
      status: "succeeded",
      attempts: 1,
      errorMessage: expect.stringMatching(/^Sent 1 of 2 emails\. One was not sent: .*550/),
    })
    expect(record.errorMessage).not.toContain("@")
    expect([mailsTo(ann), mailsTo(bob)].map(({ length }) => length)).toEqual([0, 1])
  })

  it("that is refused for everyone fails at once", async () => {
    smtp.toRecipients.push(550, 550)

    expect(await customer.delivery(await attempt())).toMatchObject({
      status: "failed",
      attempts: 1,
      errorMessage: expect.stringContaining("Sent 0 of 2 emails"),
    })
  })

  it("that is temporarily refused is sent by the next attempt, and the others are not sent twice", async () => {
    smtp.toMails.push(451)
    const id = await attempt()
    expect(await lastAttempt(id)).toMatchObject({
      status: "queued",
      errorMessage: expect.stringContaining("Sent 1 of 2 emails. One was not sent: 451"),
    })
    expect([mailsTo(ann), mailsTo(bob)].map(({ length }) => length)).toEqual([0, 1])

    expect(await again(id)).toMatchObject({ status: "succeeded", attempts: 2, errorMessage: null })
    expect([mailsTo(ann), mailsTo(bob)].map(({ length }) => length)).toEqual([1, 1])
    expect(
      await server.sql("select mails from webhook_delivery where webhook_id = $1", [id]),
    ).toEqual([{ mails: null }])
  })

  it("that may have been accepted is not sent again", async () => {
    smtp.toMails.push("reset")
    const { handed } = smtp

    const record = await customer.delivery(await attempt())

    expect(record).toMatchObject({
      status: "succeeded",
      errorMessage: expect.stringContaining("One may have been sent"),
    })
    expect(smtp.handed).toBe(handed + 2)
    expect([mailsTo(ann), mailsTo(bob)].map(({ length }) => length)).toEqual([0, 1])
  })

  it("whose sender was killed halfway is not sent again, and those that were not begun are sent", async () => {
    smtp.toMails.push(451, 451)
    const id = await attempt()
    await lastAttempt(id)
    const carl = await server.makeUser("member", customer.id)
    // The state that a killed process leaves: one handed over, and the lease runs out.
    await server.sql(`update webhook set recipients = recipients || $2::uuid where id = $1`, [
      id,
      carl.userId,
    ])
    await server.sql(
      `update webhook_delivery set leased_until = now() - interval '1 second',
         mails = jsonb_build_object($2::text, jsonb_build_object('state', 'handed', 'message', null))
       where webhook_id = $1`,
      [id, ann.userId],
    )

    const record = await again(id)

    expect(record).toMatchObject({
      status: "succeeded",
      errorMessage:
        "Sent 2 of 3 emails. One may have been sent: the server stopped while sending it.",
    })
    expect([ann, bob, carl].map((user) => mailsTo(user).length)).toEqual([0, 1, 1])
  })

  it("has the same id in every attempt, so that mailboxes drop a duplicate", async () => {
    const { id } = await alert({ recipients: [ann.userId] })
    await customer.visit(jane())
    const record = await customer.delivery(id)
    await customer.ask("POST", `/v1/data/webhooks/${id}/deliveries/${record.id}/redeliver`)
    await vi.waitFor(() => expect(mailsTo(ann)).toHaveLength(2), soon)

    const [first, second] = mailsTo(ann)
    expect(first!.messageId).toBe(second!.messageId)
  })

  it("is not sent to someone who left or unsubscribed before the next attempt, and is skipped if no one is left", async () => {
    smtp.toMails.push(451, 451)
    const id = await attempt()
    await lastAttempt(id)
    await server.sql("delete from member where user_id = $1", [ann.userId])
    expect(await again(id)).toMatchObject({ status: "succeeded", errorMessage: null })
    expect([mailsTo(ann), mailsTo(bob)].map(({ length }) => length)).toEqual([0, 1])
  })

  it("cannot be broken out of by names, titles and paths", async () => {
    const { id } = await alert({ trigger: "page_viewed", recipients: [ann.userId] })
    const evil = `"><a href="https://evil.example/">x</a>\r\nBcc: eve@evil.example <!-- end -->`
    await change(id, { name: `Sales ${evil}`.replaceAll(/[\r\n]/g, " ") })
    await customer.visit({
      email: `eve-${randomUUID()}@acme.example`,
      traits: {
        firstName: `Eve${evil}`,
        lastName: "Your password expired: https://evil.example/login",
      },
      paths: ["/pricing/<script>alert(1)</script>?x"],
      title: `www.evil.example ${evil} \u202egnp.exe`,
    })

    const mail = await mailTo(ann)

    expect(mail.to).toHaveLength(1)
    expect([...(mail.cc ?? []), ...(mail.bcc ?? [])]).toEqual([])
    const html = mail.html!
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
    expect(links).toHaveLength(2)
    for (const href of links) {
      expect(href).toMatch(
        new RegExp(`^${server.url}/(console/people/[0-9a-f]{64}|unsubscribe\\?token=[\\w-]+)$`),
      )
    }
    expect(html).not.toContain("<script")
    expect(html.match(/<a /g)).toHaveLength(2)
    // Mail programs make links of what looks like an address.
    for (const text of [html, mail.text!]) {
      expect(text).not.toMatch(/evil\.example|https:\/\/evil/)
      expect(text).not.toContain("\u202e")
    }
    expect(mail.subject).not.toMatch(/[\r\n]/)
    const entries = await customer.ask("GET", `/v1/data/webhooks/${id}`)
    expect(entries.status).toBe(200)
  })
})

it("without a mail server, an alert by email is 409, and so is a change to it", async () => {
  const silent = await startSite()
  try {
    const other = await Customer.of(silent)
    const user = await silent.makeUser("member", other.id)
    const { webhook } = await other.webhook("https://hooks.example/x", { format: "slack" })
    const receiver = { format: "email", recipients: [user.userId] }

    const answers = [
      await other.ask("POST", "/v1/data/webhooks", { name: "x", ...receiver }),
      await other.ask("PATCH", `/v1/data/webhooks/${webhook.id}`, receiver),
    ]

    for (const { error, status } of answers) {
      expect([status, error.code]).toEqual([409, "MAIL_NOT_CONFIGURED"])
    }
    expect((await other.ask("POST", "/v1/data/webhooks/preview", receiver)).status).toBe(200)
  } finally {
    await silent.close()
  }
})

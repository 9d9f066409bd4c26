// Mail to members of an organization: invitations (spec 5.13) and notices (8.5).
import { Effect, Layer, Option, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { MemberStore } from "../../src/access/members/store.ts"
import { Notices } from "../../src/access/notices.ts"
import { Mail } from "../../src/platform/outbound/mail/mail.ts"
import { MailServer, readSmtpUrl } from "../../src/platform/outbound/mail/smtp-server.ts"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { caller } from "../access/request.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type SmtpReceiver, startSmtp } from "./smtp-server.ts"

let smtp: SmtpReceiver
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtp()
  server = await startServer({ workers: false, smtpUrl: smtp.url })
})
afterAll(async () => {
  await server.close()
  await smtp.close()
})

/** For a busy machine. */
const soon = { timeout: 30_000 }

const to = (address: string) => smtp.mails.filter((mail) => mail.to?.[0]?.address === address)

describe("an invitation", () => {
  const add = async (email: string) => {
    const { accessToken: token } = await server.makeUser("admin")
    const path = `/v1/organizations/${server.organizationId}/members`
    const { body, status } = await caller(server)(
      `POST ${path}`,
      { email, role: "viewer" },
      { token },
    )
    const data: { readonly inviteToken: string | null } = body.data
    return { status, body: { data } }
  }

  it("goes to a new user, with its own token, which works", async () => {
    const { body, status } = await add("new@acme.example")

    expect(status).toBe(201)
    const mail = await vi.waitFor(() => {
      expect(to("new@acme.example")).toHaveLength(1)
      return to("new@acme.example")[0]
    }, soon)
    expect(mail?.subject).toBe("Your invitation to Tidewater")
    expect(mail?.text).toContain("invited to Tidewater")
    expect(mail?.text).toContain(`--base-url ${server.url}`)
    const [token] = /inv_[\w-]{43}/.exec(String(mail?.text)) ?? []
    expect(token).not.toBe(body.data.inviteToken)
    expect(mail?.html).toContain(`href="${server.url}/console/invitation#${token}"`)
    const accepted = await caller(server)("POST /v1/auth/accept-invite", {
      token,
      password: "correct horse battery staple",
    })
    expect(accepted.status).toBe(200)
  })

  it("goes to users with an account as well, from each organization", async () => {
    await add("second@acme.example")
    await server.sql("update user_account set password_hash = 'x' where email = $1", [
      "second@acme.example",
    ])
    const other = await server.makeOrganization()
    const { accessToken: token } = await server.makeUser("owner", other.organizationId)
    const path = `/v1/organizations/${other.organizationId}/members`
    await caller(server)(
      `POST ${path}`,
      { email: "second@acme.example", role: "viewer" },
      { token },
    )

    await vi.waitFor(() => expect(to("second@acme.example")).toHaveLength(2), soon)
  })

  it("is mailed again to a pending member, with a token that works instead of the first", async () => {
    const email = "again@acme.example"
    const { accessToken: token } = await server.makeUser("admin")
    const path = `/v1/organizations/${server.organizationId}/members`
    const call = caller(server)
    const added = await call(`POST ${path}`, { email, role: "viewer" }, { token })
    const { emailSent, member }: { emailSent: boolean; member: { userId: string } } =
      added.body.data
    expect(emailSent).toBe(true)
    await vi.waitFor(() => expect(to(email)).toHaveLength(1), soon)

    const again = await call(`POST ${path}/${member.userId}/invitation`, undefined, { token })

    expect(again.body).toMatchObject({ data: { emailSent: true } })
    await vi.waitFor(() => expect(to(email)).toHaveLength(2), soon)
    const [first, second] = to(email).map(({ text }) => /inv_[\w-]{43}/.exec(String(text))?.[0])
    const accept = (given: string | undefined) =>
      call("POST /v1/auth/accept-invite", { token: given, password: "a long enough password" })
    expect((await accept(first)).status).toBe(401)
    expect((await accept(second)).status).toBe(200)
  })

  it("has the same response if the mail server rejects it", async () => {
    smtp.toRecipients.push(550)

    expect((await add("refused@acme.example")).body.data.inviteToken).toMatch(/^inv_/)
    await vi.waitFor(() => expect(smtp.toRecipients).toEqual([]), soon)
  })
})

describe("a notice", () => {
  const notices = (smtpUrl: string | undefined) =>
    Notices.layer.pipe(
      Layer.provide([Mail.layer, MemberStore.layer]),
      Layer.provide(Database.layer),
      Layer.provide(
        Layer.mergeAll(
          Layer.succeed(
            MailServer,
            smtpUrl === undefined ? undefined : readSmtpUrl(smtpUrl, server.url),
          ),
          Layer.succeed(DatabaseConfig, {
            url: Option.some(Redacted.make(server.databaseUrl)),
            dataDir: "unused: an address is given",
          }),
        ),
      ),
    )
  const send = (organizationId: string, smtpUrl: string | undefined) =>
    Notices.pipe(
      Effect.flatMap((service) =>
        service.send(organizationId, {
          subject: "A webhook was switched off",
          text: "It failed for 72 hours.\n\nSee <the> list.",
        }),
      ),
      Effect.provide(notices(smtpUrl)),
      Effect.runPromise,
    )

  it("goes to every owner and admin separately, and to no one else", async () => {
    const { organizationId } = await server.makeOrganization()
    const told = await Promise.all(
      (["owner", "admin", "admin"] as const).map((role) => server.makeUser(role, organizationId)),
    )
    const others = await Promise.all(
      (["member", "viewer"] as const).map((role) => server.makeUser(role, organizationId)),
    )

    await send(organizationId, smtp.url)

    for (const { email } of told) {
      const [mail, ...more] = to(email)
      expect(more).toEqual([])
      expect(mail).toMatchObject({
        to: [{ address: email }],
        subject: "A webhook was switched off",
        html: expect.stringContaining("<p>See &lt;the&gt; list.</p>"),
      })
    }
    for (const { email } of others) expect(to(email)).toEqual([])
  })

  it("does not go to an owner who has not accepted", async () => {
    const { organizationId } = await server.makeOrganization()
    const { email, userId } = await server.makeUser("owner", organizationId)
    await server.sql("update member set accepted_at = null where user_id = $1", [userId])
    const { email: active } = await server.makeUser("owner", organizationId)

    await send(organizationId, smtp.url)

    expect(to(active)).toHaveLength(1)
    expect(to(email)).toEqual([])
  })

  it("does nothing without SMTP, and fails no caller without a mail server", async () => {
    const { organizationId } = await server.makeOrganization()
    await server.makeUser("owner", organizationId)

    await send(organizationId, undefined)
    smtp.toRecipients.push(550)
    await send(organizationId, smtp.url)

    expect(smtp.toRecipients).toEqual([])
  })
})

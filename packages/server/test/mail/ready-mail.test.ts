// The mail sent when a run completes (spec 2.11), to a real SMTP server: due, delivered, and recorded in the run.
import { createHash } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { putPerson, putSignals, putTopics } from "../audiences/support.ts"
import { ask, completedRun, type RunAnswer } from "../runs/support.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { type SmtpReceiver, startSmtp } from "./smtp-server.ts"

let smtp: SmtpReceiver
let server: TestServer
let creator: TestUser
beforeAll(async () => {
  smtp = await startSmtp()
  server = await startServer({ smtpUrl: smtp.url })
  creator = await server.makeUser("member")
  await putTopics(server, [1])
  const emails = ["one@acme.example", "two@acme.example"]
  for (const email of emails) await putPerson(server, server, email)
  await putSignals(
    server,
    server,
    emails.map((email) => ({ email, topicId: 1, score: 90 })),
  )
})
afterAll(async () => {
  await server.close()
  await smtp.close()
})
afterEach(() => {
  expect([...smtp.toMails, ...smtp.toRecipients]).toEqual([])
})

interface MailedRun extends RunAnswer {
  readonly readyEmailSentAt: string | null
  readonly readyEmailExportId: string | null
  readonly readyEmailError: string | null
}

/** Completes a run of a new audience, by default started by a user. */
const run = async (name: string, token: string | null = creator.accessToken) => {
  const response = await fetch(`${server.url}/v1/intent/audiences`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === null ? { "x-api-key": server.apiKey } : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ name, status: "active", config: { topicIds: [1] } }),
  })
  const { data } = (await response.json()) as { readonly data: { readonly id: string } }
  return completedRun(server, data.id)
}

/** For a busy machine. */
const soon = { timeout: 30_000, interval: 25 }

const outcomeOf = ({ audienceId, id }: RunAnswer): Promise<MailedRun> =>
  vi.waitFor(async () => {
    const { data } = await ask<MailedRun>(server, "GET", `/${audienceId}/runs/${id}`)
    if (data.readyEmailSentAt === null && data.readyEmailError === null) throw new Error("waits")
    return data
  }, soon)

describe("the ready mail", () => {
  it("has the counts and a link to the file, and is sent once to the creator", async () => {
    const ended = await outcomeOf(await run('Freight <buyers> & "more"'))

    expect(ended).toMatchObject({
      readyEmailSentAt: expect.stringMatching(/Z$/),
      readyEmailExportId: expect.any(String),
      readyEmailError: null,
    })
    expect(smtp.mails).toHaveLength(1)
    const [mail] = smtp.mails
    expect(mail).toMatchObject({
      to: [{ address: creator.email }],
      subject: 'Freight <buyers> & "more": 2 people are ready',
      messageId: expect.stringContaining(ended.id),
    })
    expect(mail?.text).toContain("After filters and suppression: 2")
    expect(mail?.html).toContain("Freight &lt;buyers&gt; &amp; &quot;more&quot;")
    const [link] = /http:\/\/\S+download\S+/.exec(String(mail?.text)) ?? []
    expect(mail?.html).toContain(String(link).replaceAll("&", "&amp;"))
    const file = await (await fetch(String(link))).text()
    expect(file.split("\r\n")).toHaveLength(4)
    const { data } = await ask<ReadonlyArray<Readonly<Record<string, unknown>>>>(
      server,
      "GET",
      `/${ended.audienceId}/runs/${ended.id}/exports`,
    )
    expect(data).toMatchObject([
      {
        id: ended.readyEmailExportId,
        requestedBy: creator.userId,
        contentSha256: createHash("sha256").update(file).digest("hex"),
      },
    ])
  })

  it("is not due for an audience created with an API key", async () => {
    const ended = await run("By key", null)
    const rows = await server.sql("select from ready_mail where id = $1", [ended.id])

    expect(rows).toEqual([])
    expect(ended).toMatchObject({
      readyEmailSentAt: null,
      readyEmailExportId: null,
      readyEmailError: null,
    })
  })

  it("that is rejected is not retried, and the run says why", async () => {
    smtp.toRecipients.push(550)
    const { handed } = smtp

    const ended = await outcomeOf(await run("Refused"))

    expect(ended.readyEmailSentAt).toBeNull()
    expect(ended.readyEmailError).toContain("550")
    expect(smtp.handed).toBe(handed)
  })

  it("that may have been accepted is not sent again", async () => {
    smtp.toMails.push("reset")
    const { handed } = smtp

    const ended = await outcomeOf(await run("Broken off"))

    expect(ended.readyEmailError).toMatch(/^It may have been sent/)
    expect(smtp.handed).toBe(handed + 1)
  })

  it("that is temporarily rejected waits, and is sent by the next attempt", async () => {
    smtp.toMails.push(451)

    const ended = await run("Later")
    await vi.waitFor(async () => {
      const [row] = await server.sql(
        "select status, attempts, handed_at, error_message, next_attempt_at from ready_mail where id = $1",
        [ended.id],
      )
      expect(row).toMatchObject({
        status: "queued",
        attempts: 1,
        handed_at: null,
        error_message: expect.stringContaining("451"),
      })
    }, soon)
    await server.sql("update ready_mail set next_attempt_at = now() where id = $1", [ended.id])

    expect((await outcomeOf(ended)).readyEmailSentAt).not.toBeNull()
  })

  it("gives up after three attempts", async () => {
    smtp.toMails.push(451)
    const ended = await run("Never")
    await vi.waitFor(async () => {
      const [row] = await server.sql(
        "select attempts, leased_until from ready_mail where id = $1",
        [ended.id],
      )
      expect(row).toEqual({ attempts: 1, leased_until: null })
    }, soon)
    smtp.toMails.push(451)
    await server.sql("update ready_mail set attempts = 2, next_attempt_at = now() where id = $1", [
      ended.id,
    ])

    expect((await outcomeOf(ended)).readyEmailError).toContain("451")
  })

  it("whose sender was killed halfway is not sent again", async () => {
    smtp.toMails.push(451)
    const ended = await run("Killed")
    await vi.waitFor(async () => {
      const [row] = await server.sql(
        "select attempts, leased_until from ready_mail where id = $1",
        [ended.id],
      )
      expect(row).toEqual({ attempts: 1, leased_until: null })
    }, soon)
    const { handed } = smtp
    // The state a killed process leaves: handed over, and the lease runs out.
    await server.sql(
      `update ready_mail set status = 'sending', handed_at = now(), next_attempt_at = null,
         leased_until = now() - interval '1 second' where id = $1`,
      [ended.id],
    )

    expect((await outcomeOf(ended)).readyEmailError).toMatch(/^It may have been sent/)
    expect(smtp.handed).toBe(handed)
  })

  it("is not sent to a creator who is no longer a member", async () => {
    const leaver = await server.makeUser("member")
    smtp.toMails.push(451)
    const ended = await run("Left", leaver.accessToken)
    await vi.waitFor(async () => {
      const [row] = await server.sql(
        "select attempts, leased_until from ready_mail where id = $1",
        [ended.id],
      )
      expect(row).toEqual({ attempts: 1, leased_until: null })
    }, soon)
    await server.sql("delete from member where user_id = $1", [leaver.userId])
    await server.sql("update ready_mail set next_attempt_at = now() where id = $1", [ended.id])

    expect((await outcomeOf(ended)).readyEmailError).toContain("no longer a member")
  })
})

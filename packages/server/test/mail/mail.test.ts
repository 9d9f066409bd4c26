// The Mail service against a real SMTP server: the mail sent, and the errors.
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type AddressInfo } from "node:net"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { Mail, type MailFailed } from "../../src/platform/outbound/mail/mail.ts"
import { MailServer, readSmtpUrl } from "../../src/platform/outbound/mail/smtp-server.ts"
import { type SmtpReceiver, startSmtp } from "./smtp-server.ts"

let smtp: SmtpReceiver
beforeAll(async () => {
  smtp = await startSmtp()
})
afterAll(() => smtp.close())

const message = {
  to: "jane@acme.example",
  subject: "Grüße",
  text: "Straße\n",
  html: "<p>Straße</p>",
}

const mailOf = (url: string | undefined) =>
  Layer.provide(
    Mail.layer,
    Layer.succeed(
      MailServer,
      url === undefined ? undefined : readSmtpUrl(url, "https://footfall.example"),
    ),
  )

const withMail = <A>(url: string | undefined, use: (mail: Mail["Service"]) => Effect.Effect<A>) =>
  Effect.flatMap(Mail, use).pipe(Effect.provide(mailOf(url)), Effect.runPromise)

const failureOf = (url: string | undefined): Promise<MailFailed> =>
  withMail(url, (mail) => Effect.flip(mail.send(message)) as Effect.Effect<MailFailed>)

describe("a mail", () => {
  it("arrives as text and HTML, from the server's host name", async () => {
    await withMail(smtp.url, (mail) => Effect.orDie(mail.send({ ...message, messageId: "<a@b>" })))

    expect(smtp.mails.at(-1)).toMatchObject({
      from: { address: "footfall@footfall.example" },
      to: [{ address: message.to }],
      subject: message.subject,
      text: expect.stringContaining(message.text),
      html: expect.stringContaining(message.html),
      messageId: "<a@b>",
    })
  })

  it("comes from the configured address", async () => {
    await withMail(`${smtp.url}/?from=Acme%20<no-reply@acme.example>`, (mail) =>
      Effect.orDie(mail.send(message)),
    )

    expect(smtp.mails.at(-1)?.from).toEqual({ name: "Acme", address: "no-reply@acme.example" })
  })

  it("goes to one address, and has only its own headers, whatever its content", async () => {
    const hostile = { ...message, subject: "a\r\nBcc: x@evil.example", to: "a@b.example" }
    await withMail(smtp.url, (mail) => Effect.orDie(mail.send(hostile)))

    expect(smtp.mails.at(-1)).toMatchObject({ to: [{ address: "a@b.example" }] })
    expect(smtp.mails.at(-1)?.bcc ?? []).toEqual([])
  })

  it("fails without the address that the server repeats, so that the log does not contain it", async () => {
    smtp.toRecipients.push(550)

    const { message: words } = await failureOf(smtp.url)

    expect(words).toContain("not now for <…>, sorry")
  })

  it.each([
    ["refused", "550 to the recipient", () => smtp.toRecipients.push(550)],
    ["temporary", "451 to the recipient", () => smtp.toRecipients.push(451)],
    ["refused", "554 to the mail", () => smtp.toMails.push(554)],
    ["temporary", "452 to the mail", () => smtp.toMails.push(452)],
    ["unknown", "a connection that breaks before the response", () => smtp.toMails.push("reset")],
  ])("fails as %s on %s", async (reason, _on, arrange) => {
    arrange()

    expect(await failureOf(smtp.url)).toMatchObject({ reason })
  })

  it("fails as temporary when nothing listens, and as refused without a configuration", async () => {
    const closed = createServer().listen(0, "127.0.0.1")
    await once(closed, "listening")
    const { port } = closed.address() as AddressInfo
    closed.close()

    expect(await failureOf(`smtp://127.0.0.1:${port}`)).toMatchObject({ reason: "temporary" })
    expect(await failureOf(undefined)).toMatchObject({ reason: "refused" })
  })

  it("that is posted is sent before the process ends", async () => {
    const { length } = smtp.mails
    await withMail(smtp.url, (mail) => mail.post(message))

    expect(smtp.mails).toHaveLength(length + 1)
  })

  it("that is posted and deferred is sent later, and delays no other mail", async () => {
    const { length } = smtp.mails
    const putOff = Array.from({ length: 8 }, (_, place) => `p${place}@late.example`)
    smtp.toRecipients.push(...putOff.map(() => 451))
    await withMail(smtp.url, (mail) =>
      Effect.forEach([...putOff, "now@acme.example"], (to) => mail.post({ ...message, to }), {
        discard: true,
      }),
    )

    const addresses = smtp.mails.slice(length).map(({ to }) => to?.[0]?.address)
    expect(addresses[0]).toBe("now@acme.example")
    expect(addresses.slice(1).toSorted()).toEqual(putOff)
  })

  it("that is posted is given up after three attempts", async () => {
    smtp.toRecipients.push(451, 451, 451, 451)
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    const isGivenUp = () => vi.waitUntil(() => log.mock.calls.length > 0, { timeout: 20_000 })
    const fastClock = Effect.promise(() => pause(1)).pipe(
      Effect.andThen(TestClock.adjust("20 millis")),
      Effect.forever,
    )

    await Effect.flatMap(Mail, (mail) =>
      Effect.andThen(mail.post(message), Effect.promise(isGivenUp)),
    ).pipe(
      Effect.provide(mailOf(smtp.url)),
      Effect.raceFirst(fastClock),
      Effect.provide(TestClock.layer()),
      Effect.runPromise,
    )

    expect(smtp.toRecipients.splice(0)).toEqual([451])
    log.mockRestore()
  })

  it("that is posted and may have been accepted is not sent again", async () => {
    const { handed } = smtp
    smtp.toMails.push("reset")
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    // Waits until no mail is left to send.
    await withMail(smtp.url, (mail) => mail.post(message))

    expect(smtp.handed).toBe(handed + 1)
    log.mockRestore()
  })

  it("that is posted and rejected fails no caller", async () => {
    const { length } = smtp.mails
    smtp.toRecipients.push(550)
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    await withMail(smtp.url, (mail) => mail.post(message))

    expect(smtp.mails).toHaveLength(length)
    expect(log.mock.calls.flat().join(" ")).not.toContain(message.to)
    log.mockRestore()
  })
})

describe("SMTP_URL", () => {
  const read = (text: string) => readSmtpUrl(text, "https://footfall.example/base")

  it("has default ports, and uses what it contains", () => {
    expect(read("smtp://mail.example")).toMatchObject({
      host: "mail.example",
      port: 587,
      isSecure: false,
      credentials: undefined,
      from: "footfall@footfall.example",
    })
    expect(read("smtps://a%40b.example:p%2Fw@mail.example")).toMatchObject({
      port: 465,
      isSecure: true,
      credentials: { user: "a@b.example" },
      from: "a@b.example",
    })
    expect(read("smtp://u:p@[::1]:2525?from=x@y.example")).toMatchObject({
      host: "::1",
      port: 2525,
      from: "x@y.example",
    })
  })

  it.each([
    "mail.example",
    "http://mail.example",
    "smtp://",
    "smtp://mail.example/path",
    "smtp://mail.example?pool=true",
    "smtp://mail.example?from=nobody",
    "smtp://mail.example?from=a@b%0d%0aBcc:c@d",
    "smtp://%zz@mail.example",
  ])("cannot be %s", (text) => {
    expect(read(text)).toBeUndefined()
  })
})

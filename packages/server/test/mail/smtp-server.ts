// A real SMTP server that keeps accepted mail, parsed by a different library than the sender's. A test sets the
// responses to recipients and mails.
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

/** `reset`: the connection breaks after the last byte of the mail, before the response. */
export type SmtpAnswer = number | "reset" | undefined

export interface SmtpReceiver {
  readonly url: string
  readonly mails: ReadonlyArray<Email>
  /** Mails received in full, even if they were rejected. */
  readonly handed: number
  /** The responses to the next recipients. After them, recipients are accepted. */
  readonly toRecipients: Array<SmtpAnswer>
  /** The responses to the next mails. After them, mails are accepted. */
  readonly toMails: Array<SmtpAnswer>
  close(): Promise<void>
}

export const startSmtp = async (port = 0): Promise<SmtpReceiver> => {
  const mails: Array<Email> = []
  const toRecipients: Array<SmtpAnswer> = []
  const toMails: Array<SmtpAnswer> = []
  let handed = 0
  /** A server's usual wording, including the address. */
  const refusal = (code: number, address = "") =>
    Object.assign(new Error(`not now for <${address}>, sorry`), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) => {
      const answer = toRecipients.shift()
      done(typeof answer === "number" ? refusal(answer, address) : null)
    },
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        handed++
        const answer = toMails.shift()
        if (answer === "reset") {
          // smtp-server has no public way to break a connection.
          for (const connection of server.connections) {
            if (connection.session === session) connection._socket.destroy()
          }
          return
        }
        if (typeof answer === "number") return done(refusal(answer))
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail)
          done(null)
        })
      })
    },
  })
  server.on("error", () => undefined)
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
  const { port: chosen } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${chosen}`,
    mails,
    get handed() {
      return handed
    },
    toRecipients,
    toMails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

// Sends mail over SMTP by nodemailer, which is loaded with the first mail. Every step has a time limit, and
// what went wrong says whether another attempt may bring the mail a second time. Nothing here repeats but
// `post`, which is for what is kept nowhere else and may be lost with the process.
import { Context, Effect, FiberSet, Layer, Queue, Redacted, Schema, Semaphore } from "effect"
import { MailServer, type SmtpServer } from "./smtp-server.ts"

export interface MailMessage {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The same for every attempt at one mail. Default: another one each time. */
  readonly messageId?: string
}

export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", {
  /**
   * `refused`: the server does not want it, now or later. `temporary`: it was not taken, and may be later.
   * `unknown`: the connection broke while it was handed over; it may have been taken.
   */
  reason: Schema.Literals(["refused", "temporary", "unknown"]),
  /** In words of the server, without the mail's own and without addresses. At most 300 characters. */
  message: Schema.String,
}) {}

/** Units: milliseconds. */
const limits = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}
/** All of it together. */
const sendTimeout = "60 seconds"

/** Connections to the mail server at the same time. */
const atOnce = 4
/** Posted mails that are not sent yet; more are dropped, with a line in the log. */
const waitingMax = 1_000
/** After which a posted mail that was put off is offered again, by the attempts that were made. */
const postWaits = ["5 seconds", "20 seconds"] as const
/** How long a stop waits for posted mails. */
const drainTimeout = "15 seconds"

export class Mail extends Context.Service<
  Mail,
  {
    /** Whether `SMTP_URL` is set. Without it `send` fails and `post` does nothing. */
    readonly isConfigured: boolean
    /** One attempt. Returns when the server has taken the mail. */
    send(message: MailMessage): Effect.Effect<void, MailFailed>
    /**
     * Has it sent behind the caller's back, up to three times; a failure is logged, without the address.
     * *Guarantee*: never fails, never waits for the mail server.
     */
    post(message: MailMessage): Effect.Effect<void>
  }
>()("@footfall/server/outbound/Mail") {
  static readonly layer = Layer.effect(
    Mail,
    Effect.gen(function* () {
      const server = yield* MailServer
      if (server === undefined) return unconfigured
      const send = yield* sender(server)
      const waiting = yield* Queue.unbounded<Posted>()
      const putOff = yield* FiberSet.make()
      let posted = 0

      /** The next one goes on while a mail that was put off waits. */
      const sendPosted = ({ attempts, message }: Posted) =>
        Effect.matchEffect(send(message), {
          onSuccess: () => Effect.sync(() => posted--),
          onFailure: ({ message: words, reason }) => {
            const wait = postWaits[attempts]
            if (reason === "temporary" && wait !== undefined) {
              const again = Queue.offer(waiting, { message, attempts: attempts + 1 })
              return Effect.asVoid(FiberSet.run(putOff, Effect.delay(again, wait)))
            }
            posted--
            return Effect.logError("mail not sent", { subject: message.subject, reason, words })
          },
        })
      for (let turn = 0; turn < atOnce; turn++) {
        yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(waiting), sendPosted)))
      }
      yield* Effect.addFinalizer(() =>
        Effect.sleep("20 millis").pipe(
          Effect.repeat({ while: () => posted > 0 }),
          Effect.timeoutOption(drainTimeout),
        ),
      )

      return Mail.of({
        isConfigured: true,
        send,
        post: Effect.fnUntraced(function* (message) {
          if (posted >= waitingMax) {
            return yield* Effect.logError("mail dropped: too many wait", {
              subject: message.subject,
            })
          }
          posted++
          yield* Queue.offer(waiting, { message, attempts: 0 })
        }),
      })
    }),
  )
}

interface Posted {
  readonly message: MailMessage
  /** That were made. */
  readonly attempts: number
}

const unconfigured: Mail["Service"] = {
  isConfigured: false,
  send: () => Effect.fail(new MailFailed({ reason: "refused", message: "SMTP_URL is not set." })),
  post: () => Effect.void,
}

const sender = Effect.fnUntraced(function* (server: SmtpServer) {
  const turns = yield* Semaphore.make(atOnce)
  const { credentials, from, host, isSecure, port } = server
  const transport = yield* Effect.cached(
    Effect.promise(async () => {
      const { createTransport } = await import("nodemailer")
      return createTransport({
        ...limits,
        host,
        port,
        secure: isSecure,
        // A password does not travel in the clear, but to this machine.
        requireTLS: !isSecure && credentials !== undefined && !isLoopback(host),
        ...(credentials === undefined
          ? {}
          : { auth: { user: credentials.user, pass: Redacted.value(credentials.password) } }),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    }),
  )

  return Effect.fn("Mail.send")(function* (message: MailMessage) {
    const { messageId, to, ...content } = message
    const mailer = yield* transport
    yield* Effect.tryPromise({
      try: () =>
        mailer.sendMail({
          ...content,
          from,
          // As an object it is one address, whatever is in it.
          to: { name: "", address: to },
          ...(messageId === undefined ? {} : { messageId }),
          headers: { "auto-submitted": "auto-generated" },
        }),
      catch: failureOf,
    }).pipe(
      Effect.timeoutOrElse({
        duration: sendTimeout,
        orElse: () =>
          Effect.fail(new MailFailed({ reason: "unknown", message: "It took too long." })),
      }),
      turns.withPermits(1),
    )
  })
})

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

/** What nodemailer says of a failure. */
interface SmtpFailure {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly syscall?: string
  readonly message?: string
}

/** The mail has not been handed over yet when it fails with one of these. */
const before = new Set(["EDNS", "ETLS", "EREQUIRETLS", "EAUTH", "ENOAUTH", "ECONFIG"])

const failureOf = (error: unknown): MailFailed => {
  const failure = error as SmtpFailure // nodemailer rejects with nothing else
  const words = failure.response ?? failure.message ?? "no reason given"
  // Servers repeat the address that they refuse.
  const message = words.replaceAll(/[^\s<>"'(]+@[^\s<>"')]+/g, "…").slice(0, 300)
  return new MailFailed({ reason: reasonOf(failure), message })
}

const reasonOf = ({ code = "", message = "", responseCode, syscall }: SmtpFailure) => {
  if (responseCode !== undefined) return responseCode >= 500 ? "refused" : "temporary"
  if (code === "EENVELOPE") return "refused"
  const isUnconnected =
    syscall === "connect" || /^(Connection timeout|Greeting never received)/.test(message)
  return before.has(code) || isUnconnected ? "temporary" : "unknown"
}

// Sends email over SMTP with nodemailer, which is loaded with the first mail. Every step has a time limit. Errors say
// whether another attempt could send the mail twice. Only `post` retries, for mails that are stored nowhere and may be
// lost with the process.
import { Context, Effect, FiberSet, Layer, Metric, Queue, Schema, Semaphore } from "effect"
import { MailServer, type SmtpServer } from "./smtp-server.ts"
import { smtpTransport } from "./smtp-transport.ts"

export interface MailMessage {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The same for every attempt to send one mail. Default: a new one per attempt. */
  readonly messageId?: string
  /** In addition to those of every mail. */
  readonly headers?: Readonly<Record<string, string>>
}

export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", {
  /**
   * `refused`: the server will not accept it. `temporary`: not accepted now, may be later. `unknown`: the connection
   * broke during the handover, so it may have been accepted.
   */
  reason: Schema.Literals(["refused", "temporary", "unknown"]),
  /** The server's message, without the mail's content or addresses. At most 300 characters. */
  message: Schema.String,
}) {}

/** For one whole attempt. */
const sendTimeout = "60 seconds"

/** Concurrent connections to the mail server. */
const atOnce = 4
/** Posted mails not yet sent; beyond this they are dropped and logged. */
const waitingMax = 1_000
/** Wait before each retry of a posted mail. */
const postWaits = ["5 seconds", "20 seconds"] as const
/** How long shutdown waits for posted mails. */
const drainTimeout = "15 seconds"

export class Mail extends Context.Service<
  Mail,
  {
    /** Whether `SMTP_URL` is set. Without it `send` fails and `post` does nothing. */
    readonly isConfigured: boolean
    /** Makes one attempt. Returns once the server has accepted the mail. */
    send(message: MailMessage): Effect.Effect<void, MailFailed>
    /**
     * Sends it in the background, up to three times. Logs a failure without the address. *Guarantee*: never fails and
     * never waits for the mail server.
     */
    post(message: MailMessage): Effect.Effect<void>
  }
>()("@footfall/server/outbound/Mail") {
  static readonly layer = Layer.effect(
    Mail,
    Effect.gen(function* () {
      // A rate of failures needs the zero before the first one.
      yield* Effect.forEach(outcomes, (outcome) => count(outcome, 0), { discard: true })
      const server = yield* MailServer
      if (server === undefined) return unconfigured
      const send = yield* sender(server)
      const waiting = yield* Queue.unbounded<Posted>()
      const putOff = yield* FiberSet.make()
      let posted = 0

      /** Other mails go out while this one waits for its retry. */
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
            return Effect.logError("could not send an email", {
              subject: message.subject,
              reason,
              words,
            })
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
            return yield* Effect.logError("email dropped: too many are waiting", {
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
  /** Attempts made so far. */
  readonly attempts: number
}

const unconfigured: Mail["Service"] = {
  isConfigured: false,
  send: () => Effect.fail(new MailFailed({ reason: "refused", message: "SMTP_URL is not set." })),
  post: () => Effect.void,
}

const sender = Effect.fnUntraced(function* (server: SmtpServer) {
  const turns = yield* Semaphore.make(atOnce)
  const transport = yield* Effect.cached(Effect.promise(() => smtpTransport(server)))

  return Effect.fn("Mail.send")(function* (message: MailMessage) {
    const { headers, messageId, to, ...content } = message
    const mailer = yield* transport
    yield* Effect.tryPromise({
      try: () =>
        mailer.sendMail({
          ...content,
          from: server.from,
          // An object is always one address, whatever it contains.
          to: { name: "", address: to },
          ...(messageId === undefined ? {} : { messageId }),
          headers: { ...headers, "auto-submitted": "auto-generated" },
        }),
      catch: failureOf,
    }).pipe(
      Effect.timeoutOrElse({
        duration: sendTimeout,
        orElse: () =>
          Effect.fail(new MailFailed({ reason: "unknown", message: "It took too long." })),
      }),
      turns.withPermits(1),
      Effect.tap(() => count("sent")),
      Effect.tapError(({ reason }) => count(reason)),
    )
  })
})

const outcomes = ["sent", "refused", "temporary", "unknown"] as const

const mails = Metric.counter("footfall_mails", {
  description: "Attempts to send an email, by outcome",
  incremental: true,
})

const count = (outcome: (typeof outcomes)[number], by = 1) =>
  Metric.update(Metric.withAttributes(mails, { outcome }), by)

/** nodemailer's description of a failure. */
interface SmtpFailure {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly syscall?: string
  readonly message?: string
}

/** With these codes the mail was not handed over yet. */
const before = new Set(["EDNS", "ETLS", "EREQUIRETLS", "EAUTH", "ENOAUTH", "ECONFIG"])

export const failureOf = (error: unknown): MailFailed => {
  const failure = error as SmtpFailure // nodemailer rejects with nothing else
  const words = failure.response ?? failure.message ?? "no reason given"
  // Servers repeat the address they reject.
  const message = words
    .replaceAll(/(?<![^\s<>"'()@])[^\s<>"'()@]+@[^\s<>"'()]+/g, "…")
    .slice(0, 300)
  return new MailFailed({ reason: reasonOf(failure), message })
}

const reasonOf = ({ code = "", message = "", responseCode, syscall }: SmtpFailure) => {
  if (responseCode !== undefined) return responseCode >= 500 ? "refused" : "temporary"
  if (code === "EENVELOPE") return "refused"
  const isUnconnected =
    syscall === "connect" || /^(Connection timeout|Greeting never received)/.test(message)
  return before.has(code) || isUnconnected ? "temporary" : "unknown"
}

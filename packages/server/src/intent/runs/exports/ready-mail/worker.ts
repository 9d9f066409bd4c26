// Sends ready mails once their files exist. The run always shows the outcome: when the mail was sent, or why not. A
// mail whose sender was killed during the handover is not sent again.
import { Effect, Layer } from "effect"
import { AccessConfig } from "../../../../access/access-config.ts"
import type { Claim } from "../../../../platform/jobs/queue.ts"
import { work } from "../../../../platform/jobs/worker.ts"
import { Mail, type MailFailed } from "../../../../platform/outbound/mail/mail.ts"
import { ExportLinks } from "../links.ts"
import { readyLetter, readyMailQueue } from "./ready-mail.ts"
import { type ReadyMail, ReadyMailStore } from "./store.ts"

const atOnce = 4

export const ReadyMailWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ReadyMailStore
    const links = yield* ExportLinks
    const mail = yield* Mail
    const { baseUrl } = yield* AccessConfig
    if (!mail.isConfigured) return

    const isLast = ({ attempts }: Claim) => attempts >= readyMailQueue.attemptsMax

    const failed = (claim: Claim, { message, reason }: MailFailed) =>
      reason === "temporary" && !isLast(claim)
        ? store.retry(claim, message)
        : store.end(claim, {
            error: reason === "unknown" ? `It may have been sent: ${message}` : message,
          })

    const send = Effect.fnUntraced(function* (claim: Claim, due: ReadyMail, to: string) {
      const letter = readyLetter(due, yield* links.make(due.exportId))
      // The same for every attempt, so mailboxes can drop a duplicate.
      const messageId = `<run-${due.runId}@${new URL(baseUrl).hostname}>`
      if (!(yield* store.startHandover(claim))) return
      yield* mail.send({ to, ...letter, messageId }).pipe(
        Effect.andThen(store.end(claim, { isSent: true })),
        Effect.catchTag("MailFailed", (failure) => failed(claim, failure)),
      )
    })

    const perform = Effect.fnUntraced(function* (claim: Claim) {
      const due = yield* store.held(claim)
      if (due === undefined) return
      const reason = reasonAgainst(due)
      if (reason !== undefined) return yield* store.end(claim, { error: reason })
      // Not interruptible between the mail server's answer and storing it.
      if (due.email !== null) yield* Effect.uninterruptible(send(claim, due, due.email))
    })

    yield* work({
      queue: readyMailQueue,
      jobs: store.jobs,
      atOnce,
      claim: store.claim,
      perform,
      fail: (claim, reason) =>
        store.end(claim, {
          error:
            reason === "lost"
              ? "It may have been sent: the server stopped while sending it."
              : "It could not be sent. See the server's log.",
        }),
    })
  }),
)

const reasonAgainst = (due: ReadyMail): string | undefined => {
  if (due.email === null) return "The creator of the audience is no longer a member."
  if (due.handoverStarted) return "It may have been sent: the server stopped while sending it."
  switch (due.exportStatus) {
    case "failed":
      return `The export failed: ${due.exportErrorCode ?? "INTERNAL_ERROR"}.`
    case "expired":
      return "The export has expired, or a person in it was erased."
    default:
      return undefined
  }
}

// Sends the emails of a delivery, one per recipient. What is refused for one does not stop the others, and what is
// temporary is tried again with the delivery's next attempt. An email that may have been sent is not sent again.
import { Context, Effect, Layer, Schema } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { AccessConfig } from "../../../access/access-config.ts"
import { makeFairTurns } from "../../../platform/jobs/fair-turns.ts"
import { Mail, type MailFailed } from "../../../platform/outbound/mail/mail.ts"
import { addressed, type AlertLetter } from "../formats/email.ts"
import { UnsubscribeLinks } from "../unsubscribe/links.ts"
import type { WebhookKey } from "../store.ts"
import {
  AlertMailStore,
  type DueMails,
  type MailRecipient,
  type MailState,
} from "./alert-mail-store.ts"
import type { Attempt } from "./outcome.ts"
import { readAheadMsMax } from "./queue.ts"
import type { ClaimedDelivery } from "./store.ts"

/** Connections to the mail server that alerts may use, so that other mails find one. */
const atOnce = 3

class NoTurn extends Schema.TaggedError<NoTurn>()("NoTurn", {}) {}

const make = Effect.gen(function* () {
  const store = yield* AlertMailStore
  const mail = yield* Mail
  const links = yield* UnsubscribeLinks
  const { baseUrl } = yield* AccessConfig
  const turns = makeFairTurns({
    turns: atOnce,
    turnsOfOne: atOnce - 1,
    // Then the delivery is read again, because the webhook or the person may have changed.
    wait: readAheadMsMax,
    busy: () => new NoTurn(),
  })
  const domain = new URL(baseUrl).hostname

  const sendTo = (
    { organizationId, webhookId }: WebhookKey,
    { email, userId }: MailRecipient,
    webhookName: string,
    letter: AlertLetter,
    id: string,
  ): Effect.Effect<void, MailFailed> => {
    const unsubscribeUrl = links.of({ organizationId, webhookId, userId })
    return mail.send({
      ...addressed(letter, { webhookName, unsubscribeUrl }),
      to: email,
      // The same for every attempt, so mailboxes can drop a duplicate.
      messageId: `<alert-${id}-${userId}@${domain}>`,
      headers: {
        "list-unsubscribe": `<${unsubscribeUrl}>`,
        "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      },
    })
  }

  /** The outcome for one recipient; undefined if they are one no more. */
  const attempted = Effect.fnUntraced(function* (
    delivery: ClaimedDelivery,
    recipient: MailRecipient,
    webhookName: string,
    letter: AlertLetter,
  ) {
    const { id } = delivery
    const { userId } = recipient
    if (!(yield* store.startHandover(delivery, userId))) return undefined
    const outcome = yield* Effect.match(sendTo(delivery, recipient, webhookName, letter, id), {
      onSuccess: (): Outcome => ({ state: "sent", message: null }),
      onFailure: ({ message, reason }): Outcome => ({ state: reason, message }),
    })
    const { message, state } = outcome
    yield* store.record(delivery, userId, state === "temporary" ? undefined : { state, message })
    return outcome
  })

  const send = Effect.fnUntraced(function* (
    delivery: ClaimedDelivery,
    body: string,
    isOver: Effect.Effect<boolean>,
  ): Effect.fn.Return<Attempt | null, DatabaseError> {
    if (!mail.isConfigured) return unconfigured
    const due: DueMails | undefined = yield* store.due(delivery)
    if (due === undefined) return yield* Effect.interrupt
    const letter = JSON.parse(body) as AlertLetter // as `emailNotice` and `emailDigest` build it
    const outcomes = yield* Effect.forEach(due.recipients, (recipient) => {
      const known = due.states.get(recipient.userId)
      if (known !== undefined) return Effect.succeed(known.state === "handed" ? stopped : known)
      return turns
        .run(
          due.party,
          Effect.gen(function* () {
            if (yield* isOver) return yield* Effect.interrupt
            return yield* Effect.uninterruptible(
              attempted(delivery, recipient, due.webhookName, letter),
            )
          }),
        )
        .pipe(Effect.catchTag("NoTurn", () => Effect.interrupt))
    })
    return attemptOf(outcomes.filter((outcome) => outcome !== undefined))
  })

  const sendNow = Effect.fnUntraced(function* (
    key: WebhookKey,
    webhookName: string,
    body: string,
    id: string,
  ) {
    if (!mail.isConfigured) return unconfigured
    const letter = JSON.parse(body) as AlertLetter // as `emailNotice` builds it
    const recipients = yield* Effect.orDie(store.recipients(key))
    const outcomes = yield* Effect.forEach(
      recipients,
      (recipient) =>
        Effect.match(sendTo(key, recipient, webhookName, letter, id), {
          onSuccess: (): Outcome => ({ state: "sent", message: null }),
          onFailure: ({ message, reason }): Outcome => ({ state: reason, message }),
        }),
      { concurrency: atOnce },
    )
    return attemptOf(outcomes)
  })

  return {
    /**
     * One attempt for every recipient whose email has no outcome yet. Null if no one is left to send to. `isOver`: asked
     * before each email; the rest then goes back to the queue.
     */
    send,
    /** Sends to every recipient once, outside the queue. Null if there are none. */
    sendNow,
  }
})

export class AlertMails extends Context.Service<AlertMails, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/AlertMails",
) {
  static readonly layer = Layer.effect(AlertMails, make).pipe(Layer.provide(UnsubscribeLinks.layer))
}

interface Outcome {
  readonly state: MailState["state"] | "temporary"
  readonly message: string | null
}

const stopped: Outcome = { state: "unknown", message: "the server stopped while sending it." }

const nothing = {
  isGone: false,
  statusCode: null,
  responseSnippet: null,
  retryAfterSeconds: 0,
} as const

/** A success if someone got it and no email waits for another attempt. */
const attemptOf = (outcomes: ReadonlyArray<Outcome>): Attempt | null => {
  if (outcomes.length === 0) return null
  const sent = outcomes.filter(({ state }) => state === "sent").length
  const isWaiting = outcomes.some(({ state }) => state === "temporary")
  const failed = outcomes.find(({ state }) => state !== "sent")
  return {
    ...nothing,
    isSuccess: sent > 0 && !isWaiting,
    isFinal: !isWaiting,
    errorMessage:
      failed === undefined ? null : `Sent ${sent} of ${outcomes.length} emails. ${wordsOf(failed)}`,
  }
}

const wordsOf = ({ message, state }: Outcome): string =>
  state === "unknown" ? `One may have been sent: ${message}` : `One was not sent: ${message}`

/** The operator may set it again. */
const unconfigured: Attempt = {
  ...nothing,
  isSuccess: false,
  isFinal: false,
  errorMessage: "SMTP_URL is not set.",
}

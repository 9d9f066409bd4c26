// The two ways in which contacts leave: a signed webhook each (spec 8.1, 8.3), or an upsert in a
// mailing list (2.17). Neither repeats anything itself.
import { Clock, DateTime, Effect } from "effect"
import type { AutomationConfig, WebhookDestinationConfig } from "../../destinations/destination.ts"
import { contactUpserted, type EventSource } from "../../destinations/events/intent-event.ts"
import { listContact } from "../../destinations/mailer/list-contact.ts"
import type { Mailer, MailerConnection } from "../../destinations/mailer/mailer.ts"
import { isOfAccount } from "../../destinations/mailer/mailer-error.ts"
import type { Target } from "../../destinations/targets/target.ts"
import type { Outbound } from "../../outbound/outbound.ts"
import { messageIdOf, signedHeaders } from "../../outbound/signing.ts"
import { resultRow } from "../../runs/results/result-row.ts"
import type { Topic } from "../../topics/topic.ts"
import { contactHash, listContactHash } from "../content.ts"
import type { Channel } from "./batch.ts"
import {
  answerOutcome,
  type ContactOutcome,
  mailerOutcome,
  type Outcome,
  outboundOutcome,
  unwritable,
} from "./outcome.ts"

const sent = (contentHash: string): ContactOutcome => ({ type: "sent", contentHash })

type Topics = ReadonlyMap<number, Topic>

export interface WebhookMessage {
  readonly id: string
  readonly attempt: number
  readonly body: string
}

export interface WebhookEndpoint extends Pick<WebhookDestinationConfig, "timeoutMs" | "url"> {
  readonly secrets: Target["secrets"]
}

/** Signs and posts one event. */
export const postEvent = (
  outbound: Outbound["Service"],
  { secrets, timeoutMs, url }: WebhookEndpoint,
  { attempt, body: text, id }: WebhookMessage,
): Effect.Effect<Outcome> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const body = Buffer.from(text)
    const at = DateTime.makeUnsafe(now)
    const headers = signedHeaders({ id, attempt, body, secrets, at })
    return Effect.match(outbound.send({ url, headers, body, timeoutMs }), {
      onSuccess: (answer) => answerOutcome(answer, now),
      onFailure: outboundOutcome,
    })
  })

export const webhookChannel = (
  outbound: Outbound["Service"],
  endpoint: WebhookEndpoint,
  events: {
    readonly source: EventSource
    /** Of the events of this batch: the same on every attempt. ISO 8601. */
    readonly timestamp: string
    readonly topics: Topics
  },
): Channel => {
  const { source, timestamp, topics } = events
  return {
    send: ({ change, row, sequence }, attempt) =>
      Effect.suspend(() => {
        const contact = resultRow(row, topics)
        const id = messageIdOf(
          source.delivery.id,
          "intent.audience.contact.upserted",
          contact.hashedEmail,
        )
        const body = contactUpserted({ id, timestamp }, source, { sequence, change, contact })
        return Effect.map(postEvent(outbound, endpoint, { id, attempt, body }), (outcome) =>
          outcome.type === "sent" ? sent(contactHash(contact)) : outcome,
        )
      }),
  }
}

export const listChannel = (
  mailer: Mailer["Service"],
  connection: MailerConnection,
  list: {
    readonly audienceId: string
    readonly config: AutomationConfig
    readonly topics: Topics
    /** A call has shown that the account cannot be sent by now. */ // spec 4.5
    readonly failed: () => Effect.Effect<void>
  },
): Channel => ({
  send: ({ row }) =>
    Effect.suspend(() => {
      const contact = listContact(resultRow(row, list.topics), list)
      // Whoever has no address was skipped.
      if (contact === undefined) return Effect.succeed(unwritable)
      return mailer.upsert(connection, list.config.listId, contact).pipe(
        Effect.tapError((error) => (isOfAccount(error) ? list.failed() : Effect.void)),
        Effect.match({
          onSuccess: () => sent(listContactHash(contact)),
          onFailure: mailerOutcome,
        }),
      )
    }),
})

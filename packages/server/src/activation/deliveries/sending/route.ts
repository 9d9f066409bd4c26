// How a delivery reaches its destination: how contacts are hashed, which are sent, and how: as a signed webhook (spec
// 8.1, 8.3) or as an upsert in a mailing list (2.17). Neither retries by itself. A webhook needs no preparation; an
// account is probed first (spec 4.5, Probe).
import { Effect } from "effect"
import type { SqlText } from "../../../platform/database/sql-text.ts"
import { AccountProbes } from "../../destinations/accounts/probes.ts"
import type {
  AutomationConfig,
  AutomationDestinationConfig,
} from "../../destinations/destination.ts"
import type { EventSource } from "../../destinations/events/intent-event.ts"
import { listContact } from "../../destinations/mailer/list-contact.ts"
import { Mailer, type MailerConnection } from "../../destinations/mailer/mailer.ts"
import { isOfAccount, type ProviderRateLimited } from "../../destinations/mailer/mailer-error.ts"
import type { Target } from "../../destinations/targets/target.ts"
import { type MessageEndpoint, postMessage } from "../../../platform/outbound/message.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { type ResultDbRow, resultRow } from "../../../intent/runs/results/result-row.ts"
import type { Topic } from "../../../intent/topics/topic.ts"
import { contactHash, listContactHash } from "../content.ts"
import { listContentHash, webhookContentHash } from "../content-hash.ts"
import { DeliveryStore } from "../store.ts"
import type { AttemptError, DeliveryWork } from "../delivery-work.ts"
import type { Attempt, Channel } from "./batch.ts"
import { contactMessage } from "./contact-payload.ts"
import {
  type ContactOutcome,
  type Halt,
  mailerOutcome,
  type Outcome,
  outcomeOf,
  unwritable,
} from "./outcome.ts"

export interface Route {
  /** Content hash of a result row, in SQL. */
  readonly hash: SqlText
  /** Whether the destination accepts the contact; otherwise it is skipped. */
  takes(row: ResultDbRow, target: Target): boolean
  /** `eventAt`: the time of the batch's events. */
  channel(target: Target, source: EventSource, eventAt: string): Channel
}

const sent = (contentHash: string): ContactOutcome => ({ type: "sent", contentHash })

type Topics = ReadonlyMap<number, Topic>

interface WebhookMessage extends Attempt {
  readonly id: string
  readonly body: string
}

/** Signs and posts one event. */
export const postEvent = (
  outbound: Outbound["Service"],
  endpoint: MessageEndpoint,
  { body, ...message }: WebhookMessage,
): Effect.Effect<Outcome> =>
  Effect.map(postMessage(outbound, endpoint, { ...message, body: Buffer.from(body) }), outcomeOf)

const webhookChannel = (
  outbound: Outbound["Service"],
  endpoint: MessageEndpoint,
  events: {
    readonly source: EventSource
    /** Time of the batch's events, the same on every attempt. ISO 8601. */
    readonly timestamp: string
    readonly topics: Topics
  },
): Channel => {
  const { source, timestamp, topics } = events
  return {
    send: ({ change, row, sequence }, attempt) => {
      const contact = resultRow(row, topics)
      const message = contactMessage(source, { sequence, change, contact }, timestamp)
      return Effect.map(postEvent(outbound, endpoint, { ...message, ...attempt }), (outcome) =>
        outcome.type === "sent" ? sent(contactHash(contact)) : outcome,
      )
    },
  }
}

const listChannel = (
  mailer: Mailer["Service"],
  connection: MailerConnection,
  list: {
    readonly audienceId: string
    readonly config: AutomationConfig
    readonly topics: Topics
    /** A call has shown that the account can't be used right now. */ // spec 4.5
    readonly failed: () => Effect.Effect<void>
  },
): Channel => ({
  send: ({ row }) => {
    const contact = listContact(resultRow(row, list.topics), list)
    // Contacts without an address were skipped.
    if (contact === undefined) return Effect.succeed(unwritable)
    return mailer.upsert(connection, list.config.listId, contact).pipe(
      Effect.tapError((error) => (isOfAccount(error) ? list.failed() : Effect.void)),
      Effect.match({
        onSuccess: () => sent(listContactHash(contact)),
        onFailure: mailerOutcome,
      }),
    )
  },
})

const stopped = (code: AttemptError["code"], message: string): Halt => ({
  type: "stopped",
  error: { code, message, statusCode: null },
})

/** Nothing is sent to the provider before then. */ // spec 8.1.8
const limited = (failure: ProviderRateLimited): Halt => {
  const { retryAfterSeconds } = failure
  return { type: "parked", error: mailerOutcome(failure).error, retryAfterSeconds }
}

const parked = (message: string): Halt => ({
  type: "parked",
  error: { code: "PROVIDER_ERROR", message, statusCode: null },
  retryAfterSeconds: null,
})

/** spec 2.15. */
const keptByPolicy = ({ emailStatus }: ResultDbRow, { validationPolicy }: Target): boolean =>
  validationPolicy === "none" || emailStatus === "valid" || emailStatus === "catch_all"

const topicsById = (topics: ReadonlyArray<Topic>): ReadonlyMap<number, Topic> =>
  new Map(topics.map((topic) => [topic.topicId, topic]))

export const makeRoutes = Effect.gen(function* () {
  const outbound = yield* Outbound
  const mailer = yield* Mailer
  const probes = yield* AccountProbes
  // Recording an account's state waits for the database, as every write does.
  const { persistently } = yield* DeliveryStore

  const webhook = ({ topics }: DeliveryWork): Route => {
    const byId = topicsById(topics)
    return {
      hash: webhookContentHash(topics),
      takes: (row, target) =>
        target.config.destinationType === "webhook" &&
        target.config.eventTypes.includes("intent.audience.contact.upserted") &&
        keptByPolicy(row, target),
      channel: (target, source, timestamp) => {
        // The type of a destination never changes.
        const { timeoutMs, url } = target.config as Extract<typeof target.config, { url: string }>
        const endpoint = { url, timeoutMs, secrets: target.secrets }
        return webhookChannel(outbound, endpoint, { source, timestamp, topics: byId })
      },
    }
  }

  const list = Effect.fnUntraced(
    function* (work: DeliveryWork, { config, connectedAccountId }: AutomationDestinationConfig) {
      const { organizationId, topics } = work
      const key = { organizationId, accountId: connectedAccountId }
      const { account, failure } = yield* persistently(probes.probe(key))
      if (failure?._tag === "ProviderRateLimited") return limited(failure)
      if (account.status === "disconnected") {
        return stopped("ACCOUNT_DISCONNECTED", "The connected account is disconnected.")
      }
      if (account.status === "unhealthy") return parked("The connected account is not healthy.")
      const connection = yield* probes.connection(account)
      const content = { audienceId: work.audience.id, config }
      const byId = topicsById(topics)
      return {
        hash: listContentHash(content, topics),
        takes: (row, target) => row.email !== null && keptByPolicy(row, target),
        channel: () => {
          // If a whole batch fails, one call records it.
          let isNoted = false
          const failed = () => {
            if (isNoted) return Effect.void
            isNoted = true
            const key = { organizationId, accountId: account.id }
            return Effect.ignore(persistently(probes.note(key, "failed")))
          }
          return listChannel(mailer, connection, { ...content, topics: byId, failed })
        },
      } satisfies Route
    },
    Effect.catchTags({
      AccountNotFound: () =>
        Effect.succeed(stopped("ACCOUNT_DISCONNECTED", "The connected account was removed.")),
      IntegrationUnavailable: () => Effect.succeed(parked("The provider has no base URL.")),
    }),
  )

  return {
    /** A halt if the destination's account can't be used. */
    open: (work: DeliveryWork, { config }: Target): Effect.Effect<Route | Halt> =>
      config.destinationType === "webhook" ? Effect.succeed(webhook(work)) : list(work, config),
    /** The account's credentials were refused, so it is probed at once. */ // spec 4.5.2
    suspect: ({ organizationId }: DeliveryWork, { config }: Target): Effect.Effect<void> =>
      config.destinationType === "webhook"
        ? Effect.void
        : Effect.ignore(
            persistently(probes.probe({ organizationId, accountId: config.connectedAccountId })),
          ),
  }
})

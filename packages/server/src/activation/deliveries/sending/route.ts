// How a delivery reaches its destination: how contacts are hashed, which are sent, and how: as a signed webhook (spec
// 8.1, 8.3) or as an upsert in a list (2.17, list-channel.ts). Neither retries by itself. A webhook needs no
// preparation; an account is probed and its list read first (spec 4.5, Probe).
import { Effect, Result, Semaphore } from "effect"
import { AccountProbes } from "../../destinations/accounts/probes.ts"
import type { ConnectorError } from "../../destinations/connectors/connector-error.ts"
import { Connectors } from "../../destinations/connectors/connectors.ts"
import { managedTag } from "../../destinations/connectors/list-contact.ts"
import type {
  AutomationDestinationConfig,
  WebhookDestinationConfig,
} from "../../destinations/destination.ts"
import { type EventFormat, formatsOf } from "../../destinations/events/format.ts"
import type { EventSource } from "../../destinations/events/intent-event.ts"
import { endpointOf, type Target } from "../../destinations/targets/target.ts"
import { type MessageEndpoint, postMessage } from "../../../platform/outbound/message.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { isPayload } from "../../../platform/outbound/payload.ts"
import { type ResultDbRow, resultRow } from "../../../intent/runs/results/result-row.ts"
import type { Topic } from "../../../intent/topics/topic.ts"
import { contactHash } from "../content.ts"
import { listContentHash, webhookContentHash } from "../content-hash.ts"
import { DeliveryStore } from "../store.ts"
import type { AttemptError, DeliveryWork } from "../delivery-work.ts"
import type { Holding, PlannedRemoval } from "../plan.ts"
import type { Claim } from "../../../platform/jobs/queue.ts"
import type { Attempt, Channel } from "./batch.ts"
import { contactMessage, removalMessage } from "./contact-payload.ts"
import { listChannel, removalChannel } from "./list-channel.ts"
import {
  connectorOutcome,
  type ContactOutcome,
  type Halt,
  haltOf,
  type Outcome,
  outcomeOf,
} from "./outcome.ts"

export interface Route {
  readonly holding: Holding
  /** Whether the destination accepts the contact; otherwise it is skipped. */
  takes(row: ResultDbRow, target: Target): boolean
  /** `eventAt`: the time of the batch's events. */
  channel(target: Target, source: EventSource, eventAt: string): Channel
  /** For people who left. `eventAt`: the time of the events about removals. */
  removing(target: Target, source: EventSource, eventAt: string): Channel<PlannedRemoval>
}

const sent = (contentHash: string): ContactOutcome => ({ type: "sent", contentHash })

type Topics = ReadonlyMap<number, Topic>

interface WebhookMessage extends Attempt {
  readonly id: string
  readonly body: string
  readonly contentType: string
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
    readonly format: EventFormat
  },
): Channel => {
  const { format, source, timestamp, topics } = events
  return {
    send: ({ change, row, sequence }, attempt) => {
      const contact = resultRow(row, topics)
      const message = contactMessage(source, { sequence, change, contact }, timestamp, format)
      if (!isPayload(message.body)) return Effect.succeed(tooLong)
      return Effect.map(postEvent(outbound, endpoint, { ...message, ...attempt }), (outcome) =>
        outcome.type === "sent" ? sent(contactHash(contact)) : outcome,
      )
    },
  }
}

/** Only a template can repeat texts until even the shortest form is too long. */ // spec 8.2.2
const tooLong: ContactOutcome = {
  type: "refused",
  error: {
    code: "CONTACT_INVALID",
    message: "The template makes a body of more than 20 KB of this contact.",
    statusCode: null,
  },
}

/** The event is all there is to a removal. */
const told: ContactOutcome = {
  type: "left",
  isRemoved: true,
  isOff: true,
  formerStatus: null,
}

const stopped = (code: AttemptError["code"], message: string): Halt => ({
  type: "stopped",
  error: { code, message, statusCode: null },
})

/** Nothing is sent to the provider before its Retry-After. */ // spec 8.1.8
const unusable = (failure: ConnectorError): Halt => haltOf(connectorOutcome(failure))

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
  const connectors = yield* Connectors
  const probes = yield* AccountProbes
  // Recording an account's state waits for the database, as every write does.
  const { noteAdding, noteRemoving, persistently } = yield* DeliveryStore

  const webhook = ({ topics }: DeliveryWork, { eventTypes }: WebhookDestinationConfig): Route => {
    const byId = topicsById(topics)
    return {
      holding: {
        hash: webhookContentHash(topics),
        listId: null,
        leaving: eventTypes.includes("intent.audience.contact.removed") ? "tell" : "keep",
      },
      takes: (row, target) =>
        target.config.destinationType === "webhook" &&
        target.config.eventTypes.includes("intent.audience.contact.upserted") &&
        keptByPolicy(row, target),
      channel: (target, source, timestamp) => {
        // The type of a destination never changes.
        const config = target.config as WebhookDestinationConfig
        const format = formatsOf(config)("intent.audience.contact.upserted")
        const events = { source, timestamp, topics: byId, format }
        return webhookChannel(outbound, endpointOf(target, config), events)
      },
      removing: (target, source, timestamp) => {
        const config = target.config as WebhookDestinationConfig
        const format = formatsOf(config)("intent.audience.contact.removed")
        return {
          send: (removal, attempt) => {
            const message = {
              ...removalMessage(source, removal, timestamp, format),
              ...attempt,
            }
            return Effect.map(postEvent(outbound, endpointOf(target, config), message), (outcome) =>
              outcome.type === "sent" ? told : outcome,
            )
          },
        }
      },
    }
  }

  const list = Effect.fnUntraced(
    function* (
      claim: Claim,
      work: DeliveryWork,
      { config, connectedAccountId }: AutomationDestinationConfig,
    ) {
      const { organizationId, topics } = work
      const key = { organizationId, accountId: connectedAccountId }
      const { account, failure } = yield* persistently(probes.probe(key))
      if (failure?._tag === "ProviderRateLimited") return unusable(failure)
      if (account.status === "disconnected") {
        return stopped("ACCOUNT_DISCONNECTED", "The connected account is disconnected.")
      }
      if (account.status === "unhealthy") return parked("The connected account is not healthy.")
      const connection = yield* probes.connection(account)
      const found = yield* Effect.result(connectors.list(connection, config.listId))
      if (Result.isFailure(found)) return unusable(found.failure)
      const audienceId = work.audience.id
      const content = { audienceId, config }
      const target = {
        list: found.success,
        config,
        managedTag: managedTag(audienceId),
        lookedUp: new Map<string, number>(),
        lookingUp: yield* Semaphore.make(1),
      }
      const byId = topicsById(topics)
      /** If a whole batch fails, one call records it. */
      const failing = () => {
        let isNoted = false
        return () => {
          if (isNoted) return Effect.void
          isNoted = true
          const key = { organizationId, accountId: account.id }
          return Effect.ignore(persistently(probes.note(key, "failed")))
        }
      }
      return {
        holding: {
          hash: listContentHash(content, topics),
          listId: config.listId,
          leaving: config.onLeave,
        },
        takes: (row, target) => row.email !== null && keptByPolicy(row, target),
        channel: () =>
          listChannel(connectors, connection, {
            ...content,
            target,
            topics: byId,
            failed: failing(),
            adding: (people) => noteAdding(claim, work, config.listId, people),
          }),
        removing: () =>
          removalChannel(connectors, connection, {
            target,
            failed: failing(),
            removing: (statuses) => noteRemoving(claim, work, statuses),
          }),
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
    open: (claim: Claim, work: DeliveryWork, { config }: Target): Effect.Effect<Route | Halt> =>
      config.destinationType === "webhook"
        ? Effect.succeed(webhook(work, config))
        : list(claim, work, config),
    /** The account's credentials were refused, so it is probed at once. */ // spec 4.5.2
    suspect: ({ organizationId }: DeliveryWork, { config }: Target): Effect.Effect<void> =>
      config.destinationType === "webhook"
        ? Effect.void
        : Effect.ignore(
            persistently(probes.probe({ organizationId, accountId: config.connectedAccountId })),
          ),
  }
})

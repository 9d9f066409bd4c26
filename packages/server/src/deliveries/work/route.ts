// The way from a delivery to its destination: how its contacts are hashed, which of them are sent, and by what
// channel. A webhook is ready at once; an account is probed first (spec 4.5, Probe).
import { Effect } from "effect"
import type { AutomationDestinationConfig } from "../../destinations/destination.ts"
import { AccountProbes } from "../../destinations/accounts/probes.ts"
import type { EventSource } from "../../destinations/events/intent-event.ts"
import { Mailer } from "../../destinations/mailer/mailer.ts"
import type { Target } from "../../destinations/targets/target.ts"
import { Outbound } from "../../outbound/outbound.ts"
import type { ResultDbRow } from "../../runs/results/result-row.ts"
import type { Topic } from "../../topics/topic.ts"
import type { SqlText } from "../../database/sql-text.ts"
import { listContentHash, webhookContentHash } from "../planning/content-hash-store.ts"
import type { Channel } from "../sending/batch.ts"
import { listChannel, webhookChannel } from "../sending/channels.ts"
import type { AttemptError, Halt } from "../sending/outcome.ts"
import type { DeliveryWork } from "./delivery-work.ts"

export interface Route {
  /** Content hash of a row of the results, in SQL. */
  readonly hash: SqlText
  /** Whether a contact goes this way at all; else it is skipped. */
  takes(row: ResultDbRow, target: Target): boolean
  /** `eventAt`: of the events of the batch. */
  channel(target: Target, source: EventSource, eventAt: string): Channel
}

const stopped = (code: AttemptError["code"], message: string): Halt => ({
  type: "stopped",
  error: { code, message, statusCode: null },
})

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

  const webhook = ({ topics }: DeliveryWork): Route => {
    const byId = topicsById(topics)
    return {
      hash: webhookContentHash(topics),
      takes: (row, target) =>
        target.config.destinationType === "webhook" &&
        target.config.eventTypes.includes("intent.audience.contact.upserted") &&
        keptByPolicy(row, target),
      channel: (target, source, timestamp) => {
        // Its kind never changes.
        const { timeoutMs, url } = target.config as Extract<typeof target.config, { url: string }>
        const endpoint = { url, timeoutMs, secrets: target.secrets }
        return webhookChannel(outbound, endpoint, { source, timestamp, topics: byId })
      },
    }
  }

  const list = Effect.fnUntraced(
    function* (work: DeliveryWork, { config, connectedAccountId }: AutomationDestinationConfig) {
      const { organizationId, topics } = work
      const account = yield* probes.probe({ organizationId, accountId: connectedAccountId })
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
          // Of a batch that fails as a whole one call says it.
          let isNoted = false
          const failed = () => {
            if (isNoted) return Effect.void
            isNoted = true
            return Effect.ignore(probes.note({ organizationId, accountId: account.id }, "failed"))
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
    /** A halt when the account of the destination cannot be sent by. */
    open: (work: DeliveryWork, { config }: Target): Effect.Effect<Route | Halt> =>
      config.destinationType === "webhook" ? Effect.succeed(webhook(work)) : list(work, config),
    /** The account's credentials were refused: it is probed at once. */ // spec 4.5.2
    suspect: ({ organizationId }: DeliveryWork, { config }: Target): Effect.Effect<void> =>
      config.destinationType === "webhook"
        ? Effect.void
        : Effect.ignore(probes.probe({ organizationId, accountId: config.connectedAccountId })),
  }
})

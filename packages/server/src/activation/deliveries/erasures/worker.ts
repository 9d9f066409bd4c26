// Carries out erasures at destinations (spec 2.16.10): a service deletes the person, and a webhook gets the event. It waits
// for no run and no delivery, and goes on while the destination is paused.
import { Clock, Effect, Semaphore } from "effect"
import { AccountProbes } from "../../destinations/accounts/probes.ts"
import { AccountsStore } from "../../destinations/accounts/store.ts"
import type { Notes } from "../../destinations/connectors/connector.ts"
import { Connectors } from "../../destinations/connectors/connectors.ts"
import { managedTag } from "../../destinations/connectors/list-contact.ts"
import { bareList } from "../../destinations/connectors/mailing-list.ts"
import type {
  AutomationDestinationConfig,
  WebhookDestinationConfig,
} from "../../destinations/destination.ts"
import { formatsOf } from "../../destinations/events/format.ts"
import { contactRemoved } from "../../destinations/events/intent-event.ts"
import { TargetStore } from "../../destinations/targets/store.ts"
import { endpointOf, type Target } from "../../destinations/targets/target.ts"
import { Targets } from "../../destinations/targets/targets.ts"
import type { Claim } from "../../../platform/jobs/queue.ts"
import { requestsEndWithin, work } from "../../../platform/jobs/worker.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { messageIdOf } from "../../../platform/outbound/signing.ts"
import type { DeliveryError } from "../delivery.ts"
import { connectorOutcome } from "../sending/outcome.ts"
import { postEvent } from "../sending/route.ts"
import {
  DestinationErasures,
  type ErasureOutcome,
  erasureQueue,
  type PendingErasure,
} from "./store.ts"

/** In one process. */
const atOnce = 10

const unexpected: DeliveryError = {
  code: "INTERNAL_ERROR",
  message: "The erasure stopped unexpectedly.",
}
const disconnected: DeliveryError = {
  code: "ACCOUNT_DISCONNECTED",
  message: "The connected account was removed.",
}
const withoutUrl: DeliveryError = {
  code: "PROVIDER_ERROR",
  message: "The provider has no base URL.",
}

const unapproved: DeliveryError = {
  code: "INTERNAL_ERROR",
  message: "The configuration of the destination is not approved.",
}

/** What a service's answer means for the person. It no longer had whoever is absent. */
const outcomes = {
  removed: "deleted",
  absent: "removed",
  kept: "kept",
} as const satisfies Readonly<Record<string, ErasureOutcome>>

const unnoted: Notes = { adding: () => Effect.void, removing: () => Effect.void }

export const ErasureWork = Effect.gen(function* () {
  const store = yield* DestinationErasures
  const targets = yield* Targets
  const targetStore = yield* TargetStore
  const accounts = yield* AccountsStore
  const probes = yield* AccountProbes
  const connectors = yield* Connectors
  const outbound = yield* Outbound

  /** Each returns its outcome, or why it has to be tried again. */

  const tell = Effect.fnUntraced(function* (
    { createdAt, hashedEmail, id, organizationId }: PendingErasure,
    attempt: number,
    target: Target,
    config: WebhookDestinationConfig,
  ) {
    const { audienceId, audienceName, status } = target
    if (status === "draft") return unapproved
    const format = formatsOf(config)("intent.audience.contact.removed")
    const messageId = messageIdOf(id, "intent.audience.contact.removed", hashedEmail)
    const body = contactRemoved(
      { id: messageId, timestamp: createdAt },
      { organizationId, audience: { id: audienceId, name: audienceName } },
      { of: null, reason: "erased", contact: { hashedEmail, externalKey: null } },
      format,
    )
    const at = yield* Clock.currentTimeMillis
    const message = { id: messageId, body, attempt, at, contentType: format.contentType }
    const outcome = yield* postEvent(outbound, endpointOf(target, config), message)
    return outcome.type === "sent" ? "told" : outcome.error
  })

  const erase = Effect.fnUntraced(
    function* (
      { email, listId, organizationId, remoteId }: PendingErasure,
      { audienceId }: Target,
      { config, connectedAccountId: accountId }: AutomationDestinationConfig,
    ) {
      const account = yield* accounts.find({ organizationId, accountId })
      if (account === undefined) return disconnected
      const target = {
        list: bareList(listId ?? config.listId),
        config,
        managedTag: managedTag(audienceId),
        lookedUp: new Map<string, number>(),
        lookingUp: yield* Semaphore.make(1),
        notes: unnoted,
      }
      const members = [{ email: email!, remoteId }]
      const connection = yield* probes.connection(account)
      const [outcome] = yield* connectors.remove(connection, target, members, "erase")
      if (outcome?.type === "failed") return connectorOutcome(outcome.error).error
      return outcomes[outcome?.type ?? "absent"]
    },
    Effect.catchTag("IntegrationUnavailable", () => Effect.succeed(withoutUrl)),
    Effect.catch((error) => Effect.succeed(connectorOutcome(error).error)),
  )

  const perform = Effect.fnUntraced(function* (claim: Claim) {
    const pending = yield* store.load(claim)
    const { destinationId, organizationId } = pending
    const key = { organizationId, destinationId }
    const target = yield* targets.find(key)
    // A deleted destination has nothing to sign with and no account.
    if (target === undefined || target.isDeleted) return yield* store.end(claim, "failed")
    if (pending.isTooOld) {
      yield* Effect.orDie(targetStore.noteError(key, pending.lastError ?? unexpected))
      return yield* store.end(claim, "failed")
    }
    const { config } = target
    const answer =
      config.destinationType === "webhook"
        ? yield* tell(pending, claim.attempts, target, config)
        : yield* erase(pending, target, config)
    yield* typeof answer === "string" ? store.end(claim, answer) : store.retry(claim, answer)
  })

  yield* work({
    queue: erasureQueue,
    jobs: store.jobs,
    atOnce,
    closesWithin: requestsEndWithin,
    claim: store.claim,
    perform,
    fail: (claim, reason) =>
      reason === "lost" ? store.end(claim, "failed") : store.retry(claim, unexpected),
  })
})

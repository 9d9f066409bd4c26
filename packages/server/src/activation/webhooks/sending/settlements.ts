// Stores attempt outcomes in batches: those that arrive while a statement is running go into the next one. When an
// outcome disables a webhook, the audit entry is written with it, and the notification is sent after the commit (spec
// 8.5, Notice).
import { Context, Effect, Layer } from "effect"
import { Audit } from "../../../access/audit/audit.ts"
import { CommitQueue } from "../../../platform/jobs/batcher.ts"
import { type Settled, SettlementStore, type DisabledWebhook } from "./settlement-store.ts"
import { Notices } from "../../../access/notices.ts"

/** Limits on waiting outcomes; a worker never holds more deliveries than this (queue.ts). */
const limits = {
  itemsMax: 10_000,
  bytesMax: 64 * 1_024 * 1_024,
  rowsPerCommitMax: 500,
  bytesPerCommitMax: 4 * 1_024 * 1_024,
  commitsInFlightMax: 1,
}
/** Size of one outcome with the longest response snippet. */
const outcomeBytes = 1_536

const make = Effect.gen(function* () {
  const store = yield* SettlementStore
  const audit = yield* Audit
  const notices = yield* WebhookNotices
  const runPromise = Effect.runPromiseWith(yield* Effect.context())

  const recorded = ({ organizationId, webhookId }: { organizationId: string; webhookId: string }) =>
    audit.record({ organizationId, actor: { type: "system" } }, "webhook.auto_disabled", webhookId)

  const commit = Effect.fnUntraced(
    function* (outcomes: ReadonlyArray<Settled>) {
      const disabled = yield* store.transaction(
        Effect.tap(store.settle(outcomes), (all) =>
          Effect.forEach(all, recorded, { discard: true }),
        ),
      )
      yield* Effect.forEach(disabled, notices.disabled, { discard: true })
      return outcomes.map(() => true)
    },
    Effect.tapCause((cause) => Effect.logError("could not store webhook outcomes", cause)),
  )

  const queue = new CommitQueue<Settled, boolean>({
    limits,
    commit: (outcomes) => runPromise(commit(outcomes)),
  })
  yield* Effect.addFinalizer(() => Effect.promise(() => queue.close()))

  return {
    /** Returns false when the outcome could not be stored; the worker then still owns the delivery. */
    write: (settled: Settled): Effect.Effect<boolean> =>
      Effect.uninterruptible(
        Effect.map(
          Effect.promise(() =>
            queue.offer({
              item: settled,
              party: settled.delivery.organizationId,
              bytes: outcomeBytes,
              rows: 1,
            }),
          ),
          (isWritten) => isWritten === true,
        ),
      ),
  }
})

export class Settlements extends Context.Service<Settlements, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/Settlements",
) {
  static readonly layer = Layer.effect(Settlements, make)
}

// Notifies people that the server disabled a webhook (spec 8.5, Notice): a log line, and an email to the organization's
// admins if email is configured. Never fails and never delays a delivery.
export class WebhookNotices extends Context.Service<
  WebhookNotices,
  {
    /** Call it after the transaction that disabled the webhook. */
    disabled(webhook: DisabledWebhook): Effect.Effect<void>
  }
>()("@footfall/server/webhooks/WebhookNotices") {
  static readonly layer = Layer.effect(
    WebhookNotices,
    Effect.gen(function* () {
      const notices = yield* Notices
      return WebhookNotices.of({
        disabled: Effect.fnUntraced(function* ({ name, organizationId, webhookId }) {
          yield* Effect.logWarning("webhook disabled: its receiver keeps failing", {
            organizationId,
            webhookId,
          })
          yield* notices.send(organizationId, {
            subject: `The webhook "${name}" was disabled`,
            text: [
              `Footfall disabled the visitor webhook "${name}" because its URL returned 410 Gone, or ` +
                "because every delivery failed for three days.",
              "New events are not queued for it. Deliveries that are already queued are sent when you " +
                `activate it again: footfall webhooks update ${webhookId} --status active`,
            ].join("\n\n"),
          })
        }),
      })
    }),
  )
}

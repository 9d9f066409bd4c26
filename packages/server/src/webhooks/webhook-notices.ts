// Notifies people that the server disabled a webhook (spec 8.5, Notice): a log line, and an email to the organization's
// admins if email is configured. Never fails and never delays a delivery.
import { Context, Effect, Layer } from "effect"
import { Notices } from "../access/notices/notices.ts"
import type { DisabledWebhook } from "./sending/settlement-store.ts"

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
              `Footfall disabled the visitor webhook "${name}" because its URL returned 410 Gone, or every ` +
                "delivery failed for three days.",
              "New events are not queued for it. Deliveries that are already queued wait until you activate " +
                `it again: footfall webhooks update ${webhookId} --status active`,
            ].join("\n\n"),
          })
        }),
      })
    }),
  )
}

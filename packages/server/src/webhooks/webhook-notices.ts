// Tells people that a webhook was disabled by the server (spec 8.5, Notice): a line in the log,
// and a mail to the organization's admins where mail is set up. Never fails, never holds up a delivery.
import { Context, Effect, Layer } from "effect"
import { Notices } from "../access/notices/notices.ts"
import type { DisabledWebhook } from "./sending/settlement-store.ts"

export class WebhookNotices extends Context.Service<
  WebhookNotices,
  {
    /** After the transaction in which it was disabled. */
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
              `Footfall has disabled the visitor webhook "${name}", because its receiver said that it is ` +
                "gone, or has failed for three days without a success.",
              "Nothing new is queued for it. What is queued already waits, and is sent when the webhook " +
                `is made active again: footfall webhooks update ${webhookId} --status active`,
            ].join("\n\n"),
          })
        }),
      })
    }),
  )
}

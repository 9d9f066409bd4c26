// Where a webhook sends: to a URL or to members, whichever its format has a use for (spec 14.5).
import { Effect, Schema } from "effect"
import type { UrlNotAllowed } from "../../platform/outbound/outbound-error.ts"
import type { WebhookContent, WebhookStore } from "./store.ts"
import { Format, type NewWebhook } from "./webhook.ts"

/** A webhook has a URL or recipients, whichever its format sends to. */ // spec 14.5
export class ReceiverRefused extends Schema.TaggedError<ReceiverRefused>()("ReceiverRefused", {
  field: Schema.Literals(["url", "recipients"]),
  code: Schema.Literals(["mutually_exclusive", "required"]),
  format: Format,
}) {}

/** No members of the organization have these ids. */
export class RecipientsUnknown extends Schema.TaggedError<RecipientsUnknown>()(
  "RecipientsUnknown",
  { places: Schema.Array(Schema.Int) },
) {}

/** The server sends no email. */
export class MailNotConfigured extends Schema.TaggedError<MailNotConfigured>()(
  "MailNotConfigured",
  {},
) {}

/** What is wrong with where a webhook sends. */
export type ReceiverError = MailNotConfigured | ReceiverRefused | RecipientsUnknown | UrlNotAllowed

/**
 * Runs in the transaction that stores the ids, before it locks a webhook, so that no one of them leaves in between.
 */
export const checkRecipients = Effect.fnUntraced(function* (
  store: WebhookStore["Service"],
  organizationId: string,
  recipients: ReadonlyArray<string> | null | undefined,
) {
  if (recipients == null) return
  const members = yield* store.keepsMembers(organizationId, recipients)
  const places = recipients.flatMap((id, place) => (members.has(id.toLowerCase()) ? [] : [place]))
  if (places.length > 0) return yield* new RecipientsUnknown({ places })
})

/** The receiver that the format sends to, and null for the other kind. */
export const receiverOf = Effect.fnUntraced(function* ({
  format,
  recipients,
  status,
  url,
}: Pick<WebhookContent, "format" | "status"> &
  Partial<Pick<WebhookContent, "recipients" | "url">>) {
  if (format === "email") {
    if (url != null) {
      return yield* new ReceiverRefused({ field: "url", code: "mutually_exclusive", format })
    }
    // Those of a webhook may all have left; it is inactive until it has others.
    if (recipients == null || (recipients.length === 0 && status === "active")) {
      return yield* new ReceiverRefused({ field: "recipients", code: "required", format })
    }
    return { url: null, recipients: [...new Set(recipients.map((id) => id.toLowerCase()))] }
  }
  if (recipients != null) {
    return yield* new ReceiverRefused({ field: "recipients", code: "mutually_exclusive", format })
  }
  if (url == null) return yield* new ReceiverRefused({ field: "url", code: "required", format })
  return { url, recipients: null }
})

/** A receiver for a webhook that sends nothing. */
export const nowhere = ({ format }: Partial<NewWebhook>): Pick<NewWebhook, "recipients" | "url"> =>
  format === "email"
    ? { recipients: ["00000000-0000-0000-0000-000000000000"] }
    : { url: "https://preview.invalid/" }

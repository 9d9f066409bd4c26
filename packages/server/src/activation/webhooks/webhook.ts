// A visitor webhook: a URL that receives people as they are identified (spec 2.20, 8.5). The secret is not a field: it
// is shown once, on creation.
import { Schema } from "effect"
import { PathPrefix } from "../../collect/pixels/settings.ts"
import { described, requestText } from "../../platform/http/fields.ts"

// The formats of a visitor webhook, and how often it sends (spec 14.1, 14.4).
export const Format = Schema.Literals(["standard", "slack", "teams", "discord", "email"])
export type Format = typeof Format.Type
export type MessageFormat = Exclude<Format, "standard">

/** Maximum members that one webhook sends emails to. */ // spec 14.5, 10.3
export const recipientsMax = 20

/** Only programs check signatures. */ // spec 14.3
export const isSigned = (format: Format): boolean => format === "standard"

export const DigestPeriod = Schema.Literals(["immediate", "hourly", "daily", "weekly"])
export type DigestPeriod = typeof DigestPeriod.Type
/** The time that one digest covers. */
export type DigestSpan = Exclude<DigestPeriod, "immediate">

/** Maximum visitor webhooks per organization. */ // spec 2.20, 10.3
export const webhooksMax = 20

const Trigger = Schema.Literals([
  "first_match",
  "every_update",
  "company_seen",
  "page_viewed",
  "entered_segment",
  "left_segment",
])
export type Trigger = typeof Trigger.Type

/** Whether it sends who enters or leaves its segment. */ // spec 8.7
export const isAboutSegment = (trigger: Trigger): trigger is "entered_segment" | "left_segment" =>
  trigger === "entered_segment" || trigger === "left_segment"

/** Whose page views are sent. */
const Identified = Schema.Literals(["any", "identified", "anonymous"])

/** When someone who was sent is sent again. */ // spec 8.6.4
const Again = Schema.Literals(["every_session", "1h", "24h", "7d", "once"])
export type Again = typeof Again.Type

/** The fields that only some triggers have a use for. */
export const filterFields = [
  "path",
  "minSeconds",
  "segmentId",
  "listId",
  "identified",
  "again",
] as const
export type FilterField = (typeof filterFields)[number]

/** The longest time that a page can have to be visible. Units: seconds. */
const minSecondsMax = 600

const Status = Schema.Literals(["active", "inactive", "auto_disabled"])
export type WebhookStatus = typeof Status.Type

/** What a request may set. Only the server sets `auto_disabled`. */
const ChosenStatus = Schema.Literals(["active", "inactive"])

export class Webhook extends Schema.Opaque<Webhook>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    /** Null with the format `email`. */
    url: Schema.NullOr(Schema.String),
    /** Ids of members; null with other formats than `email`. */
    recipients: Schema.NullOr(Schema.Array(Schema.String)),
    trigger: Trigger,
    path: Schema.NullOr(Schema.String),
    minSeconds: Schema.NullOr(Schema.Int),
    segmentId: Schema.NullOr(Schema.String),
    listId: Schema.NullOr(Schema.String),
    identified: Schema.NullOr(Identified),
    again: Schema.NullOr(Again),
    pixelId: Schema.NullOr(Schema.String),
    /** Its pixel was deleted, so the webhook receives nothing until it gets another pixel. */
    pixelDeleted: Schema.Boolean,
    format: Format,
    digest: DigestPeriod,
    /** Hour of a daily or weekly digest, in the organization's time zone. */
    digestHour: Schema.NullOr(Schema.Int),
    /** Day of a weekly digest: 1 Monday to 7 Sunday. */
    digestDay: Schema.NullOr(Schema.Int),
    status: Status,
    /** Null if requests are not signed. */
    signingVersion: Schema.NullOr(Schema.Literal("v1")),
    timeoutMs: Schema.Int,
    stats: Schema.Struct({
      /** Finished events: `succeeded` and `failed`. Redelivery changes neither. */
      deliveries: Schema.Int,
      succeeded: Schema.Int,
      failed: Schema.Int,
      /** Percent, 2 decimals; null without deliveries. */
      successRate: Schema.NullOr(Schema.Finite),
      /** Events that failed since the last success. */
      consecutiveFailures: Schema.Int,
      lastDeliveredAt: Schema.NullOr(Schema.String),
      lastErrorAt: Schema.NullOr(Schema.String),
      lastErrorMessage: Schema.NullOr(Schema.String),
    }),
    /** The last attempt failed. */
    retrying: Schema.NullOr(
      Schema.Struct({
        /** Attempts that failed since the last success. */
        count: Schema.Int,
        errorMessage: Schema.NullOr(Schema.String),
        at: Schema.NullOr(Schema.String),
      }),
    ),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "VisitorWebhook" }),
) {}

const uuid = Schema.String.check(Schema.isUUID())
const fields = {
  name: described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 })),
  url: described(
    "The `https:` URL that receives the events, at most 2048 characters. Required, except with the format `email`, which has none.",
    Schema.Trim,
  ),
  recipients: described(
    "Ids of members who get the emails, 1 to 20. Required with the format `email`, and only with it.",
    Schema.Array(uuid).check(Schema.isMinLength(1), Schema.isMaxLength(recipientsMax)),
  ),
  trigger: described(
    "`first_match` sends each person once, `every_update` also sends every session and change. `company_seen` sends companies that visit. `page_viewed` sends whoever views a page, identified or not. `entered_segment` and `left_segment` send people, or companies, as they enter or leave the segment. Default `first_match`.",
    Trigger,
  ),
  path: described(
    "Send only views of pages under this path, such as `/pricing`. Null sends every page. Only with the trigger `page_viewed`.",
    Schema.NullOr(PathPrefix),
  ),
  minSeconds: described(
    "Send a page view only once the page was visible for this many seconds, 0 to 600. Default 0. Only with the trigger `page_viewed`.",
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: minSecondsMax }))),
  ),
  segmentId: described(
    "Send only visitors, or visits of companies, in this segment. Null sends all. `first_match` and `every_update` take a segment of people, `company_seen` one of companies, the others either. Required with `entered_segment` and `left_segment`.",
    Schema.NullOr(uuid),
  ),
  listId: described(
    "Send only people or companies in this list. Null sends all. Only with the triggers `page_viewed` and `company_seen`, which takes a list of companies.",
    Schema.NullOr(uuid),
  ),
  identified: described(
    "`identified` sends only people, `anonymous` only visits of companies by people who are not identified. Default `any`. Only with the trigger `page_viewed`.",
    Schema.NullOr(Identified),
  ),
  again: described(
    "When the same person or company is sent again: in `every_session`, after `1h`, `24h` or `7d`, or never (`once`). Default `every_session`, and `7d` with the trigger `company_seen`. Only with these two triggers.",
    Schema.NullOr(Again),
  ),
  pixelId: described(
    "Send only visitors or companies from this pixel's site. Null sends those of every pixel.",
    Schema.NullOr(uuid),
  ),
  format: described(
    "`standard` sends signed JSON; `slack`, `teams` and `discord` send a chat message to an incoming webhook; `email` sends emails to members. Default `standard`.",
    Format,
  ),
  digest: described(
    "How often messages are sent. Default `immediate`. Only `immediate` can be combined with the format `standard`.",
    DigestPeriod,
  ),
  digestHour: described(
    "Hour of a daily or weekly digest, 0 to 23, in the organization's time zone. Default 8. Null for other digests.",
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 23 }))),
  ),
  digestDay: described(
    "Day of a weekly digest, 1 (Monday) to 7 (Sunday). Default 1. Null for other digests.",
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))),
  ),
  timeoutMs: described(
    "Milliseconds to wait for a response. Default 10000.",
    Schema.Int.check(Schema.isBetween({ minimum: 1_000, maximum: 30_000 })),
  ),
  status: described(
    "Whether events are sent. Default `active`. Setting `active` also ends `auto_disabled`.",
    ChosenStatus,
  ),
}

/** Body of a create request. */ // spec 5.6
export class NewWebhook extends Schema.Opaque<NewWebhook>()(
  Schema.Struct({
    name: fields.name,
    url: Schema.optionalKey(fields.url),
    recipients: Schema.optionalKey(fields.recipients),
    trigger: Schema.optionalKey(fields.trigger),
    path: Schema.optionalKey(fields.path),
    minSeconds: Schema.optionalKey(fields.minSeconds),
    segmentId: Schema.optionalKey(fields.segmentId),
    listId: Schema.optionalKey(fields.listId),
    identified: Schema.optionalKey(fields.identified),
    again: Schema.optionalKey(fields.again),
    pixelId: Schema.optionalKey(fields.pixelId),
    format: Schema.optionalKey(fields.format),
    digest: Schema.optionalKey(fields.digest),
    digestHour: Schema.optionalKey(fields.digestHour),
    digestDay: Schema.optionalKey(fields.digestDay),
    timeoutMs: Schema.optionalKey(fields.timeoutMs),
    status: Schema.optionalKey(fields.status),
  }).annotate({ identifier: "NewVisitorWebhook" }),
) {}

/** Body of a preview request. */ // spec 5.6.11
export class WebhookTrial extends Schema.Opaque<WebhookTrial>()(
  Schema.Struct({
    ...NewWebhook.fields,
    name: Schema.optionalKey(fields.name),
    timeframe: described(
      "Try it on the sessions of this period. Default `30d`.",
      Schema.optionalKey(Schema.Literals(["24h", "7d", "30d"])),
    ),
  }).annotate({ identifier: "VisitorWebhookTrial" }),
) {}

/** Body of an update request. Omitted fields do not change. */ // spec 5.6
export class WebhookChange extends Schema.Opaque<WebhookChange>()(
  Schema.Struct({
    name: Schema.optionalKey(fields.name),
    url: Schema.optionalKey(fields.url),
    recipients: Schema.optionalKey(fields.recipients),
    trigger: Schema.optionalKey(fields.trigger),
    path: Schema.optionalKey(fields.path),
    minSeconds: Schema.optionalKey(fields.minSeconds),
    segmentId: Schema.optionalKey(fields.segmentId),
    listId: Schema.optionalKey(fields.listId),
    identified: Schema.optionalKey(fields.identified),
    again: Schema.optionalKey(fields.again),
    pixelId: Schema.optionalKey(fields.pixelId),
    format: Schema.optionalKey(fields.format),
    digest: Schema.optionalKey(fields.digest),
    digestHour: Schema.optionalKey(fields.digestHour),
    digestDay: Schema.optionalKey(fields.digestDay),
    timeoutMs: Schema.optionalKey(fields.timeoutMs),
    status: Schema.optionalKey(fields.status),
  }).annotate({ identifier: "VisitorWebhookChange" }),
) {}

/** How many hours the previous secret keeps signing after a rotation. */ // spec 5.6
export const graceHoursDefault = 24

/** Body of a secret rotation request. */
export const SecretRotation = Schema.Struct({
  graceHours: described(
    "Hours to keep signing with the old secret too. Default 24.",
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 72 }))),
  ),
}).annotate({ identifier: "SecretRotation" })

/** A percentage with 2 decimals, rounded half away from zero; null without deliveries. */ // spec 1.5
export const successRateOf = (succeeded: number, failed: number): number | null => {
  const deliveries = succeeded + failed
  return deliveries === 0 ? null : Math.round((succeeded * 10_000) / deliveries) / 100
}

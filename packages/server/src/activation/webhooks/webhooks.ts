// The visitor webhooks of an organization: at most 20, each with a secret that is shown on creation and stored
// encrypted (spec 2.20, 4.6, 5.6). Each change is one transaction with its audit entry. Triggers and sending are in the
// folders beside this file.
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isDeepStrictEqual } from "node:util"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import { seal } from "../../platform/secrets/sealing.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { Mail } from "../../platform/outbound/mail/mail.ts"
import { PrivateAddressesAllowed } from "../../platform/outbound/outbound.ts"
import type { UrlNotAllowed } from "../../platform/outbound/outbound-error.ts"
import { readOutboundUrl } from "../../platform/outbound/outbound-url.ts"
import { newWebhookSecret } from "../../platform/outbound/signing.ts"
import { type PixelNotFound, Pixels } from "../../collect/pixels/pixels.ts"
import { ListNotFound, Lists, ListUse } from "../../people/lists/lists.ts"
import type { RuleSubject } from "../../people/visitors/query/predicate.ts"
import { SegmentNotFound, WrongSegment } from "../../people/visitors/segments/segments.ts"
import { sealingOf } from "./signing-secrets.ts"
import { type WebhookContent, type WebhookKey, WebhookStore } from "./store.ts"
import type { Recipient } from "./unsubscribe/links.ts"
import {
  type DigestPeriod,
  type FilterField,
  filterFields,
  Format,
  isAboutSegment,
  graceHoursDefault,
  isSigned,
  type NewWebhook,
  type Trigger,
  type Webhook,
  type WebhookChange,
  webhooksMax,
} from "./webhook.ts"

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {}) {}

/** The organization has reached its limit of webhooks. */
export class WebhookLimitReached extends Schema.TaggedError<WebhookLimitReached>()(
  "WebhookLimitReached",
  { limit: Schema.Int },
) {}

/** A field has no use together with others. */ // spec 8.6.1, 14.4
export class FieldsRefused extends Schema.TaggedError<FieldsRefused>()("FieldsRefused", {
  field: Schema.Literals(["digest", "digestHour", "digestDay", ...filterFields]),
  message: Schema.String,
}) {}

/** The trigger is about a segment, and there is none. */ // spec 8.7
export class SegmentRequired extends Schema.TaggedError<SegmentRequired>()("SegmentRequired", {
  trigger: Schema.String,
}) {}

/** The list is of people, where the trigger sends companies. */
export class ListOfPeople extends Schema.TaggedError<ListOfPeople>()("ListOfPeople", {}) {}

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

/** The format is not signed. */
export class WebhookNotSigned extends Schema.TaggedError<WebhookNotSigned>()("WebhookNotSigned", {
  format: Schema.String,
}) {}

/** Includes the secret, which is shown only once. */
export interface RevealedWebhook {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted
}

/** The secret is null for a format that is not signed. */
export interface CreatedWebhook {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted | null
}

const timeoutMsDefault = 10_000
// In the organization's time zone. spec 14.4.
const digestHourDefault = 8
const digestDayDefault = 1

type DigestTime = Pick<WebhookContent, "digestDay" | "digestHour">

/** What says when a digest is sent. */
const digestTimes: Readonly<
  Record<DigestPeriod, { readonly hasHour: boolean; readonly hasDay: boolean }>
> = {
  immediate: { hasHour: false, hasDay: false },
  hourly: { hasHour: false, hasDay: false },
  daily: { hasHour: true, hasDay: false },
  weekly: { hasHour: true, hasDay: true },
}

/** What is wrong with where a webhook sends. */
type ReceiverError = MailNotConfigured | ReceiverRefused | RecipientsUnknown | UrlNotAllowed

interface WebhooksShape {
  /** Newest first. */
  list(organizationId: string): Effect.Effect<ReadonlyArray<Webhook>>
  /** Guarantee: never more than 20 per organization, however many requests arrive at once. */
  create(
    caller: Caller,
    webhook: NewWebhook,
  ): Effect.Effect<
    CreatedWebhook,
    | FieldsRefused
    | ListNotFound
    | ListOfPeople
    | PixelNotFound
    | ReceiverError
    | SegmentNotFound
    | SegmentRequired
    | WebhookLimitReached
    | WrongSegment
  >
  /** What the request would create, without creating it. It needs no name and nowhere to send. */
  trial(
    organizationId: string,
    webhook: Partial<NewWebhook>,
  ): Effect.Effect<
    WebhookContent,
    | FieldsRefused
    | ListNotFound
    | ListOfPeople
    | PixelNotFound
    | Exclude<ReceiverError, MailNotConfigured>
    | SegmentNotFound
    | SegmentRequired
    | WrongSegment
  >
  /** Fails with WebhookNotFound, also for another organization's webhook. */
  find(key: WebhookKey): Effect.Effect<Webhook, WebhookNotFound>
  /** Omitted fields do not change. Guarantee: concurrent changes to different fields are both kept. */
  change(
    caller: Caller,
    webhookId: string,
    change: WebhookChange,
  ): Effect.Effect<
    Webhook,
    | FieldsRefused
    | ListNotFound
    | ListOfPeople
    | PixelNotFound
    | ReceiverError
    | SegmentNotFound
    | SegmentRequired
    | WebhookNotFound
    | WrongSegment
  >
  /** Skips queued deliveries. Fails with WebhookNotFound, also on the second call. */
  delete(caller: Caller, webhookId: string): Effect.Effect<void, WebhookNotFound>
  /** Sends no more emails to the recipient. Does nothing if they get none. */
  unsubscribe(recipient: Recipient): Effect.Effect<void>
  /** Both secrets sign for `graceHours`, 0 to 72, default 24; after that only the new one signs. */
  rotateSecret(
    caller: Caller,
    webhookId: string,
    options: { readonly graceHours?: number },
  ): Effect.Effect<RevealedWebhook, WebhookNotFound | WebhookNotSigned>
}

const make = Effect.gen(function* () {
  const store = yield* WebhookStore
  const pixels = yield* Pixels
  const lists = yield* Lists
  const audit = yield* Audit
  const dataKeys = yield* DataKeys
  const random = yield* SecureRandom.SecureRandom
  const mail = yield* Mail
  const isPrivateAllowed = yield* PrivateAddressesAllowed

  /** Literal addresses are checked now; hostnames are resolved and checked on every attempt. spec 13. */
  const checkUrl = (url: string | null | undefined) =>
    url == null
      ? Effect.void
      : Effect.asVoid(
          Effect.fromResult(readOutboundUrl(url, { isPlainAllowed: false, isPrivateAllowed })),
        )

  /**
   * Runs in the transaction that stores the ids, before it locks a webhook, so that no one of them leaves in between.
   */
  const checkRecipients = Effect.fnUntraced(function* (
    organizationId: string,
    recipients: ReadonlyArray<string> | null | undefined,
  ) {
    if (recipients == null) return
    const members = yield* store.keepsMembers(organizationId, recipients)
    const places = recipients.flatMap((id, place) => (members.has(id.toLowerCase()) ? [] : [place]))
    if (places.length > 0) return yield* new RecipientsUnknown({ places })
  })

  const checkPixel = (organizationId: string, pixelId: string | null | undefined) =>
    pixelId == null ? Effect.void : Effect.asVoid(pixels.find({ organizationId, pixelId }))

  /** Runs in the transaction that stores the id, so that the segment cannot be deleted in between. */
  const checkSegment = Effect.fnUntraced(function* (
    organizationId: string,
    {
      identified,
      segmentId,
      trigger,
    }: Pick<WebhookContent, "identified" | "segmentId" | "trigger">,
  ) {
    if (segmentId === null) return
    const subject = yield* store.subjectOfSegment(organizationId, segmentId)
    if (subject === undefined) return yield* new SegmentNotFound()
    const wanted = segmentSubjectOf[trigger] ?? subject
    if (subject !== wanted) return yield* new WrongSegment({ wanted })
    if (subject === "people" && identified === "anonymous") {
      return yield* new FieldsRefused({
        field: "segmentId",
        message:
          "Expected a segment of companies or null with identified anonymous: a segment of people contains identified people.",
      })
    }
  })

  /** Runs in the transaction that stores the id, so that the list cannot be deleted in between. */
  const checkList = Effect.fnUntraced(function* (
    organizationId: string,
    { listId, trigger }: Pick<WebhookContent, "listId" | "trigger">,
  ) {
    if (listId === null) return
    const subject = (yield* lists.subjects(organizationId, [listId])).get(listId)
    if (subject === undefined) return yield* new ListNotFound()
    if (subject === "people" && trigger === "company_seen") return yield* new ListOfPeople()
  })

  const newSecret = Effect.fnUntraced(function* (key: WebhookKey) {
    const secret = yield* newWebhookSecret(random)
    return { secret, sealed: seal(dataKeys, sealingOf(key), Redacted.value(secret)) }
  })

  /** The hour and the day that the digest has a use for. */
  const digestTimeOf = Effect.fnUntraced(function* ({
    digest,
    digestDay,
    digestHour,
    format,
  }: Pick<WebhookContent, "digest" | "format"> & Partial<DigestTime>) {
    if (format === "standard" && digest !== "immediate") {
      return yield* new FieldsRefused({
        field: "digest",
        message: "Expected immediate with the format standard.",
      })
    }
    const { hasDay, hasHour } = digestTimes[digest]
    const unused =
      digestHour != null && !hasHour
        ? "digestHour"
        : digestDay != null && !hasDay
          ? "digestDay"
          : undefined
    if (unused !== undefined) {
      return yield* new FieldsRefused({
        field: unused,
        message: `Expected null with the digest ${digest}.`,
      })
    }
    return {
      digestHour: hasHour ? (digestHour ?? digestHourDefault) : null,
      digestDay: hasDay ? (digestDay ?? digestDayDefault) : null,
    }
  })

  /** With the defaults. Its segment, list and recipients are checked in the transaction that stores it. */
  const contentOf = Effect.fnUntraced(function* (organizationId: string, given: NewWebhook) {
    const { format = "standard", trigger = "first_match" } = given
    yield* checkUrl(given.url)
    yield* checkFilter(trigger, given)
    yield* checkPixel(organizationId, given.pixelId)
    const content: WebhookContent = {
      trigger,
      pixelId: null,
      format: "standard",
      digest: "immediate",
      timeoutMs: timeoutMsDefault,
      status: "active",
      ...given,
      ...(yield* receiverOf({ format, status: "active", ...given })),
      ...filterOf(trigger, given),
      ...(yield* digestTimeOf({ format: "standard", digest: "immediate", ...given })),
    }
    return content
  })

  const trial = Effect.fn("Webhooks.trial")(function* (
    organizationId: string,
    given: Partial<NewWebhook>,
  ) {
    const content = yield* contentOf(organizationId, { name: "", ...nowhere(given), ...given })
    yield* checkRecipients(organizationId, given.recipients)
    yield* checkSegment(organizationId, content)
    yield* checkList(organizationId, content)
    return content
  })

  const create = Effect.fn("Webhooks.create")(function* (caller: Caller, given: NewWebhook) {
    const { organizationId } = caller
    const content = yield* contentOf(organizationId, given)
    if (content.format === "email" && !mail.isConfigured) return yield* new MailNotConfigured()
    const key = { organizationId, webhookId: yield* random.uuidV4() }
    const { sealed, secret } = yield* newSecret(key)
    const creation = Effect.gen(function* () {
      yield* checkSegment(organizationId, content)
      yield* checkList(organizationId, content)
      if ((yield* store.countForCreation(organizationId)) >= webhooksMax) {
        return yield* new WebhookLimitReached({ limit: webhooksMax })
      }
      // After the organization: the removal of a member locks in this order too.
      yield* checkRecipients(organizationId, content.recipients)
      const webhook = yield* store.insert(key, content, { secret: sealed })
      yield* audit.record(caller, "webhook.created", webhook.id)
      // Any webhook may become one whose requests are signed; its secret is shown by a rotation then.
      return { webhook, secret: isSigned(webhook.format) ? secret : null }
    })
    return yield* store.transaction(creation)
  })

  const find = Effect.fn("Webhooks.find")(function* (key: WebhookKey) {
    return (yield* store.find(key)) ?? (yield* new WebhookNotFound())
  })

  const change = Effect.fn("Webhooks.change")(function* (
    caller: Caller,
    webhookId: string,
    given: WebhookChange,
  ) {
    const { organizationId } = caller
    const key = { organizationId, webhookId }
    yield* checkUrl(given.url)
    const update = Effect.gen(function* () {
      yield* checkRecipients(organizationId, given.recipients)
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new WebhookNotFound()
      const format = given.format ?? found.format
      // Another kind of receiver drops the former one.
      const isSameKind = (format === "email") === (found.format === "email")
      const receiver = yield* receiverOf({
        format,
        status: given.status ?? found.status,
        ...(isSameKind ? { url: found.url, recipients: found.recipients } : {}),
        ...given,
      })
      if (format === "email" && found.format !== "email" && !mail.isConfigured) {
        return yield* new MailNotConfigured()
      }
      const { trigger } = { ...found, ...given }
      // Another trigger drops what the former one was for, unless the request sets it. A segment says who is sent, so
      // it is never dropped unasked.
      const filter =
        trigger === found.trigger
          ? { ...found, ...given }
          : { segmentId: found.segmentId, ...given }
      yield* checkFilter(trigger, filter)
      yield* checkPixel(organizationId, given.pixelId)
      // Another digest drops the hour and the day that it has no use for, unless the request sets them.
      const { hasDay, hasHour } = digestTimes[given.digest ?? found.digest]
      const digestTime = yield* digestTimeOf({
        ...found,
        digestHour: hasHour ? found.digestHour : null,
        digestDay: hasDay ? found.digestDay : null,
        ...given,
      })
      const changed = {
        ...found,
        ...given,
        ...receiver,
        ...filterOf(trigger, filter),
        ...digestTime,
      }
      yield* checkSegment(organizationId, changed)
      if (changed.listId !== found.listId || trigger !== found.trigger) {
        yield* checkList(organizationId, changed)
      }
      if (isDeepStrictEqual(changed, found)) return found
      const updated = yield* store.update(key, changed)
      yield* audit.record(caller, "webhook.updated", webhookId)
      return updated
    })
    return yield* store.transaction(update)
  })

  const unsubscribe = Effect.fn("Webhooks.unsubscribe")(function* ({ userId, ...key }: Recipient) {
    yield* store.transaction(
      Effect.gen(function* () {
        if (!(yield* store.dropRecipient(key, userId))) return
        const actor = { type: "user" as const, id: userId }
        const { organizationId, webhookId } = key
        yield* audit.record({ organizationId, actor }, "webhook.unsubscribed", webhookId)
      }),
    )
  })

  const remove = Effect.fn("Webhooks.delete")(function* (caller: Caller, webhookId: string) {
    const { organizationId } = caller
    const removal = Effect.gen(function* () {
      if (!(yield* store.delete({ organizationId, webhookId }))) return yield* new WebhookNotFound()
      yield* audit.record(caller, "webhook.deleted", webhookId)
    })
    yield* store.transaction(removal)
  })

  const rotateSecret = Effect.fn("Webhooks.rotateSecret")(function* (
    caller: Caller,
    webhookId: string,
    { graceHours = graceHoursDefault }: { readonly graceHours?: number },
  ) {
    const key = { organizationId: caller.organizationId, webhookId }
    const { sealed, secret } = yield* newSecret(key)
    const rotation = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new WebhookNotFound()
      if (!isSigned(found.format)) return yield* new WebhookNotSigned({ format: found.format })
      const webhook = yield* store.rotateSecret(key, { secret: sealed, graceHours })
      yield* audit.record(caller, "webhook.secret_rotated", webhookId)
      return { webhook, secret }
    })
    return yield* store.transaction(rotation)
  })

  return {
    list: store.list,
    trial,
    create,
    find,
    change,
    unsubscribe,
    delete: remove,
    rotateSecret,
  } satisfies WebhooksShape
})

export class Webhooks extends Context.Service<Webhooks, WebhooksShape>()(
  "@footfall/server/webhooks/Webhooks",
) {
  static readonly layer = Layer.effect(Webhooks, make)

  /** Answers for the lists room. */
  static readonly listUse = Layer.effect(
    ListUse,
    Effect.map(WebhookStore, ({ usingList }) => ListUse.of({ webhooks: usingList })),
  )
}

/** The receiver that the format sends to, and null for the other kind. */
const receiverOf = Effect.fnUntraced(function* ({
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
const nowhere = ({ format }: Partial<NewWebhook>): Pick<NewWebhook, "recipients" | "url"> =>
  format === "email"
    ? { recipients: ["00000000-0000-0000-0000-000000000000"] }
    : { url: "https://preview.invalid/" }

type Filter = Partial<Pick<WebhookContent, FilterField>>

/** The fields that a trigger has a use for. */ // spec 8.6.1
const filterFieldsOf: Readonly<Record<Trigger, ReadonlyArray<FilterField>>> = {
  first_match: ["segmentId"],
  every_update: ["segmentId"],
  company_seen: ["segmentId", "listId", "again"],
  page_viewed: filterFields,
  entered_segment: ["segmentId"],
  left_segment: ["segmentId"],
}

/** What a trigger's segment contains; undefined: it takes either. */
const segmentSubjectOf: Readonly<Record<Trigger, RuleSubject | undefined>> = {
  first_match: "people",
  every_update: "people",
  company_seen: "companies",
  page_viewed: undefined,
  entered_segment: undefined,
  left_segment: undefined,
}

const checkFilter = (trigger: Trigger, filter: Filter) => {
  const unused = filterFields.find(
    (field) => filter[field] != null && !filterFieldsOf[trigger].includes(field),
  )
  if (unused !== undefined) {
    return new FieldsRefused({
      field: unused,
      message: `Expected null with the trigger ${trigger}.`,
    })
  }
  return isAboutSegment(trigger) && filter.segmentId == null
    ? new SegmentRequired({ trigger })
    : Effect.void
}

/** Every field, with its default if the trigger has a use for it. */
const filterOf = (trigger: Trigger, filter: Filter): Required<Filter> => {
  const value = <Field extends FilterField>(field: Field, otherwise: WebhookContent[Field]) =>
    filterFieldsOf[trigger].includes(field) ? (filter[field] ?? otherwise) : null
  return {
    path: value("path", null),
    minSeconds: value("minSeconds", 0),
    segmentId: value("segmentId", null),
    listId: value("listId", null),
    identified: value("identified", "any"),
    again: value("again", trigger === "company_seen" ? "7d" : "every_session"),
  }
}

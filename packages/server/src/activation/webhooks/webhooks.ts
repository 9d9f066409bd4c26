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
import { readOutboundUrl } from "../../platform/outbound/outbound-url.ts"
import { newWebhookSecret } from "../../platform/outbound/signing.ts"
import { type PixelNotFound, Pixels } from "../../collect/pixels/pixels.ts"
import { ListNotFound, Lists, ListUse } from "../../people/lists/lists.ts"
import { SegmentNotFound, WrongSegment } from "../../people/visitors/segments/segments.ts"
import { digestTimeOf, digestTimes } from "./digest-time.ts"
import {
  checkFilter,
  FieldsRefused,
  filterOf,
  segmentSubjectOf,
  type SegmentRequired,
} from "./filters.ts"
import {
  checkRecipients,
  MailNotConfigured,
  nowhere,
  type ReceiverError,
  receiverOf,
} from "./receivers.ts"
import { sealingOf } from "./signing-secrets.ts"
import { type WebhookContent, type WebhookKey, WebhookStore } from "./store.ts"
import type { Recipient } from "./unsubscribe/links.ts"
import {
  graceHoursDefault,
  isSigned,
  type NewWebhook,
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

/** The list is of people, where the trigger sends companies. */
export class ListOfPeople extends Schema.TaggedError<ListOfPeople>()("ListOfPeople", {}) {}

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
    yield* checkRecipients(store, organizationId, given.recipients)
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
      yield* checkRecipients(store, organizationId, content.recipients)
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
      yield* checkRecipients(store, organizationId, given.recipients)
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

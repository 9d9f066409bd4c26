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
import { PrivateAddressesAllowed } from "../../platform/outbound/outbound.ts"
import type { UrlNotAllowed } from "../../platform/outbound/outbound-error.ts"
import { readOutboundUrl } from "../../platform/outbound/outbound-url.ts"
import { newWebhookSecret } from "../../platform/outbound/signing.ts"
import { type PixelNotFound, Pixels } from "../../collect/pixels/pixels.ts"
import { SegmentNotFound, SegmentUse } from "../../people/visitors/segments/segments.ts"
import { sealingOf } from "./signing-secrets.ts"
import { type WebhookContent, type WebhookKey, WebhookStore } from "./store.ts"
import {
  graceHoursDefault,
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

/** Two fields cannot be combined. */ // spec 13.3.5, 14.4
export class FieldsRefused extends Schema.TaggedError<FieldsRefused>()("FieldsRefused", {
  field: Schema.Literals(["digest", "digestHour", "segmentId"]),
  message: Schema.String,
}) {}

/** Includes the secret, which is shown only once. */
export interface RevealedWebhook {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted
}

const timeoutMsDefault = 10_000
/** UTC. */ // spec 14.4
const digestHourDefault = 8

interface WebhooksShape {
  /** Newest first. */
  list(organizationId: string): Effect.Effect<ReadonlyArray<Webhook>>
  /** Guarantee: never more than 20 per organization, however many requests arrive at once. */
  create(
    caller: Caller,
    webhook: NewWebhook,
  ): Effect.Effect<
    RevealedWebhook,
    FieldsRefused | UrlNotAllowed | PixelNotFound | SegmentNotFound | WebhookLimitReached
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
    FieldsRefused | UrlNotAllowed | PixelNotFound | SegmentNotFound | WebhookNotFound
  >
  /** Skips queued deliveries. Fails with WebhookNotFound, also on the second call. */
  delete(caller: Caller, webhookId: string): Effect.Effect<void, WebhookNotFound>
  /** Both secrets sign for `graceHours`, 0 to 72, default 24; after that only the new one signs. */
  rotateSecret(
    caller: Caller,
    webhookId: string,
    options: { readonly graceHours?: number },
  ): Effect.Effect<RevealedWebhook, WebhookNotFound>
}

const make = Effect.gen(function* () {
  const store = yield* WebhookStore
  const pixels = yield* Pixels
  const audit = yield* Audit
  const dataKeys = yield* DataKeys
  const random = yield* SecureRandom.SecureRandom
  const isPrivateAllowed = yield* PrivateAddressesAllowed

  /** Literal addresses are checked now; hostnames are resolved and checked on every attempt. spec 13. */
  const checkUrl = (url: string | undefined) =>
    url === undefined
      ? Effect.void
      : Effect.asVoid(
          Effect.fromResult(readOutboundUrl(url, { isPlainAllowed: false, isPrivateAllowed })),
        )

  const checkPixel = (organizationId: string, pixelId: string | null | undefined) =>
    pixelId == null ? Effect.void : Effect.asVoid(pixels.find({ organizationId, pixelId }))

  /** Segments contain people, so a company is in none. */ // spec 13.3.5
  const checkTrigger = ({ segmentId, trigger }: Pick<NewWebhook, "segmentId" | "trigger">) =>
    trigger === "company_seen" && segmentId != null
      ? new FieldsRefused({
          field: "segmentId",
          message: "Expected null with the trigger company_seen.",
        })
      : Effect.void

  /** Runs in the transaction that stores the id, so that the segment cannot be deleted in between. */
  const checkSegment = Effect.fnUntraced(function* (
    organizationId: string,
    segmentId: string | null | undefined,
  ) {
    if (segmentId == null) return
    if (!(yield* store.keepsSegment(organizationId, segmentId))) return yield* new SegmentNotFound()
  })

  const newSecret = Effect.fnUntraced(function* (key: WebhookKey) {
    const secret = yield* newWebhookSecret(random)
    return { secret, sealed: seal(dataKeys, sealingOf(key), Redacted.value(secret)) }
  })

  const digestHourOf = Effect.fnUntraced(function* ({
    digest,
    digestHour,
    format,
  }: Pick<WebhookContent, "digest" | "format"> & { readonly digestHour?: number | null }) {
    if (format === "standard" && digest !== "immediate") {
      return yield* new FieldsRefused({
        field: "digest",
        message: "Expected immediate with the format standard.",
      })
    }
    if (digest === "daily") return digestHour ?? digestHourDefault
    if (digestHour == null) return null
    return yield* new FieldsRefused({
      field: "digestHour",
      message: `Expected null with the digest ${digest}.`,
    })
  })

  const create = Effect.fn("Webhooks.create")(function* (caller: Caller, given: NewWebhook) {
    const { organizationId } = caller
    yield* checkUrl(given.url)
    yield* checkTrigger(given)
    yield* checkPixel(organizationId, given.pixelId)
    const key = { organizationId, webhookId: yield* random.uuidV4() }
    const { sealed, secret } = yield* newSecret(key)
    const content: WebhookContent = {
      trigger: "first_match",
      segmentId: null,
      pixelId: null,
      format: "standard",
      digest: "immediate",
      timeoutMs: timeoutMsDefault,
      status: "active",
      ...given,
      digestHour: yield* digestHourOf({ format: "standard", digest: "immediate", ...given }),
    }
    const creation = Effect.gen(function* () {
      yield* checkSegment(organizationId, content.segmentId)
      if ((yield* store.countForCreation(organizationId)) >= webhooksMax) {
        return yield* new WebhookLimitReached({ limit: webhooksMax })
      }
      const webhook = yield* store.insert(key, content, { secret: sealed })
      yield* audit.record(caller, "webhook.created", webhook.id)
      return { webhook, secret }
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
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new WebhookNotFound()
      yield* checkTrigger({ ...found, ...given })
      yield* checkPixel(organizationId, given.pixelId)
      yield* checkSegment(organizationId, given.segmentId)
      // Leaving a daily digest drops its hour, unless the request sets one.
      const { digestHour: _, ...before } = found
      const isDaily = (given.digest ?? found.digest) === "daily"
      const digestHour = yield* digestHourOf({
        ...before,
        ...(isDaily ? { digestHour: found.digestHour } : {}),
        ...given,
      })
      const changed = { ...found, ...given, digestHour }
      if (isDeepStrictEqual(changed, found)) return found
      const updated = yield* store.update(key, changed)
      yield* audit.record(caller, "webhook.updated", webhookId)
      return updated
    })
    return yield* store.transaction(update)
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
      if ((yield* store.findForChange(key)) === undefined) return yield* new WebhookNotFound()
      const webhook = yield* store.rotateSecret(key, { secret: sealed, graceHours })
      yield* audit.record(caller, "webhook.secret_rotated", webhookId)
      return { webhook, secret }
    })
    return yield* store.transaction(rotation)
  })

  return {
    list: store.list,
    create,
    find,
    change,
    delete: remove,
    rotateSecret,
  } satisfies WebhooksShape
})

export class Webhooks extends Context.Service<Webhooks, WebhooksShape>()(
  "@footfall/server/webhooks/Webhooks",
) {
  static readonly layer = Layer.effect(Webhooks, make)

  /** Answers for the segments room, which does not import webhooks. */
  static readonly segmentUse = Layer.effect(
    SegmentUse,
    Effect.map(WebhookStore, ({ usingSegment }) => SegmentUse.of({ webhooks: usingSegment })),
  )
}

// Maps requests and responses to the visitor webhook services. Decides nothing except the page size.
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller, sitesOfCaller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { cursorRefused, hintIfEmpty, positionOf } from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { urlRefused } from "../../platform/outbound/url-refused.ts"
import type { DeliveryRecord } from "./delivery-record.ts"
import { type DeliveryQueued, WebhookHistory } from "./history/history.ts"
import type { DeliveryRow } from "./history/store.ts"
import type { QueryTooSlow } from "../../people/visitors/query/rule-turns.ts"
import { rulesBusy, wrongSegment } from "../../people/visitors/refusals.ts"
import { type NothingToTry, WebhookPreviews } from "./preview/preview.ts"
import { WebhookTests } from "./sending/test-call.ts"
import type { FieldsRefused, SegmentRequired } from "./filters.ts"
import type { ReceiverRefused, RecipientsUnknown } from "./receivers.ts"
import {
  type WebhookLimitReached,
  WebhookNotFound,
  type WebhookNotSigned,
  Webhooks,
} from "./webhooks.ts"
import { WebhooksApi } from "./api.ts"

/** Default number of deliveries per page. spec 1.6. */
const pageSize = 25

export const WebhooksHandlers = HttpApiBuilder.group(
  footfall.add(WebhooksApi),
  "webhooks",
  Effect.fn(function* (handlers) {
    const webhooks = yield* Webhooks
    const history = yield* WebhookHistory
    const tests = yield* WebhookTests
    const previews = yield* WebhookPreviews

    /** Fails with WebhookNotFound for a webhook of a site that the caller may not see. */
    const keyOf = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
      const caller = yield* Caller
      const sites = sitesOfCaller(caller)
      const key = { organizationId: caller.organizationId, webhookId: id, pixelIds: sites }
      if (sites !== undefined && !isOfSites(sites, yield* webhooks.find(key))) {
        return yield* new WebhookNotFound()
      }
      return key
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const caller = yield* Caller
        const sites = sitesOfCaller(caller)
        const all = (yield* webhooks.list(caller.organizationId)).filter(
          (webhook) => sites === undefined || isOfSites(sites, webhook),
        )
        return yield* success(all, { total: all.length, ...hintIfEmpty(all, "webhooks") })
      }),
      create: Effect.fnUntraced(
        function* ({ payload }) {
          const caller = yield* Caller
          yield* requireSite(sitesOfCaller(caller), payload.pixelId ?? null)
          const { secret, webhook } = yield* webhooks.create(caller, payload)
          const webhookSecret = secret === null ? null : Redacted.value(secret)
          return yield* success({ webhook, webhookSecret })
        },
        Effect.catchTags({
          FieldsRefused: fieldsRefused,
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
          ReceiverRefused: receiverRefused,
          RecipientsUnknown: recipientsUnknown,
          MailNotConfigured: mailNotConfigured,
          PixelNotFound: () => notFound,
          SegmentNotFound: () => notFound,
          WrongSegment: wrongSegment("/body/segmentId"),
          SegmentRequired: segmentRequired,
          ListNotFound: () => notFound,
          ListOfPeople: listOfPeople,
          WebhookLimitReached: limitReached,
        }),
      ),
      preview: Effect.fnUntraced(
        function* ({ payload }) {
          const caller = yield* Caller
          yield* requireSite(sitesOfCaller(caller), payload.pixelId ?? null)
          return yield* success(yield* previews.of(caller.organizationId, payload))
        },
        Effect.catchTags({
          FieldsRefused: fieldsRefused,
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
          ReceiverRefused: receiverRefused,
          RecipientsUnknown: recipientsUnknown,
          PixelNotFound: () => notFound,
          SegmentNotFound: () => notFound,
          WrongSegment: wrongSegment("/body/segmentId"),
          SegmentRequired: segmentRequired,
          ListNotFound: () => notFound,
          ListOfPeople: listOfPeople,
          NothingToTry: nothingToTry,
          QueryTooSlow: previewTooSlow,
          RulesBusy: rulesBusy,
        }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(yield* webhooks.find(yield* keyOf(params)))
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      update: Effect.fnUntraced(
        function* ({ params, payload }) {
          const caller = yield* Caller
          const { webhookId } = yield* keyOf(params)
          if (payload.pixelId !== undefined) {
            yield* requireSite(sitesOfCaller(caller), payload.pixelId)
          }
          return yield* success(yield* webhooks.change(caller, webhookId, payload))
        },
        Effect.catchTags({
          FieldsRefused: fieldsRefused,
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
          ReceiverRefused: receiverRefused,
          RecipientsUnknown: recipientsUnknown,
          MailNotConfigured: mailNotConfigured,
          PixelNotFound: () => notFound,
          SegmentNotFound: () => notFound,
          WrongSegment: wrongSegment("/body/segmentId"),
          SegmentRequired: segmentRequired,
          ListNotFound: () => notFound,
          ListOfPeople: listOfPeople,
          WebhookNotFound: () => notFound,
        }),
      ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          const { webhookId } = yield* keyOf(params)
          yield* webhooks.delete(yield* Caller, webhookId)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      rotateSecret: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { webhookId } = yield* keyOf(params)
          const rotated = yield* webhooks.rotateSecret(yield* Caller, webhookId, payload)
          return yield* success({
            webhook: rotated.webhook,
            webhookSecret: Redacted.value(rotated.secret),
          })
        },
        Effect.catchTags({ WebhookNotFound: () => notFound, WebhookNotSigned: notSigned }),
      ),
      test: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(yield* tests.send(yield* keyOf(params)))
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      deliveries: Effect.fnUntraced(
        function* ({ params, query }) {
          const { limit = pageSize, status, visitorHash } = query
          const key = yield* keyOf(params)
          const page = yield* history.list(
            key,
            { status, visitorHash },
            yield* positionOf(query),
            limit,
          )
          const { hasMore, nextCursor, offset, rows, total } = page
          // This count has no time limit, so it is never null.
          const data = { deliveries: rows.map(recordOf), total: total ?? 0 }
          return yield* success(data, {
            limit,
            offset,
            hasMore,
            nextCursor,
            ...(total === 0 ? hintIfEmpty(rows, "webhookDeliveries") : {}),
          })
        },
        Effect.catchTags({ CursorRefused: cursorRefused, WebhookNotFound: () => notFound }),
      ),
      delivery: Effect.fnUntraced(
        function* ({ params }) {
          const key = { ...(yield* keyOf(params)), deliveryId: params.deliveryId }
          const { payload, ...row } = yield* history.get(key)
          return yield* success({ ...recordOf(row), payload })
        },
        Effect.catchTags({
          WebhookNotFound: () => notFound,
          WebhookDeliveryNotFound: () => notFound,
        }),
      ),
      redeliver: Effect.fnUntraced(
        function* ({ params }) {
          const { webhookId } = yield* keyOf(params)
          const ids = { webhookId, deliveryId: params.deliveryId }
          const delivery = recordOf(yield* history.redeliver(yield* Caller, ids))
          return yield* success({ delivery })
        },
        Effect.catchTags({
          WebhookNotFound: () => notFound,
          WebhookDeliveryNotFound: () => notFound,
          PayloadGone: () => payloadGone,
          DeliveryQueued: stillQueued,
        }),
      ),
    })
  }),
)

const isOfSites = (
  sites: ReadonlyArray<string>,
  { pixelId }: { readonly pixelId: string | null },
): boolean => pixelId !== null && sites.includes(pixelId)

/** Fails unless a webhook is about a site that its caller may see. */
const requireSite = (sites: ReadonlyArray<string> | undefined, pixelId: string | null) => {
  if (sites === undefined) return Effect.void
  if (pixelId === null) return siteRequired
  return sites.includes(pixelId.toLowerCase()) ? Effect.void : notFound
}

const siteRequired = refuse({
  code: "VALIDATION_ERROR",
  message: "A webhook of a key with sites needs one of its sites.",
  details: {
    issues: [
      {
        path: "/body/pixelId",
        code: "required",
        message: "Expected the id of a pixel that the key is for, received none.",
      },
    ],
  },
})

const recordOf = ({ createdKey: _, hasPayload: __, ...record }: DeliveryRow): DeliveryRecord =>
  record

const fieldsRefused = ({ field, message }: FieldsRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message:
      field === "digest"
        ? "The digest cannot be combined with the webhook's format."
        : `The webhook has no use for ${field}.`,
    details: { issues: [{ path: `/body/${field}`, code: "mutually_exclusive", message }] },
  })

const segmentRequired = ({ trigger }: SegmentRequired) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `A webhook with the trigger ${trigger} needs a segment.`,
    details: {
      issues: [
        {
          path: "/body/segmentId",
          code: "required",
          message: "Expected the id of a segment, received none.",
        },
      ],
    },
  })

const nothingToTry = ({ trigger }: NothingToTry) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `The trigger ${trigger} cannot be previewed: who entered or left a segment in the past is not stored. Preview the segment, or send a test.`,
    details: {
      issues: [
        {
          path: "/body/trigger",
          code: "invalid_value",
          message: `Expected first_match, every_update, company_seen or page_viewed, received ${trigger}.`,
        },
      ],
    },
  })

const listOfPeople = () =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "A webhook with the trigger company_seen takes a list of companies.",
    details: {
      issues: [
        {
          path: "/body/listId",
          code: "invalid_value",
          message: "Expected a list with the subject companies, received one of people.",
        },
      ],
    },
  })

const receiverRefused = ({ code, field, format }: ReceiverRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message:
      code === "required"
        ? `A webhook with the format ${format} needs ${field}.`
        : `A webhook with the format ${format} has no use for ${field}.`,
    details: {
      issues: [
        {
          path: `/body/${field}`,
          code,
          message: code === "required" ? receiverWords[field] : `Expected no ${field}.`,
        },
      ],
    },
  })

const receiverWords = {
  url: "Expected an https: URL, received none.",
  recipients: "Expected the ids of 1 to 20 members, received none.",
}

/** The same for the member of another organization. */
const recipientsUnknown = ({ places }: RecipientsUnknown) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "Some recipients are no members of the organization.",
    details: {
      issues: places.map((place) => ({
        path: `/body/recipients/${place}`,
        code: "unknown_member",
        message: "Expected the id of a member who accepted their invitation, received another id.",
      })),
    },
  })

const mailNotConfigured = () =>
  refuse({
    code: "MAIL_NOT_CONFIGURED",
    message: "This server sends no email. Set SMTP_URL, or use another format.",
  })

const limitReached = ({ limit }: WebhookLimitReached) =>
  refuse({
    code: "CONFLICT",
    message: `This organization already has ${limit} visitor webhooks. Delete one first.`,
    details: { limit },
  })

const notSigned = ({ format }: WebhookNotSigned) =>
  refuse({
    code: "CONFLICT",
    message: `Requests in the format ${format} are not signed, so this webhook has no secret.`,
    details: { field: "format" },
  })

const previewTooSlow = ({ seconds }: QueryTooSlow) =>
  refuse({
    code: "QUERY_TOO_SLOW",
    message: `Reading the sessions took longer than ${seconds} seconds. Use a shorter timeframe or one pixel, then try again.`,
    details: { seconds },
  })

const payloadGone = refuse({
  code: "CONFLICT",
  message: "The payload of this delivery is no longer stored, so it cannot be sent again.",
  details: { field: "payload" },
})

const stillQueued = ({ status }: DeliveryQueued) =>
  refuse({
    code: "CONFLICT",
    message: "The delivery is still queued. Wait for its next attempt.",
    details: { status },
  })

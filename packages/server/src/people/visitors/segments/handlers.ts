// Maps requests and responses to the Segments service; decides nothing except the page size.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { Caller, sitesOfCaller } from "../../../access/caller.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse, usedBy } from "../../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../../platform/http/lists.ts"
import { invalidRuleRefused, queryTooSlow, rulesBusy } from "../refusals.ts"
import { visitorOf } from "../visitor.ts"
import { type Segment, SegmentsApi } from "./api.ts"
import { type SegmentInUse, Segments } from "./segments.ts"
import type { SegmentRow } from "./store.ts"

export const SegmentsHandlers = HttpApiBuilder.group(
  footfall.add(SegmentsApi),
  "segments",
  Effect.fn(function* (handlers) {
    const segments = yield* Segments

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const position = yield* positionOf(query)
          const limit = query.limit ?? pageSizeDefault
          const page = yield* segments.list(organizationId, position, limit)
          return yield* success(page.rows.map(segmentOf), listMetaOf(page, limit, "segments"))
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
      create: Effect.fnUntraced(
        function* ({ payload }) {
          const created = yield* segments.create(yield* Caller, payload)
          return yield* success(segmentOf(created))
        },
        Effect.catchTag("InvalidRule", invalidRuleRefused),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(segmentOf(yield* segments.find(organizationId, params.segmentId)))
        },
        Effect.catchTag("SegmentNotFound", () => notFound),
      ),
      update: Effect.fnUntraced(
        function* ({ params, payload }) {
          const changed = yield* segments.change(yield* Caller, params.segmentId, payload)
          return yield* success(segmentOf(changed))
        },
        Effect.catchTags({ SegmentNotFound: () => notFound, InvalidRule: invalidRuleRefused }),
      ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* segments.delete(yield* Caller, params.segmentId)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTags({ SegmentNotFound: () => notFound, SegmentInUse: inUse }),
      ),
      preview: Effect.fnUntraced(
        function* ({ payload }) {
          const caller = yield* Caller
          const trial = { ...payload, pixelIds: sitesOfCaller(caller) }
          const { companies, count, sample } = yield* segments.preview(caller.organizationId, trial)
          return yield* success({ count, sample: sample.map(visitorOf), companies })
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          InvalidRule: invalidRuleRefused,
          QueryTooSlow: queryTooSlow,
          RulesBusy: rulesBusy,
        }),
      ),
    })
  }),
)

const segmentOf = ({ createdKey: _, ...segment }: SegmentRow): Segment => segment

const inUse = ({ audienceIds, webhookIds }: SegmentInUse) =>
  refuse({
    code: "SEGMENT_IN_USE",
    message: `${usedBy([
      [audienceIds.length, "audience"],
      [webhookIds.length, "webhook"],
    ])} Change or delete them first.`,
    details: { audienceIds, webhookIds },
  })

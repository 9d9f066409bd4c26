// Maps requests and responses to the Inbound service; decides nothing.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { hintIfEmpty } from "../../platform/http/lists.ts"
import { InboundApi, type InboundWire } from "./api.ts"
import { inboundSourcesMax, recordsMax } from "./inbound-source.ts"
import { Inbound, type InboundFieldRefused } from "./inbound.ts"
import { type InboundRecord, RecordRejected } from "./record.ts"
import type { InboundRow } from "./store.ts"
import { readByMapping, recordsOf } from "./taking.ts"

export const InboundHandlers = HttpApiBuilder.group(
  footfall.add(InboundApi),
  "inbound",
  Effect.fn(function* (handlers) {
    const inbound = yield* Inbound

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        const all = yield* inbound.list(organizationId)
        return yield* success(all.map(wireOf), {
          total: all.length,
          ...hintIfEmpty(all, "inbound"),
        })
      }),
      create: Effect.fnUntraced(
        function* ({ payload }) {
          const created = yield* inbound.create(yield* Caller, payload)
          return yield* success({ inbound: wireOf(created.inbound), url: created.url })
        },
        Effect.catchTags({
          InboundFieldRefused: fieldRefused,
          InboundNotFound: Effect.die,
          PixelNotFound: () => notFound,
          TooManyInbound: () =>
            refuse({
              code: "CONFLICT",
              message: `An organization has at most ${inboundSourcesMax} inbound sources. Delete one first.`,
            }),
        }),
      ),
      test: Effect.fnUntraced(
        function* ({ payload }) {
          const { mapping = null, preset, sample } = payload
          yield* inbound.check(preset, { mapping })
          const source = { preset, mapping }
          const read = recordsOf(sample, source)
            .slice(0, recordsMax)
            .map((record) => readByMapping(record, source))
          return yield* success({
            records: read.flatMap((one) =>
              one instanceof RecordRejected ? [] : [shownRecord(one)],
            ),
            rejected: read.flatMap((one, index) =>
              one instanceof RecordRejected
                ? [{ index, reason: one.reason, message: one.message }]
                : [],
            ),
          })
        },
        Effect.catchTag("InboundFieldRefused", fieldRefused),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(wireOf(yield* inbound.find(organizationId, params.inboundId)))
        },
        Effect.catchTag("InboundNotFound", () => notFound),
      ),
      update: Effect.fnUntraced(
        function* ({ params, payload }) {
          const updated = yield* inbound.update(yield* Caller, params.inboundId, payload)
          return yield* success(wireOf(updated))
        },
        Effect.catchTags({
          InboundFieldRefused: fieldRefused,
          InboundNotFound: () => notFound,
          PixelNotFound: () => notFound,
        }),
      ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* inbound.delete(yield* Caller, params.inboundId)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("InboundNotFound", () => notFound),
      ),
      rotate: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { graceHours } = payload
          const rotated = yield* inbound.rotate(yield* Caller, params.inboundId, graceHours)
          return yield* success({ inbound: wireOf(rotated.inbound), url: rotated.url })
        },
        Effect.catchTag("InboundNotFound", () => notFound),
      ),
      history: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(yield* inbound.history(organizationId, params.inboundId))
        },
        Effect.catchTag("InboundNotFound", () => notFound),
      ),
      runAgain: Effect.fnUntraced(
        function* ({ params }) {
          const { inboundId, requestId } = params
          return yield* success(yield* inbound.runAgain(yield* Caller, inboundId, requestId))
        },
        Effect.catchTags({ InboundNotFound: () => notFound, RequestNotFound: () => notFound }),
      ),
    })
  }),
)

const wireOf = ({ createdKey: _key, ...source }: InboundRow): InboundWire => source

/** The fields under the names of a mapping. */
const shownRecord = ({ at, kind, traits, ...record }: InboundRecord) => {
  const { custom = {}, revenueRange, ...others } = traits
  const named = Object.entries(custom).map(([key, value]) => [`custom.${key}`, value] as const)
  return {
    kind,
    fields: {
      ...record,
      ...others,
      ...(revenueRange === undefined ? {} : { revenue: revenueRange }),
      ...(at === undefined ? {} : { at: DateTime.formatIso(DateTime.makeUnsafe(at)) }),
      ...Object.fromEntries(named),
    },
  }
}

const fieldRefused = ({ field, message }: InboundFieldRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message,
    details: { issues: [{ path: `/body/${field}`, code: "format", message }] },
  })

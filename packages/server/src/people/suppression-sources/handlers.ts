// Maps requests and responses to the Sources service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { hintIfEmpty } from "../../platform/http/lists.ts"
import { urlRefused } from "../../platform/outbound/url-refused.ts"
import { writesBusy } from "../suppression/handlers.ts"
import { type SuppressionSource, SuppressionSourcesApi } from "./api.ts"
import { sourcesMax } from "./source.ts"
import { type FieldRefused, Sources, type WrongStatus } from "./sources.ts"
import type { SourceRow } from "./store.ts"

export const SuppressionSourcesHandlers = HttpApiBuilder.group(
  footfall.add(SuppressionSourcesApi),
  "suppressionSources",
  Effect.fn(function* (handlers) {
    const sources = yield* Sources

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        const all = yield* sources.list(organizationId)
        const meta = { total: all.length, ...hintIfEmpty(all, "suppressionSources") }
        return yield* success(all.map(sourceOf), meta)
      }),
      create: Effect.fnUntraced(
        function* ({ payload }) {
          return yield* success(sourceOf(yield* sources.create(yield* Caller, payload)))
        },
        Effect.catchTags({
          FieldRefused: fieldRefused,
          ListNotFound: () => notFound,
          SourceAccountNotFound: () => notFound,
          SourceNotFound: Effect.die,
          TooManySources: tooMany,
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
        }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(sourceOf(yield* sources.find(organizationId, params.sourceId)))
        },
        Effect.catchTag("SourceNotFound", () => notFound),
      ),
      update: Effect.fnUntraced(
        function* ({ params, payload }) {
          const updated = yield* sources.update(yield* Caller, params.sourceId, payload)
          return yield* success(sourceOf(updated))
        },
        Effect.catchTags({
          FieldRefused: fieldRefused,
          ListNotFound: () => notFound,
          SourceAccountNotFound: () => notFound,
          SourceNotFound: () => notFound,
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
        }),
      ),
      delete: Effect.fnUntraced(
        function* ({ params, query }) {
          yield* sources.delete(yield* Caller, params.sourceId, query.rules ?? "remove")
          return yield* success({ deleted: true as const })
        },
        Effect.catchTags({ RuleWritesBusy: writesBusy, SourceNotFound: () => notFound }),
      ),
      sync: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(sourceOf(yield* sources.sync(yield* Caller, params.sourceId)))
        },
        Effect.catchTags({ SourceNotFound: () => notFound, WrongStatus: wrongStatus }),
      ),
      approve: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(sourceOf(yield* sources.approve(yield* Caller, params.sourceId)))
        },
        Effect.catchTags({ SourceNotFound: () => notFound, WrongStatus: wrongStatus }),
      ),
    })
  }),
)

const sourceOf = ({ createdKey: _key, ...source }: SourceRow): SuppressionSource => source

const tooMany = () =>
  refuse({
    code: "CONFLICT",
    message: `An organization has at most ${sourcesMax} suppression sources. Delete one first.`,
  })

const fieldRefused = ({ field, message }: FieldRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message,
    details: { issues: [{ path: `/body/${field}`, code: "format", message }] },
  })

const wrongStatus = ({ status }: WrongStatus) =>
  refuse({
    code: "CONFLICT",
    message:
      status === "paused"
        ? "The source is paused. Activate it first."
        : `The source is ${status}, so there is nothing to approve.`,
  })

// Maps requests and responses to the Erasure service; decides nothing.
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { requireScope } from "../../access/key-rights.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import { KeyedLists } from "../../platform/lists/keyed-lists.ts"
import { Erasure } from "./erasure.ts"
import { ArchivesApi, ErasureApi, ErasuresApi } from "./api.ts"
import type { ErasureReceipt } from "./receipt.ts"
import { type ReceiptRow, ReceiptStore } from "./receipt-store.ts"

const VisitorErasureHandlers = HttpApiBuilder.group(
  footfall.add(ErasureApi),
  "erasure",
  Effect.fn(function* (handlers) {
    const erasure = yield* Erasure
    return handlers.handleAll({
      erase: Effect.fnUntraced(
        function* ({ params, query }) {
          const { actor, key, organizationId } = yield* Caller
          // It adds rules.
          if (query.suppress === "true") yield* requireScope(key, "suppression:write")
          const receipt = yield* erasure.erase({
            organizationId,
            actor,
            emailHash: params.visitorId,
            suppress: query.suppress === "true",
          })
          return yield* success({ deleted: true as const, receipt })
        },
        Effect.catchTags({
          VisitorNotFound: () => notFound,
          ErasuresBusy: () => busy,
        }),
      ),
    })
  }),
)

const ReceiptHandlers = HttpApiBuilder.group(
  footfall.add(ErasuresApi),
  "erasures",
  Effect.fn(function* (handlers) {
    const receipts = yield* ReceiptStore
    const lists = yield* KeyedLists
    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const limit = query.limit ?? pageSizeDefault
          const position = yield* positionOf(query)
          const page = yield* lists.page(
            { organizationId, route: "GET /v1/data/erasures", filters: [], position, limit },
            receipts.list(organizationId),
          )
          return yield* success(page.rows.map(receiptOf), listMetaOf(page, limit, "erasures"))
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Caller
        const found = yield* receipts.find(organizationId, params.erasureId.toLowerCase())
        return found === undefined ? yield* notFound : yield* success(receiptOf(found))
      }),
    })
  }),
)

const ArchiveHandlers = HttpApiBuilder.group(
  footfall.add(ArchivesApi),
  "archives",
  Effect.fn(function* (handlers) {
    const erasure = yield* Erasure
    return handlers.handle(
      "get",
      Effect.fnUntraced(
        function* ({ params }) {
          const { actor, organizationId } = yield* Caller
          const file = yield* erasure.archive({
            organizationId,
            actor,
            emailHash: params.visitorId,
          })
          return HttpServerResponse.uint8Array(file, {
            contentType: "application/zip",
            headers: {
              "content-disposition": `attachment; filename="person.zip"`,
              "cache-control": "no-store",
            },
          })
        },
        Effect.catchTags({ VisitorNotFound: () => notFound, ErasuresBusy: () => busy }),
      ),
    )
  }),
)

export const ErasureHandlers = Layer.mergeAll(
  VisitorErasureHandlers,
  ReceiptHandlers,
  ArchiveHandlers,
)

const busy = refuse({
  code: "SERVICE_UNAVAILABLE",
  message: "Other erasures or archives are in progress. Try again in a moment.",
})

const receiptOf = ({ createdKey: _, ...receipt }: ReceiptRow): ErasureReceipt => receipt

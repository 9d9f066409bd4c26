// Maps requests and responses to the Exports service; decides nothing.
import { Clock, DateTime, Effect, Stream } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { seedOfAnswer } from "../../../access/repeats/repeats.ts"
import { Caller } from "../../../access/caller.ts"
import { MaxStaleness } from "../../../platform/database/replica.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { cursorRefused, listMetaOf, positionOf } from "../../../platform/http/lists.ts"
import type { RunNotCompleted } from "../results/results.ts"
import type { RunKey } from "../run.ts"
import { contentTypes, type Export, type ExportType } from "./export.ts"
import { DownloadPlaces } from "./download-places.ts"
import { Exports } from "./exports.ts"
import { ExportLinks, linkLifetimeSeconds } from "./links.ts"
import type { ExportRow } from "./store.ts"
import { ExportDownloadsApi, ExportsApi } from "./api.ts"

/** spec 1.6. */
const pageSizeDefault = 25

export const ExportsHandlers = HttpApiBuilder.group(
  footfall.add(ExportsApi),
  "exports",
  Effect.fn(function* (handlers) {
    const exports = yield* Exports
    const links = yield* ExportLinks
    const places = yield* DownloadPlaces

    const keyOf = Effect.fnUntraced(function* (params: {
      readonly id: string
      readonly runId: string
    }) {
      const { organizationId } = yield* Caller
      return { organizationId, audienceId: params.id, runId: params.runId }
    })

    const withLink = Effect.fnUntraced(function* (row: ExportRow) {
      const link = row.status === "completed" ? yield* links.make(row.id) : undefined
      return {
        export: wireOf(row),
        downloadUrl: link?.url ?? null,
        downloadUrlExpiresAt: link === undefined ? null : DateTime.formatIso(link.expiresAt),
        downloadUrlTtlSeconds: link === undefined ? null : linkLifetimeSeconds,
      }
    })

    const readHere = Effect.fnUntraced(function* <E>(
      { organizationId }: RunKey,
      bytes: Stream.Stream<Uint8Array, E>,
    ) {
      const within = Stream.provideService(bytes, MaxStaleness, yield* MaxStaleness)
      return yield* inPlace(places, organizationId, within)
    })

    return handlers.handleAll({
      csv: Effect.fnUntraced(
        function* ({ params, query }) {
          const keepsFormulas = query.raw === "true"
          const key = yield* keyOf(params)
          const { bytes, fileName } = yield* exports.stream(key, "csv", { keepsFormulas })
          return attachment("csv", yield* readHere(key, bytes), fileName)
        },
        Effect.catchTags({
          RunNotFound: () => notFound,
          RunNotCompleted: runNotCompleted,
          NoDownloadPlace: () => noPlace,
        }),
      ),
      // Its columns are compressed already.
      parquet: Effect.fnUntraced(
        function* ({ params }) {
          const key = yield* keyOf(params)
          const { bytes, fileName } = yield* exports.stream(key, "parquet", { keepsFormulas: true })
          return attachment("parquet", yield* readHere(key, bytes), fileName)
        },
        Effect.catchTags({
          RunNotFound: () => notFound,
          RunNotCompleted: runNotCompleted,
          NoDownloadPlace: () => noPlace,
        }),
      ),
      ads: Effect.fnUntraced(
        function* ({ params, query }) {
          const key = yield* keyOf(params)
          const { bytes, fileName } = yield* exports.streamForAds(key, query.format)
          return attachment("csv", yield* readHere(key, bytes), fileName)
        },
        Effect.catchTags({
          RunNotFound: () => notFound,
          RunNotCompleted: runNotCompleted,
          NoDownloadPlace: () => noPlace,
        }),
      ),
      create: Effect.fnUntraced(
        function* ({ params, payload }) {
          // A repeat gets the export as it is then, because the run has one of each type.
          yield* seedOfAnswer
          const type = payload.exportType ?? "csv"
          const requested = yield* exports.request(yield* Caller, yield* keyOf(params), type)
          const answer = yield* success(yield* withLink(requested.export))
          // All three have the same body, so the status is set here.
          const reused = requested.export.status === "processing" ? 202 : 200
          return HttpServerResponse.jsonUnsafe(answer, { status: requested.isNew ? 201 : reused })
        },
        Effect.catchTags({ RunNotFound: () => notFound, RunNotCompleted: runNotCompleted }),
      ),
      list: Effect.fnUntraced(
        function* ({ params, query }) {
          const limit = query.limit ?? pageSizeDefault
          const position = yield* positionOf(query)
          const page = yield* exports.list(yield* keyOf(params), position, limit)
          return yield* success(page.rows.map(wireOf), listMetaOf(page, limit, "exports"))
        },
        Effect.catchTags({ RunNotFound: () => notFound, CursorRefused: cursorRefused }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const found = yield* exports.find(yield* keyOf(params), params.exportId)
          return yield* success(yield* withLink(found))
        },
        Effect.catchTags({ RunNotFound: () => notFound, ExportNotFound: () => notFound }),
      ),
    })
  }),
)

export const ExportDownloadsHandlers = HttpApiBuilder.group(
  footfall.add(ExportDownloadsApi),
  "exportDownloads",
  Effect.fn(function* (handlers) {
    const exports = yield* Exports
    const places = yield* DownloadPlaces
    return handlers.handleAll({
      download: ({ params, query }) =>
        Effect.gen(function* () {
          const { bytes, export: file } = yield* exports.download({
            exportId: params.exportId,
            expires: query.expires,
            signature: query.signature,
          })
          const read = yield* inPlace(places, file.organizationId, bytes)
          return attachment(file.exportType, read, file.fileName, {
            "content-length": String(file.byteSize),
          })
        }).pipe(
          Effect.catchTags({
            LinkRefused: ({ reason }) =>
              refuse({
                code: "LINK_EXPIRED",
                message:
                  reason === "expired"
                    ? "The link has expired. Get the export again for a new link."
                    : "Expected the link exactly as the server returned it, with expires and signature.",
                details: { reason },
              }),
            ExportNotFound: () => notFound,
            NoDownloadPlace: () => noPlace,
            ExportFilesBusy: () => noPlace,
            ExportFileUnavailable: () =>
              refuse({
                code: "SERVICE_UNAVAILABLE",
                message: "The file is not available right now. Try again in a moment.",
              }),
          }),
        ),
    })
  }),
)

/** The bytes, for as long as the reader keeps its place. */
const inPlace = Effect.fnUntraced(function* <E>(
  places: DownloadPlaces["Service"],
  organizationId: string,
  bytes: Stream.Stream<Uint8Array, E>,
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  // A reader that takes nothing never notices that the bytes end. Embedded requests may have no socket.
  const { socket } = request.source as { readonly socket?: { readonly destroy: () => void } }
  const cut = () => socket?.destroy()
  const place = yield* places.take(organizationId, cut)
  return Stream.tap(bytes, ({ length }) =>
    Effect.map(Clock.currentTimeMillis, (now) => place.note(length, now)),
  )
})

const noPlaceSeconds = 5

const noPlace = Effect.andThen(
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(noPlaceSeconds))),
  ),
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many exports are being downloaded. Try again in a moment.",
  }),
)

/** Never cached and never sniffed: it is a list of people. `fileName` contains nothing that needs quoting. */
const attachment = (
  type: ExportType,
  bytes: Stream.Stream<Uint8Array, unknown>,
  fileName: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  HttpServerResponse.stream(bytes, {
    contentType: contentTypes[type],
    headers: {
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
      ...headers,
    },
  })

const runNotCompleted = ({ status }: RunNotCompleted) =>
  refuse({
    code: "RUN_NOT_COMPLETED",
    message: `The run is ${status}. Wait until it is completed.`,
    details: { status },
  })

const wireOf = ({ createdKey: _, ...row }: ExportRow): Export => ({
  ...row,
  contentType: contentTypes[row.exportType],
})

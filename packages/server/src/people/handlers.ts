// Translates between the wire and the Imports service; decides nothing.
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../http/contract.ts"
import { Caller } from "../access/caller.ts"
import { success } from "../http/envelope.ts"
import { refuse } from "../http/errors.ts"
import { allowLongBody } from "../http/long-bodies.ts"
import type { ImportFormat } from "./import/import-format.ts"
import { ImportKinds } from "./import/import-kind.ts"
import { bodyBytesPerSecondMin, paced } from "./import/body-pace.ts"
import { type ImportProgress, Imports } from "./import/imports.ts"
import type { ImportsBusy } from "./import/import-places.ts"
import { ImportsApi } from "./api.ts"

export const ImportsHandlers = HttpApiBuilder.group(
  footfall.add(ImportsApi),
  "imports",
  Effect.fn(function* (handlers) {
    const imports = yield* Imports
    const kinds = yield* ImportKinds
    return handlers.handleRaw(
      "run",
      Effect.fnUntraced(function* ({ params, query, request }) {
        const { actor, organizationId } = yield* Caller
        const kind = kinds[params.kind]
        const isShared = query.shared === "true"
        const isForAll = isShared || kind.sharing === "always"
        if (isForAll && !(yield* Effect.orDie(imports.mayShare(organizationId)))) {
          return yield* operatorOnly // Before what is wrong with the request. spec 1.4.
        }
        const format = yield* formatOf(request)
        allowLongBody(request.source)
        let progress: ImportProgress = { received: 0, committed: { inserted: 0, updated: 0 } }
        const result = yield* imports
          .run({
            kind,
            format,
            input: paced(request.stream),
            organizationId,
            isShared,
            actor,
            onProgress: (present) => {
              progress = present
            },
          })
          .pipe(
            Effect.catchTags({
              OperatorOnly: () => operatorOnly,
              ImportRefused: ({ message }) => unreadable(message),
              BodySlow: () =>
                tooSlow(
                  progress,
                  `The body came at less than ${bodyBytesPerSecondMin} bytes a second for 30 seconds.`,
                ),
              PlaceLost: () =>
                tooSlow(progress, "The body came slowly, and other imports waited for it."),
              ImportsBusy: busy,
              HttpServerError: () => unreadable("The body broke off; what was read is imported."),
              // A database that is away, or broken: the answer is the same for every endpoint.
              SqlError: Effect.die,
            }),
          )
        return yield* success({ kind: params.kind, ...result })
      }),
    )
  }),
)

/** What was read is kept, and the answer says what became of it; nothing more is read. */
const tooSlow = ({ committed, received }: ImportProgress, message: string) =>
  Effect.andThen(
    closeConnection,
    refuse({
      code: "REQUEST_TIMEOUT",
      message: `${message} What was imported so far stays; send the file again for the rest.`,
      details: { received, ...committed },
    }),
  )

const busy = ({ reason }: ImportsBusy) =>
  Effect.andThen(
    Effect.andThen(closeConnection, retryAfter(busyRetrySeconds)),
    refuse({
      code: "SERVICE_UNAVAILABLE",
      message:
        reason === "organization"
          ? "Another import of the organization is under way; try again when it has ended."
          : "Too many imports are under way; try again soon.",
    }),
  )

/** Our bound. */
const busyRetrySeconds = 10

/** The rest of a body that is not read would be taken for the next request. */
const closeConnection = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close")),
)

const retryAfter = (seconds: number) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds))),
  )

const operatorOnly = refuse({
  code: "FORBIDDEN",
  message: "Only the operator organization imports for all organizations.",
  details: { required: "operator" },
})

const unreadable = (message: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message,
    details: { issues: [{ path: "/body", code: "format", message }] },
  })

const formats: ReadonlyMap<string, ImportFormat> = new Map(
  Object.entries({
    "application/x-ndjson": "ndjson",
    "text/csv": "csv",
  }),
)

const formatOf = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
  const type = headers["content-type"] ?? ""
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity"
  const match = /^([^;\s]+)\s*(?:;\s*(?:charset="?utf-8"?|header=present)\s*)*$/i.exec(type)
  const format = formats.get(match?.[1]?.toLowerCase() ?? "")
  if (format !== undefined && encoding === "identity") return format
  return yield* refuse({
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "Expected application/x-ndjson or text/csv in UTF-8, without Content-Encoding.",
    details: { allowed: [...formats.keys()] },
  })
})

// Maps requests and responses to the Imports service; decides nothing.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { refuse } from "../../platform/http/errors.ts"
import { allowLongBody } from "../../platform/http/parser-errors.ts"
import { ImportsApi } from "./api.ts"
import { bodyBytesPerSecondMin, busy, closeConnection, paced } from "./body.ts"
import type { ImportFormat } from "./import-format.ts"
import { ImportKinds } from "./import-kind.ts"
import { type ImportProgress, Imports } from "./imports.ts"

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
          return yield* operatorOnly // checked before the request's own errors. spec 1.4
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
                  `The body arrived at less than ${bodyBytesPerSecondMin} bytes per second for 30 seconds.`,
                ),
              PlaceLost: () =>
                tooSlow(progress, "The body arrived slowly while other imports were waiting."),
              ImportsBusy: busy,
              HttpServerError: () =>
                unreadable("The body ended early. The rows read so far are imported."),
              // An unreachable or broken database gets the same response on every endpoint.
              SqlError: Effect.die,
            }),
          )
        return yield* success({ kind: params.kind, ...result })
      }),
    )
  }),
)

/** Stops reading. The response reports how many of the rows read so far were imported. */
const tooSlow = ({ committed, received }: ImportProgress, message: string) =>
  Effect.andThen(
    closeConnection,
    refuse({
      code: "REQUEST_TIMEOUT",
      message: `${message} Rows imported so far are kept. Send the file again to import the rest.`,
      details: { received, ...committed },
    }),
  )

const operatorOnly = refuse({
  code: "FORBIDDEN",
  message: "Only the operator organization can import data for every organization.",
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

export const formatOf = Effect.fnUntraced(function* ({
  headers,
}: HttpServerRequest.HttpServerRequest) {
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

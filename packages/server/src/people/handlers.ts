// Translates between the wire and the Imports service; decides nothing.
import { Effect, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api.ts"
import { Caller } from "../access/caller.ts"
import { success } from "../http/envelope.ts"
import { refuse } from "../http/errors.ts"
import { allowLongBody } from "../http/long-bodies.ts"
import type { ImportFormat } from "./import/import-format.ts"
import { ImportKinds } from "./import/import-kind.ts"
import { Imports } from "./import/imports.ts"

/** A body that is silent for this long is over. decisions.md 5.14. */
const silenceMax = "30 seconds"

class BodySilent extends Schema.TaggedError<BodySilent>()("BodySilent", {}) {}

export const ImportsHandlers = HttpApiBuilder.group(
  Api,
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
          return yield* operatorOnly // Before what is wrong with the request. decisions.md 1.4.
        }
        const format = yield* formatOf(request)
        allowLongBody(request.source)
        const result = yield* imports
          .run({
            kind,
            format,
            input: Stream.timeoutOrElse(request.stream, {
              duration: silenceMax,
              orElse: () => Stream.fail(new BodySilent()),
            }),
            organizationId,
            isShared,
            actor,
          })
          .pipe(
            Effect.catchTags({
              OperatorOnly: () => operatorOnly,
              ImportRefused: ({ message }) => unreadable(message),
              BodySilent: () =>
                refuse({
                  code: "REQUEST_TIMEOUT",
                  message: "The body was silent for 30 seconds; what was read is imported.",
                }),
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

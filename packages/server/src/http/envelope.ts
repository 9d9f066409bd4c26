// The envelope of every answer: `{data, meta}` on success, `{error, meta}` on failure, with
// `timestamp` and `request_id` always in `meta` (spec 1.3).
import { DateTime, Effect, Schema } from "effect"
import { RequestContext } from "./request-context.ts"

/** The members of `meta` that every JSON answer may have; lists add their pagination. */
export const metaFields = {
  timestamp: Schema.String,
  request_id: Schema.String,
  /** Of an empty list alone. */ // spec 1.6.12
  hint: Schema.optionalKey(Schema.String).annotateKey({
    description: "Of an empty list: where its rows come from, and what brings them.",
  }),
}

export class Meta extends Schema.Opaque<Meta>()(
  Schema.Struct(metaFields).annotate({ identifier: "Meta" }),
) {}

/** `meta` of the request being answered. */
export const currentMeta: Effect.Effect<Meta> = Effect.gen(function* () {
  const { id } = yield* RequestContext
  return { timestamp: DateTime.formatIso(yield* DateTime.now), request_id: id }
})

/** Wraps the result of a handler; `more` holds the pagination of a list. */
export const success = <A, M extends object = {}>(data: A, more?: M) =>
  // Without `more` M is {}, and spreading undefined adds nothing.
  Effect.map(currentMeta, (meta) => ({ data, meta: { ...(more as M), ...meta } }))

// The envelope of every response: `{data, meta}` on success, `{error, meta}` on failure. `meta` always has `timestamp`
// and `request_id` (spec 1.3).
import { DateTime, Effect, Schema } from "effect"
import { RequestContext } from "./request-context.ts"

/** The `meta` fields of every JSON response; lists add their pagination. */
export const metaFields = {
  timestamp: Schema.String,
  request_id: Schema.String,
  /** Only on empty lists. */ // spec 1.6.12
  hint: Schema.optionalKey(Schema.String).annotateKey({
    description: "For an empty list: where its rows come from, and how to get some.",
  }),
}

export class Meta extends Schema.Opaque<Meta>()(
  Schema.Struct(metaFields).annotate({ identifier: "Meta" }),
) {}

/** `meta` of the current request. */
export const currentMeta: Effect.Effect<Meta> = Effect.gen(function* () {
  const { id } = yield* RequestContext
  return { timestamp: DateTime.formatIso(yield* DateTime.now), request_id: id }
})

/** Wraps a handler's result; `more` is a list's pagination. */
export const success = <A, M extends object = {}>(data: A, more?: M) =>
  // Without `more` M is {}, and spreading undefined adds nothing.
  Effect.map(currentMeta, (meta) => ({ data, meta: { ...(more as M), ...meta } }))

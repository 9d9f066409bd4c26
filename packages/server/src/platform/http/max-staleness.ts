// The header by which a request limits the age of a response from a replica (spec 18.5.5).
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { MaxStaleness } from "../database/replica.ts"

const name = "footfall-max-staleness"

/** 0 to 3600, without leading zeros. */
const form = /^(?:0|[1-9]\d{0,2}|[12]\d{3}|3[0-5]\d{2}|3600)$/

/** For every operation that a replica may answer. */
export const stalenessHeaders = {
  [name]: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(form, {
        issueCode: "format",
        expected: "a number of seconds from 0 to 3600",
      }),
    ),
  ),
}

/**
 * Runs a handler within its request's limit. Operations without one reject the header by their schema, or ignore it.
 */
export const withinStaleness = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const seconds = headers[name]
    return seconds !== undefined && form.test(seconds)
      ? Effect.provideService(handler, MaxStaleness, Number(seconds))
      : handler
  })

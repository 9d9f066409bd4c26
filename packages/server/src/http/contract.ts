// The empty contract: a room adds its own group to it and implements that, api.ts adds every group.
import { HttpApi } from "effect/http-api"

/** Refuses a parameter that the operation does not know: in every body, and in a query of the Data API. */ // spec 1.4
export const strict = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/** Ignores one: in the query of every other API. */
export const lenient = { ...strict, onExcessProperty: "ignore" } as const

export const footfall = HttpApi.make("footfall")
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.ParamsParseOptions, strict)

// The empty API contract. Each room adds its own group and implements it; api.ts adds every group.
import { HttpApi } from "effect/http-api"

/** Rejects unknown parameters: in every body, and in queries of the Data API. */ // spec 1.4
export const strict = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/** Ignores unknown parameters; for the queries of all other APIs. */
export const lenient = { ...strict, onExcessProperty: "ignore" } as const

export const footfall = HttpApi.make("footfall")
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.ParamsParseOptions, strict)

// The empty contract: a room adds its own group to it and implements that, api.ts adds every group.
import { HttpApi } from "effect/http-api"
import { strict } from "./unknown-parameters.ts"

export const footfall = HttpApi.make("footfall")
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.ParamsParseOptions, strict)

// The wire contract of pixels (service.md, Pixel; decisions.md 5.2).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiKeyAuthentication, OrganizationActive } from "../access/authentication.ts"
import { Meta } from "../http/envelope.ts"
import { noParameters } from "../http/no-parameters.ts"
import { RateLimit, RateLimited } from "../http/rate-limit.ts"
import { RequestErrors } from "../http/request-errors.ts"
import { Pixel } from "./pixel.ts"

export class PixelsApi extends HttpApiGroup.make("pixels")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/pixels", {
      query: noParameters,
      success: Schema.Struct({ data: Schema.Array(Pixel), meta: Meta }).annotate({
        identifier: "PixelList",
      }),
    }).annotate(OpenApi.Summary, "List the pixels of the organization, newest first"),
  )
  .annotate(RateLimited, { name: "pixels", limit: 60 })
  .middleware(RequestErrors)
  .middleware(OrganizationActive)
  .middleware(RateLimit)
  .middleware(ApiKeyAuthentication) {}

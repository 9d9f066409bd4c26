// The credentials of the typed client that Effect derives from the contract: which header each endpoint gets. Where a
// key is accepted, it gets the key, which does not expire within the hour; elsewhere the token.
import { Layer, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import {
  ApiKeyAuthentication,
  BearerAuthentication,
  EitherAuthentication,
} from "./authentication.ts"

export interface ClientCredentialsOptions {
  readonly apiKey?: Redacted.Redacted | undefined
  readonly accessToken?: Redacted.Redacted | undefined
}

/** What HttpApiClient requires. An endpoint that accepts neither returns 401. */
export const clientCredentials = ({ accessToken, apiKey }: ClientCredentialsOptions) => {
  const keyed = (request: HttpClientRequest.HttpClientRequest) =>
    apiKey === undefined
      ? request
      : HttpClientRequest.setHeader(request, "x-api-key", Redacted.value(apiKey))
  const tokened = (request: HttpClientRequest.HttpClientRequest) =>
    accessToken === undefined
      ? request
      : HttpClientRequest.bearerToken(request, Redacted.value(accessToken))
  const either = apiKey === undefined ? tokened : keyed
  return Layer.mergeAll(
    HttpApiMiddleware.layerClient(ApiKeyAuthentication, ({ next, request }) =>
      next(keyed(request)),
    ),
    HttpApiMiddleware.layerClient(BearerAuthentication, ({ next, request }) =>
      next(tokened(request)),
    ),
    HttpApiMiddleware.layerClient(EitherAuthentication, ({ next, request }) =>
      next(either(request)),
    ),
  )
}

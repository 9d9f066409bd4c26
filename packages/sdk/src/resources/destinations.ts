// The destinations of an audience. Source: spec 5.10.

import type { ApiRequest } from "../core/api-request.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type { Destination } from "./destination.ts"
import type {
  DestinationCreateParams,
  DestinationTest,
  DestinationTestParams,
  DestinationUpdateParams,
  DestinationWithSecret,
  SecretRotateParams,
} from "./destination-params.ts"

/**
 * `footfall.destinations`. Takes an API key or an access token, `rotateSecret` an access token; a viewer's
 * token reads only.
 */
export class Destinations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every destination of an audience, newest first; 20 at most. Errors: NotFoundError. */
  async list(
    audienceId: string,
    options: RequestOptions = {},
  ): Promise<ReadonlyArray<Destination>> {
    const { destinations } = await this.#transport.requestData<{
      readonly destinations: ReadonlyArray<Destination>
    }>({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/destinations`,
      credentials: "either",
      options,
    })
    return destinations
  }

  /**
   * Makes a draft; the secret of a webhook is in this answer only. Errors: NotFoundError for the audience
   * or the account; BadRequestError; ConflictError: `ACCOUNT_UNHEALTHY`, `CONFLICT` for the
   * 21st; ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  create(
    audienceId: string,
    params: DestinationCreateParams,
    options: RequestOptions = {},
  ): Promise<DestinationWithSecret> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/intent/audiences/${audienceId}/destinations`,
      body: params,
      credentials: "either",
      options,
    })
  }

  /** One destination. Errors: NotFoundError. */
  get(
    audienceId: string,
    destinationId: string,
    options: RequestOptions = {},
  ): Promise<Destination> {
    return this.#one("GET", audienceId, destinationId, { options })
  }

  /**
   * Changes what is given, activates or pauses. Errors: NotFoundError; BadRequestError: an address that is
   * not allowed, a list that is not there; ConflictError: `INVALID_TRANSITION`, `ACCOUNT_UNHEALTHY`.
   */
  update(
    audienceId: string,
    destinationId: string,
    params: DestinationUpdateParams,
    options: RequestOptions = {},
  ): Promise<Destination> {
    return this.#one("PATCH", audienceId, destinationId, { body: params, options })
  }

  /** Deletes for good; what waits to be delivered is cancelled. Errors: NotFoundError. */
  async delete(
    audienceId: string,
    destinationId: string,
    options: RequestOptions = {},
  ): Promise<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
      credentials: "either",
      options,
    })
  }

  /** A new secret, in this answer only. Errors: NotFoundError; ConflictError for the automation kind. */
  async rotateSecret(
    audienceId: string,
    destinationId: string,
    params: SecretRotateParams = {},
    options: RequestOptions = {},
  ): Promise<DestinationWithSecret> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/rotate-secret`,
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Sends one made-up event and waits for the answer; of the automation kind looks at account and list and
   * writes nothing. What is found out is the result, not an error. Errors: NotFoundError.
   */
  async test(
    audienceId: string,
    destinationId: string,
    params: DestinationTestParams = {},
    options: RequestOptions = {},
  ): Promise<DestinationTest> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/test`,
      body: params,
      credentials: "either",
      options,
    })
  }

  async #one(
    method: ApiRequest["method"],
    audienceId: string,
    destinationId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Destination> {
    const { destination } = await this.#transport.requestData<{
      readonly destination: Destination
    }>({
      method,
      path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
      credentials: "either",
      ...call,
    })
    return destination
  }
}

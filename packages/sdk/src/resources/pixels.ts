// The pixels of the organization. Source: spec 5.2.

import type { ApiRequest } from "../core/api-request.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type {
  PixelCreateParams,
  PixelUpdateParams,
  PixelVerification,
  PixelWithCode,
} from "./pixel-params.ts"
import type { Pixel } from "./pixel.ts"

/** `footfall.pixels`. Needs an API key. */
export class Pixels {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every pixel that is not deleted, newest first; the list is not paged. */
  list(options: RequestOptions = {}): Promise<ReadonlyArray<Pixel>> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/data/pixels",
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Makes a pixel; `code` of the answer is the tag for its pages.
   * Errors: BadRequestError, ConflictError (`PIXEL_EXISTS`: see `pixelId`).
   */
  create(params: PixelCreateParams, options: RequestOptions = {}): Promise<PixelWithCode> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/data/pixels",
      body: params,
      credentials: "apiKey",
      options,
    })
  }

  /** One pixel, with its tag. Errors: NotFoundError. */
  get(pixelId: string, options: RequestOptions = {}): Promise<PixelWithCode> {
    return this.#one("GET", pixelId, { options })
  }

  /** Changes what is given. Errors: BadRequestError, NotFoundError. */
  update(pixelId: string, params: PixelUpdateParams, options: RequestOptions = {}): Promise<Pixel> {
    return this.#one("PATCH", pixelId, { body: params, options })
  }

  /** Deletes a pixel: it records nothing any more, and what it recorded stays. Errors: NotFoundError. */
  delete(pixelId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", pixelId, { options })
  }

  /** Looks whether events arrive; if none has, the server reads the site. Errors: NotFoundError. */
  async verify(pixelId: string, options: RequestOptions = {}): Promise<PixelVerification> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/data/pixels/${pixelId}/verify`,
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  async #one<Data>(
    method: ApiRequest["method"],
    pixelId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/data/pixels/${pixelId}`,
      credentials: "apiKey",
      ...call,
    })
  }
}

// A call in progress: a promise of its data that can also return details of the response.

import type { Origin } from "./origin.ts"
import type { ResponseHead } from "./response.ts"

/** The data of a response, with its status, request id and headers. */
export interface WithResponse<Data> {
  readonly data: Data
  /** The HTTP status. */
  readonly status: number
  /** The request id in the server's log; null if the response had none. */
  readonly requestId: string | null
  readonly headers: Headers
}

/** The internal result of a call, before it is shown to the caller. */
export interface CallResult<Data> {
  readonly data: Data
  readonly head: ResponseHead
}

/** Converts an internal result to the public form. */
export const withResponse = <Data>({ data, head }: CallResult<Data>): WithResponse<Data> => ({
  data,
  status: head.status,
  requestId: head.requestId,
  headers: head.headers(),
})

/** A call to the API. `await` it for its data, or `await call.withResponse()` to also get the status and headers. */
export class ApiCall<Data> extends Promise<Data> {
  readonly #result: Promise<CallResult<Data>>

  /** @internal */
  constructor(result: Promise<CallResult<Data>>) {
    super((resolve, reject) => void result.then(({ data }) => resolve(data), reject))
    this.#result = result
  }

  /** `then` returns an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** Returns the data with the status, headers and request id of the response. Errors: same as the call. */
  async withResponse(): Promise<WithResponse<Data>> {
    return withResponse(await this.result())
  }

  /** The same call with its data transformed. @internal */
  map<Mapped>(change: (data: Data) => Mapped): ApiCall<Mapped> {
    return new ApiCall(this.result().then(({ data, head }) => ({ data: change(data), head })))
  }

  /** The same call, with errors whose stack is that of `origin`. @internal */
  from(origin: Origin): ApiCall<Data> {
    return new ApiCall(
      this.result().catch((error: unknown) => {
        throw origin.mark(error)
      }),
    )
  }

  /**
   * The internal result. Handle errors on this promise; the call itself then causes no unhandled rejection. @internal
   */
  result(): Promise<CallResult<Data>> {
    this.catch(() => {})
    return this.#result
  }
}

// A call that is on its way: a promise of its data that can also tell about the response.

import type { ResponseHead } from "./answer.ts"

/** Data, and the response that it came in. */
export interface WithResponse<Data> {
  readonly data: Data
  /** The HTTP status. */
  readonly status: number
  /** The id by which the server's log knows the request; null when the response had none. */
  readonly requestId: string | null
  readonly headers: Headers
}

/** What a call found, before it is shown to the caller. */
export interface Answered<Data> {
  readonly data: Data
  readonly head: ResponseHead
}

/** The data with the head as callers see it. */
export const withResponse = <Data>({ data, head }: Answered<Data>): WithResponse<Data> => ({
  data,
  status: head.status,
  requestId: head.requestId,
  headers: head.headers(),
})

/** A call to the API: `await` it for its data, or `await call.withResponse()` for status and headers too. */
export class ApiCall<Data> extends Promise<Data> {
  readonly #answered: Promise<Answered<Data>>

  /** @internal */
  constructor(answered: Promise<Answered<Data>>) {
    super((resolve) => resolve(answered.then(({ data }) => data)))
    this.#answered = answered
  }

  /** What `then` returns is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** The data with the status, the headers and the request id of its response. Errors: those of the call. */
  async withResponse(): Promise<WithResponse<Data>> {
    return withResponse(await this.answered())
  }

  /** The same call with its data in another form. @internal */
  map<Mapped>(change: (data: Data) => Mapped): ApiCall<Mapped> {
    return new ApiCall(this.answered().then(({ data, head }) => ({ data: change(data), head })))
  }

  /** Its taker handles the failure of the call in place of the promise itself. @internal */
  answered(): Promise<Answered<Data>> {
    this.catch(() => {})
    return this.#answered
  }
}

// The parts of undici that the SDK uses, on node:http: `request`, and a dispatcher that reads the
// response whole. The bundle uses it in place of undici, because it loads in a fraction of the time
// (tsup.config.ts); test/sdk-transport.test.ts compares the two. No redirects and no cookies.
// Through a proxy, undici itself sends.

import * as http from "node:http"
import { createRequire } from "node:module"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type * as Undici from "undici"

/** What the SDK sends. */
interface RequestInit {
  /** Appended to the origin. */
  readonly path?: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | null
  readonly signal: AbortSignal
  readonly dispatcher?: unknown
}

/** What the SDK reads of a response. */
interface Answer {
  readonly statusCode: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Readable & { readonly text: () => Promise<string> }
}

/** Resolves as soon as the headers arrive. Errors: those of node:http, and the signal's. */
export const request = async (origin: string, init: RequestInit): Promise<Answer> => {
  const { path = "", method, body, dispatcher, signal } = init
  if (dispatcher instanceof EnvHttpProxyAgent) {
    const { undici, agent } = dispatcher
    // Undici accepts web streams too, which its types leave out.
    const request = { ...init, dispatcher: agent } as Parameters<typeof undici.request>[1]
    return undici.request(origin, request) as Promise<Answer>
  }
  const url = origin + path
  const headers = { ...init.headers, ...bodyLength(body) }
  const send = url.startsWith("https:")
    ? (await import("node:https")).default.request
    : http.request
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const outgoing = send(url, { method, headers, signal }, resolve).on("error", reject)
  if (typeof body === "object" && body !== null) upload(body, outgoing)
  else outgoing.end(body ?? undefined)

  const answer = await promise
  return {
    statusCode: answer.statusCode ?? 0,
    headers: answer.headers,
    body: Object.assign(answer, { text: () => text(answer) }),
  }
}

interface DispatchController {
  readonly abort: (reason: Error) => void
}

/** Receives a response, or the error that ended it. */
interface DispatchHandler {
  readonly onRequestStart: (controller: DispatchController) => void
  readonly onResponseStart: (
    controller: DispatchController,
    statusCode: number,
    headers: Answer["headers"],
  ) => void
  readonly onResponseData: (controller: DispatchController, chunk: Uint8Array) => void
  readonly onResponseEnd: (controller: DispatchController) => void
  readonly onResponseError: (controller: DispatchController, error: Error) => void
}

/** An aborted request fails with the reason. */
const dispatch = (
  options: Omit<RequestInit, "signal"> & { readonly origin: string },
  handler: DispatchHandler,
): void => {
  const aborting = new AbortController()
  const { signal } = aborting
  const controller = { abort: (reason: Error) => aborting.abort(reason) }
  const receive = async (): Promise<void> => {
    const { statusCode, headers, body } = await request(options.origin, { ...options, signal })
    handler.onResponseStart(controller, statusCode, headers)
    for await (const chunk of body) {
      handler.onResponseData(controller, chunk as Uint8Array)
      signal.throwIfAborted()
    }
    handler.onResponseEnd(controller)
  }
  handler.onRequestStart(controller)
  receive().catch((error: Error) =>
    handler.onResponseError(controller, signal.aborted ? (signal.reason as Error) : error),
  )
}

/** The only dispatcher that needs no undici. */
export class Agent {
  /** The SDK knows it by its name, which the bundle would shorten. */
  static readonly name = "Agent"
  readonly dispatch = dispatch
}

export const getGlobalDispatcher = () => new Agent()

/** Undici's, loaded when a variable names a proxy. */
export class EnvHttpProxyAgent {
  // Not imported, because the bundle would replace it by this file.
  readonly undici: typeof Undici = createRequire(import.meta.url)("undici")
  readonly agent: Undici.Dispatcher

  constructor(proxies: Undici.EnvHttpProxyAgent.Options) {
    this.agent = new this.undici.EnvHttpProxyAgent(proxies)
  }

  dispatch(options: object, handler: DispatchHandler): void {
    this.agent.dispatch(options as Undici.Dispatcher.DispatchOptions, handler)
  }
}

/** For text; without it, node:http sends the body of a DELETE without any framing. */
const bodyLength = (body: RequestInit["body"]): { readonly "content-length"?: string } =>
  typeof body === "string" ? { "content-length": `${Buffer.byteLength(body)}` } : {}

/**
 * Sends the stream as fast as the connection accepts it. If the stream fails, so does the request. After an early
 * response, such as a rejection, the response is read and the rest of the stream is not.
 */
const upload = (body: ReadableStream<Uint8Array>, outgoing: http.ClientRequest): void => {
  // Node's stream type and the platform's differ only in their iterators.
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  source.on("error", (error) => outgoing.destroy(error)).pipe(outgoing)
  outgoing.on("close", () => source.destroy())
}

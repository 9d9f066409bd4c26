// A webhook receiver as a customer would run it: a real socket that verifies requests with the Standard Webhooks
// library and responds as the test says.
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { vi } from "vitest"

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The parsed body. */
  readonly event: Record<string, unknown>
  readonly path: string
  /** Epoch milliseconds. */
  readonly at: number
}

export type Answer = (received: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** The response from now on. Default: 204. */
  answer: Answer
  /** Resolves with the requests to a path, once there are this many. */
  waitFor(count: number, path?: string): Promise<ReadonlyArray<Received>>
  close(): Promise<void>
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(body)
  }

export const startReceiver = async (): Promise<Receiver> => {
  const received: Array<Received> = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void text(request).then(
      (body) => {
        const at = Date.now()
        const { headers, url: path = "" } = request
        const event = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>)
        const one = { headers, body, event, path, at }
        received.push(one)
        receiver.answer(one, response)
      },
      () => response.destroy(),
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: status(204),
    waitFor: (count, path) =>
      vi.waitFor(
        () => {
          const found = path === undefined ? received : received.filter((one) => one.path === path)
          if (found.length < count) throw new Error(`${found.length} of ${count} requests`)
          return found
        },
        { timeout: 30_000, interval: 20 },
      ),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
  return receiver
}

/** Throws if the signature doesn't match the secret. */
export const verify = (secret: string, { body, headers }: Received): void => {
  new Webhook(secret).verify(body, headers as Record<string, string>)
}

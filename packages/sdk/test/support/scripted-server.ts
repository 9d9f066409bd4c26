// A real HTTP server on loopback that follows a script, one step per request, and records the
// requests. It responds to a request beyond the script with 599, which fails the test.

import { once } from "node:events"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"

/** The server's reaction to one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void

/** A recorded request. */
interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts a server. `await using` closes it with all its connections. */
export async function scriptedServer(script: ReadonlyArray<Step>): Promise<ScriptedServer> {
  const received: Array<Received> = []
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    const step = script[received.length]
    received.push({
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    })
    if (step === undefined) response.writeHead(599).end()
    else step(response, request)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string
  readonly received: ReadonlyArray<Received>
}

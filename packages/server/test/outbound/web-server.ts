// A test's own web server on a loopback address, which records its requests. Also counts every TCP connection that this
// process opens, from Node's own handles and not from the guard.
import { createHook } from "node:async_hooks"
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createSecureServer, type ServerOptions } from "node:https"
import type { AddressInfo, Socket } from "node:net"

export interface WebServer {
  readonly port: number
  /** Connections so far. */
  connections(): number
  /** Host and path of every request so far. */
  readonly requests: ReadonlyArray<{ readonly host: string | undefined; readonly path: string }>
  close(): Promise<void>
}

export const startWebServer = async (
  answer: RequestListener,
  options: {
    /** Default: 127.0.0.1. */
    readonly host?: string
    readonly port?: number
    /** Present: `https:`. */
    readonly tls?: ServerOptions
  } = {},
): Promise<WebServer> => {
  const { host = "127.0.0.1", port = 0, tls } = options
  const requests: Array<{ host: string | undefined; path: string }> = []
  const listener: RequestListener = (request, response) => {
    requests.push({ host: request.headers.host, path: request.url ?? "" })
    answer(request, response)
  }
  const server: Server =
    tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  let connections = 0
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on("error", () => undefined)
  })
  server.on("tlsClientError", () => undefined)
  server.listen(port, host)
  await once(server, "listening")
  return {
    // A socket that listens on TCP has an address of this form.
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}

/** Counts the TCP connections that this process opens while the work runs, by any code. */
export const countConnections = async (work: () => Promise<unknown>): Promise<number> => {
  let begun = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === "TCPCONNECTWRAP") begun += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return begun
}

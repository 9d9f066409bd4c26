// A proxy to the test database that can be cut silently: while it is frozen, nothing passes, nothing is closed, and new
// connections wait (half-open connections, as in a lost network).
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface HalfOpenProxy {
  /** The URL of the same database, through the proxy. */
  readonly url: string
  freeze(): void
  /** Frozen data is lost. New connections work. */
  thaw(): void
  close(): Promise<void>
}

/** Connects to the server of a database address. `host` contains a socket directory. */
const reach = (address: URL): Socket => {
  const directory = address.searchParams.get("host")
  const port = Number(address.port || 5432)
  return directory === null
    ? connect(port, address.hostname)
    : connect(`${directory}/.s.PGSQL.${port}`)
}

/** `port`: default any free one. */
export const startHalfOpenProxy = async (databaseUrl: string, port = 0): Promise<HalfOpenProxy> => {
  const address = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    track(client)
    if (isFrozen) return
    const database = track(reach(address))
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on("data", (bytes) => isFrozen || to.write(bytes))
      from.on("close", () => isFrozen || to.destroy())
    }
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const through = new URL(databaseUrl)
  through.searchParams.delete("host")
  // A socket that listens on TCP has an address of this form.
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const drop = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: through.href,
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      drop()
      isFrozen = false
    },
    close: async () => {
      server.close()
      drop()
      await once(server, "close")
    },
  }
}

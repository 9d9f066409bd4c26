// A server on a loopback address that sends anything, and reports when a client has left.
import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"

export interface RawServer {
  readonly port: number
  readonly url: string
  /** Resolves when a client has left. */
  readonly gone: Promise<void>
  close(): Promise<void>
}

/** `speak`: called with the connection and its number, from 1, when its first bytes have arrived. */
export const startRawServer = async (
  speak: (socket: Socket, connection: number) => void,
): Promise<RawServer> => {
  const sockets = new Set<Socket>()
  const left = Promise.withResolvers<void>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    const connection = sockets.size
    socket.on("error", () => undefined)
    socket.on("close", () => left.resolve())
    socket.once("data", () => speak(socket, connection))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    gone: left.promise,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}

/** Writes the text for as long as the client reads it. */
export const endlessly = (socket: Socket, text: string): void => {
  const more = () => {
    while (!socket.destroyed && socket.write(text)) continue
    if (!socket.destroyed) socket.once("drain", more)
  }
  more()
}

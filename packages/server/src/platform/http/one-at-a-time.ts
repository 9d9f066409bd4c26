// Answers the pipelined requests of a connection one after the other. Node hands them over all at once, so a client that
// sends many and reads nothing would keep all their responses in memory.
import type { IncomingMessage, ServerResponse } from "node:http"

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of a connection that wait for earlier responses. With more, the connection is closed. */
const pipelinedMax = 100

interface Line {
  /** The response to the newest request. */
  last: ServerResponse
  waiting: number
}

export const oneAtATime = (listener: Listener): Listener => {
  const lines = new WeakMap<IncomingMessage["socket"], Line>()
  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket)
    if (line === undefined) {
      lines.set(socket, { last: response, waiting: 0 })
      return listener(request, response)
    }
    const before = line.last
    line.last = response
    if (before.writableFinished) return listener(request, response)
    if (++line.waiting > pipelinedMax) return void socket.destroy()
    before.once("close", () => {
      line.waiting--
      if (!socket.destroyed) listener(request, response)
    })
  }
}

// A proxy before a real server, like a load balancer: it passes everything on. When a test asks for it, it responds 503
// once or loses the server's response.
import { once } from "node:events"
import { createServer, request, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface Front {
  readonly url: string
  /** The requests with their headers. */
  readonly seen: Array<IncomingMessage>
  /** Called with each piece of a body. */
  onBytes: () => void
  /** What happens to the next request. */
  next: "503" | "lost" | undefined
  close(): void
}

export const startFront = async (serverUrl: string): Promise<Front> => {
  const server = createServer((asked, answer) => {
    const { next } = front
    front.next = undefined
    front.seen.push(asked)
    if (next === "503") return answer.writeHead(503, { "retry-after": "0" }).end("down")
    const { headers, method } = asked
    const onward = request(serverUrl + asked.url, { method, headers }, (answered) => {
      if (next === "lost") return answer.destroy()
      answer.writeHead(answered.statusCode!, answered.headers)
      return answered.pipe(answer)
    })
    onward.on("error", () => answer.destroy())
    asked.on("data", () => front.onBytes())
    return asked.pipe(onward)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const front: Front = {
    url: `http://127.0.0.1:${port}`,
    seen: [],
    onBytes: () => {},
    next: undefined,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return front
}

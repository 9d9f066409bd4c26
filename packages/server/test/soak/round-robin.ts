// A load balancer as an operator would put before several servers: each request goes to the next server whose `/readyz`
// returns 200, over kept-alive connections. It retries nothing: a request to an unreachable server gets 502, and that
// server is left out until `/readyz` responds again.
import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface RoundRobinOptions {
  readonly ports: ReadonlyArray<number>
  /** How often `/readyz` of each server is checked. Default: 2 seconds, as in HAProxy. */
  readonly checkEveryMs?: number | undefined
}

interface Upstream {
  readonly port: number
  readonly agent: Agent
  isUp: boolean
}

const checkTimeoutMs = 5_000
const connectionsMax = 128

/** A header of the 502: the port of the server that failed. */
export const lostHeader = "x-lost-upstream"

export class RoundRobin {
  readonly url: string
  readonly #upstreams: ReadonlyArray<Upstream>
  readonly #server: ReturnType<typeof createServer>
  readonly #checks: ReadonlyArray<NodeJS.Timeout>
  #turn = 0

  private constructor(
    server: ReturnType<typeof createServer>,
    upstreams: ReadonlyArray<Upstream>,
    checkEveryMs: number,
  ) {
    this.#server = server
    this.#upstreams = upstreams
    const { port } = server.address() as AddressInfo // It listens on TCP.
    this.url = `http://127.0.0.1:${port}`
    server.on("request", (from, to) => this.#pass(from, to))
    this.#checks = upstreams.map((upstream) =>
      setInterval(() => void check(upstream), checkEveryMs),
    )
  }

  static async start({ checkEveryMs = 2_000, ports }: RoundRobinOptions): Promise<RoundRobin> {
    const upstreams = ports.map((port): Upstream => ({
      port,
      agent: new Agent({ keepAlive: true, maxSockets: connectionsMax, timeout: 120_000 }),
      isUp: false,
    }))
    await Promise.all(upstreams.map(check))
    const server = createServer({ keepAliveTimeout: 60_000 })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return new RoundRobin(server, upstreams, checkEveryMs)
  }

  /** Ports of the servers that get requests. */
  get up(): ReadonlyArray<number> {
    return this.#upstreams.filter(({ isUp }) => isUp).map(({ port }) => port)
  }

  async close(): Promise<void> {
    for (const timer of this.#checks) clearInterval(timer)
    for (const { agent } of this.#upstreams) agent.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, "close")
  }

  #pass(from: IncomingMessage, to: ServerResponse): void {
    const up = this.#upstreams.filter(({ isUp }) => isUp)
    const upstream = up[this.#turn++ % up.length]
    if (upstream === undefined) return void to.writeHead(502).end("No server is ready.")
    const { connection: _, ...headers } = from.headers
    const sent = request({
      host: "127.0.0.1",
      port: upstream.port,
      agent: upstream.agent,
      method: from.method,
      path: from.url,
      headers: { ...headers, "x-forwarded-for": from.socket.remoteAddress },
    })
    sent.on("response", (answer) => {
      const { connection: __, "keep-alive": ___, ...answered } = answer.headers
      to.writeHead(answer.statusCode!, answered)
      answer.pipe(to)
      answer.on("error", () => to.destroy())
    })
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") upstream.isUp = false
      if (to.headersSent || to.destroyed) return void to.destroy()
      to.writeHead(502, { [lostHeader]: upstream.port }).end(`No answer: ${error.code}`)
    })
    to.on("close", () => {
      if (!to.writableFinished) sent.destroy()
    })
    from.pipe(sent)
  }
}

/** A response other than 200 or a refused connection takes a server out. A missing response does not. */
const check = async (upstream: Upstream): Promise<void> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${upstream.port}/readyz`, {
      signal: AbortSignal.timeout(checkTimeoutMs),
      headers: { connection: "close" },
    })
    await answer.body?.cancel()
    upstream.isUp = answer.status === 200
  } catch (error) {
    if (!(error instanceof Error && error.name === "TimeoutError")) upstream.isUp = false
  }
}

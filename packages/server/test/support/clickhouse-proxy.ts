// Between a server and its ClickHouse: lets a test act at an exact moment of an exchange, for example kill the server
// after ClickHouse has written something and before the server knows.
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** A statement is about to reach ClickHouse, or its answer is about to reach the server. */
export interface Moment {
  readonly of: "statement" | "answer"
  readonly statement: string
}

interface Watch {
  readonly pattern: RegExp
  readonly isHeld: boolean
  left: number
  reached(moment: Moment): void
}

export class ClickHouseProxy {
  /** Like the real address, but through the proxy. */
  readonly address: string
  readonly #close: () => Promise<void>
  readonly #forwarded = new Set<Promise<unknown>>()
  #watch: Watch | undefined

  private constructor(address: string, close: () => Promise<void>) {
    this.address = address
    this.#close = close
  }

  static async start(address: string): Promise<ClickHouseProxy> {
    const target = new URL(address)
    const listener = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      proxy.#exchange(target.origin, request).then(
        ({ bytes, status }) => response.writeHead(status).end(bytes),
        () => response.destroy(),
      )
    }).listen(0, "127.0.0.1")
    await once(listener, "listening")
    const own = new URL(address)
    own.port = String((listener.address() as AddressInfo).port)
    const proxy = new ClickHouseProxy(own.href, async () => {
      const closed = once(listener, "close")
      listener.close()
      listener.closeAllConnections()
      await closed
    })
    return proxy
  }

  /**
   * Resolves at the `count`th moment of statements that match from now on. If it is held, that exchange never goes on.
   * Replaces an earlier watch.
   */
  moment(pattern: RegExp, count: number, options: { readonly isHeld: boolean }): Promise<Moment> {
    return new Promise((reached) => {
      this.#watch = { pattern, left: count, reached, ...options }
    })
  }

  /** Resolves once ClickHouse has answered every statement that reached it. */
  async settled(): Promise<void> {
    while (this.#forwarded.size > 0) await Promise.allSettled(this.#forwarded)
  }

  close(): Promise<void> {
    return this.#close()
  }

  async #exchange(origin: string, request: IncomingMessage) {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { searchParams } = new URL(request.url!, origin)
    const statement = searchParams.get("query") ?? body.toString("utf8", 0, 2_000)
    await this.#pass({ of: "statement", statement })
    const forwarded = forward(`${origin}${request.url}`, request, body)
    this.#forwarded.add(forwarded)
    const answer = await forwarded.finally(() => this.#forwarded.delete(forwarded))
    await this.#pass({ of: "answer", statement })
    return answer
  }

  /** Never resolves at the moment that a test waits for, if it is to be held. */
  #pass(moment: Moment): Promise<unknown> | undefined {
    const watch = this.#watch
    if (watch === undefined || !watch.pattern.test(moment.statement) || --watch.left > 0) return
    this.#watch = undefined
    watch.reached(moment)
    return watch.isHeld ? new Promise(() => undefined) : undefined
  }
}

const forward = async (url: string, { headers }: IncomingMessage, body: Buffer) => {
  const own = Object.entries(headers).filter(([name]) => name.startsWith("x-clickhouse-"))
  const response = await fetch(url, {
    method: "POST",
    headers: own.map(([name, value]) => [name, String(value)]),
    body: new Uint8Array(body),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

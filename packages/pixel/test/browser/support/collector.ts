/**
 * A loopback server that serves pages and the script and records every batch. Tests set pages and
 * responses. `waitFor` resolves as soon as the expected events have arrived.
 */
import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { PIXEL_ID } from "../../support/script.ts"
import { composedScript, fullHash, fullScript } from "./composed-script.ts"
import type { ComposedSettings } from "./composed-script.ts"
import type { SentBatch, SentEvent } from "../../support/page.ts"

export interface SitePage {
  readonly html: string
  readonly headers?: { readonly [name: string]: string }
}

export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
}

/** A received batch, accepted or not. */
export interface Attempt {
  readonly pixelId: string
  /** When its headers arrived, so before the response. */
  readonly atMs: number
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  readonly batch: SentBatch
}

const TAKEN: Answer = { status: 204 }

export class Collector {
  readonly attempts: Attempt[] = []
  /** Every request that was not a batch, as `GET /path?query`. */
  readonly requests: string[] = []
  /** The responses to the next batches, in order. After them, `answer`. */
  readonly answers: Answer[] = []
  answer: Answer = TAKEN
  pages: { [path: string]: SitePage } = {}
  /** The settings of each existing pixel. */
  pixels: { [id: string]: ComposedSettings } = { [PIXEL_ID]: {} }
  readonly #server: Server
  readonly #waiting = new Set<() => void>()

  private constructor(server: Server) {
    this.#server = server
    server.on("request", (request, response) => this.#answer(request, response))
  }

  static async start(): Promise<Collector> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return new Collector(server)
  }

  /** The browser treats another host name as another site. All names resolve to this server. */
  origin(host = "127.0.0.1"): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`
  }

  /** Accepted batches, in order of arrival. */
  get batches(): readonly SentBatch[] {
    return this.attempts.filter(({ status }) => status === 204).map(({ batch }) => batch)
  }

  /** Accepted events. An event that arrived twice is listed twice. */
  events(type?: string): readonly SentEvent[] {
    return this.batches
      .flatMap((batch) => batch.events)
      .filter((event) => type === undefined || event["type"] === type)
  }

  /** Events as a server stores them: each id once. */
  stored(type?: string): readonly SentEvent[] {
    return [...new Map(this.events(type).map((event) => [event["id"], event])).values()]
  }

  /** Resolves once `count` different events of the type have arrived. The test's own timeout limits it. */
  async waitFor(type: string, count: number): Promise<readonly SentEvent[]> {
    await this.until(() => this.stored(type).length >= count)
    return this.stored(type)
  }

  /** Resolves once the condition holds. Checked after each batch. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1")
    const [, id = "", hash, kind] =
      /^\/p\/([\da-f-]{36})(?:\.([\da-f]{16}))?(\.js|\/e)$/.exec(pathname) ?? []
    if (kind === "/e") return this.#take(id, request, response)

    if (pathname !== "/favicon.ico") this.requests.push(`${request.method} ${pathname}${search}`)
    const settings = this.pixels[id]
    if (kind === ".js" && settings) {
      if (hash && hash !== fullHash(id, settings)) return void response.writeHead(404).end()
      response.setHeader("content-type", "text/javascript; charset=utf-8")
      response.setHeader("access-control-allow-origin", "*")
      return void response.end(hash ? fullScript(id, settings) : composedScript(id, settings))
    }
    const page = this.pages[pathname]
    const headers = { "content-type": "text/html; charset=utf-8", ...page?.headers }
    response.writeHead(page ? 200 : 404, headers).end(page?.html)
  }

  #take(pixelId: string, request: IncomingMessage, response: ServerResponse): void {
    const atMs = performance.now()
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk))
    request.on("end", () => {
      const { status, headers } = this.answers.shift() ?? this.answer
      const cors = {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "Retry-After",
      }
      response.writeHead(status, { ...cors, ...headers }).end()
      const batch = JSON.parse(body) as SentBatch
      this.attempts.push({ pixelId, atMs, status, headers: request.headers, body, batch })
      for (const look of this.#waiting) look()
    })
  }
}

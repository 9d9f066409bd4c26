/**
 * A loopback server that serves pages and the script and keeps every batch, for real browsers.
 * Pages are whatever a test says; `waitFor` settles as soon as what it waits for has arrived.
 */
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { PIXEL_ID, scriptText } from "./script.ts"
import type { SentBatch, SentEvent } from "./page.ts"

export interface SitePage {
  readonly html: string
  readonly headers?: { readonly [name: string]: string }
}

export class Collector {
  readonly batches: SentBatch[] = []
  /** Request headers of each batch, in the order of `batches`. */
  readonly headers: { readonly [name: string]: unknown }[] = []
  /** Statuses of the next answers; then 204. */
  readonly answers: number[] = []
  pages: { [path: string]: SitePage } = {}
  settings: object = {}
  readonly #server: Server
  readonly #waiting = new Set<() => void>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<Collector> {
    const server = createServer()
    const collector = new Collector(server)
    server.on("request", (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1")
      if (pathname === `/p/${PIXEL_ID}.js`) {
        response.setHeader("content-type", "text/javascript; charset=utf-8")
        return response.end(scriptText(collector.settings))
      }
      if (pathname === `/p/${PIXEL_ID}/e`) {
        let body = ""
        request.on("data", (chunk: Buffer) => (body += chunk))
        request.on("end", () => {
          response.setHeader("access-control-allow-origin", "*")
          response.writeHead(collector.answers.shift() ?? 204).end()
          collector.headers.push(request.headers)
          collector.batches.push(JSON.parse(body) as SentBatch)
          for (const look of collector.#waiting) look()
        })
        return
      }
      const page = collector.pages[pathname]
      if (!page) return response.writeHead(404).end()
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...page.headers })
      return response.end(page.html)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return collector
  }

  /** Another host name is another site to the browser; both lead here. */
  origin(host: "127.0.0.1" | "localhost" = "127.0.0.1"): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`
  }

  get tag(): string {
    return `<script async src="${this.origin()}/p/${PIXEL_ID}.js"></script>`
  }

  events(type?: string): readonly SentEvent[] {
    return this.batches
      .flatMap((batch) => batch.events)
      .filter((event) => type === undefined || event["type"] === type)
  }

  /** Resolves once `count` events of the type are there. The test's own timeout bounds it. */
  waitFor(type: string, count: number): Promise<readonly SentEvent[]> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.events(type).length < count) return
        this.#waiting.delete(look)
        resolve(this.events(type))
      }
      this.#waiting.add(look)
      look()
    })
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

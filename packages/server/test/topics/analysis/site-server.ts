// The real server with the shipped topics, and a web server that serves its pages.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import type { SiteAnalysis } from "@footfall/sdk"
import type { Topic } from "../../../src/intent/topics/topic.ts"
import { startWebServer, type WebServer } from "../../outbound/web-server.ts"
import { startVerifyServer, type VerifyServer } from "../../pixels/verify-server.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { putTopics } from "../topics.ts"

/** The site's response. */
export type Answer = Parameters<typeof startWebServer>[0]

export interface SiteServer {
  readonly database: TestServer
  readonly server: VerifyServer
  readonly site: WebServer
  /** Sets the site's answer from now on. */
  serve(answer: Answer): void
  /** Requests an analysis, by default of the site's home page and without credentials. */
  analyze(
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: AnalysisBody }>
  close(): Promise<void>
}

/** A success or an error. A test reads what it expects. */
export interface AnalysisBody {
  readonly data: SiteAnalysis
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: {
      readonly reason?: string
      readonly issues?: ReadonlyArray<{ readonly path: string; readonly code: string }>
    }
  }
}

export const startSiteServer = async (
  allowPrivateWebhooks: "on" | "off" = "on",
): Promise<SiteServer> => {
  const database = await startServer({ workers: false })
  await putTopics(database, await shippedTopics())
  let answer: Answer = (_, response) => response.end()
  const site = await startWebServer((request, response) => answer(request, response))
  const server = await startVerifyServer(database, {
    allowPrivateWebhooks,
    siteAddress: () => `http://127.0.0.1:${site.port}/`,
  })
  return {
    database,
    server,
    site,
    serve: (next) => {
      answer = next
    },
    analyze: async (body = { url: `http://127.0.0.1:${site.port}/` }, headers = {}) => {
      const response = await server.fetch(`${database.url}/v1/intent/topics/analyze`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as AnalysisBody }
    },
    close: async () => {
      await server.close()
      await site.close()
      await database.close()
    },
  }
}

/** A page that is sent unchanged. */
export const page =
  (
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = { "content-type": "text/html; charset=utf-8" },
    status = 200,
  ): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

/** The demo's topics. */
export const shippedTopics = async (): Promise<ReadonlyArray<Topic>> => {
  const file = join(import.meta.dirname, "../../../assets/topics.csv")
  // The columns are a topic's fields, all text except the id.
  const rows = parse(await readFile(file), { columns: true }) as ReadonlyArray<
    Omit<Topic, "topicId"> & { readonly topicId: string }
  >
  return rows.map((row) => ({ ...row, topicId: Number(row.topicId) }))
}

/** A page of the fixtures. */
export const fixture = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, "pages", `${name}.html`), "utf8")

// (b) GET /v1/data over 200,000 visitors. The floor is node:http with `pg`. It runs the same
// statements as the server and responds with JSON.stringify of their rows. The statements are
// captured from the server's own services during one request, so the floor stays up to date.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Statement } from "effect/sql"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { KeyedLists } from "../src/platform/lists/keyed-lists.ts"
import { Secrets } from "../src/platform/secrets/secrets.ts"
import { Pixels } from "../src/collect/pixels/pixels.ts"
import { PixelStore } from "../src/collect/pixels/store.ts"
import { Coverages } from "../src/people/visitors/coverages/coverages.ts"
import { CoverageStore } from "../src/people/visitors/coverages/store.ts"
import { RuleTurns } from "../src/people/visitors/query/rule-turns.ts"
import { SessionStore } from "../src/people/visitors/sessions/store.ts"
import { VisitorStore } from "../src/people/visitors/store.ts"
import { Visitors } from "../src/people/visitors/visitors.ts"
import type { BenchPostgres } from "./database.ts"
import {
  addKey,
  fillVisitors,
  makeFixture,
  organizationOf,
  secret,
  visitorCount,
} from "./fixture.ts"
import { load } from "./load.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rounds = 3
const seconds = 4
const connections = 4
const lastPage = visitorCount / 50
const floorScript = new URL("./list-floor.ts", import.meta.url).pathname

export const list = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.filled("bench_list", async (address) =>
    fillVisitors(address, await makeFixture(address)),
  )
  const organizationId = await organizationOf(database)
  const apiKey = await addKey(database, organizationId)
  const { cursor, first, next } = await captured(database, organizationId)
  const file = join(tmpdir(), `footfall-bench-${process.pid}.json`)
  writeFileSync(file, JSON.stringify({ "/first": first, "/next": next }))

  const floorPort = await freePort()
  const serverPort = await freePort()
  const floor = start([floorScript, String(floorPort), database, file], {})
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(serverPort),
  })
  const measure = (port: number, path: string) =>
    load({
      port,
      connections,
      seconds,
      warmUpSeconds: 1,
      method: "GET",
      path,
      headers: { "x-api-key": apiKey },
      body: "",
    }).then((result) => {
      if (result.statuses["200"] !== result.answers) throw new Error(JSON.stringify(result))
      return result
    })
  const base = "/v1/data?timeframe=30d"
  const answerMs = async (port: number, path: string) => {
    const begin = performance.now()
    const headers = { "x-api-key": apiKey }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    await response.arrayBuffer()
    return performance.now() - begin
  }
  const paths = {
    first: base,
    next: `${base}&cursor=${encodeURIComponent(cursor)}`,
  }
  try {
    await Promise.all([ready(floorPort, 0, "/healthz"), ready(serverPort, 0)])
    const rates: Record<string, Array<number>> = {}
    const latencies: Record<string, Array<number>> = {}
    const take = async (name: string, port: number, path: string) => {
      const { p50Ms, perSecond } = await measure(port, path)
      ;(rates[name] ??= []).push(perSecond)
      ;(latencies[name] ??= []).push(p50Ms)
    }
    for (let round = 0; round < rounds; round++) {
      await take("floor first", floorPort, "/first")
      await take("first", serverPort, paths.first)
      await take("floor next", floorPort, "/next")
      await take("next", serverPort, paths.next)
      for (const page of deepPages(round)) {
        ;(latencies["page 1"] ??= []).push(await answerMs(serverPort, base))
        ;(latencies["deep"] ??= []).push(await answerMs(serverPort, `${base}&page=${page}`))
      }
    }
    const of = (values: typeof rates, name: string) => median(values[name] ?? [])
    const ratio = (name: string, floorName: string, bar: number): Omit<Row, "name"> => ({
      floor: `${of(rates, floorName).toFixed(0)}/s`,
      ours: `${of(rates, name).toFixed(0)}/s`,
      ratio: of(rates, name) / of(rates, floorName),
      bar: { atLeast: bar },
    })
    return [
      { name: "(b) list, page 1 with total", ...ratio("first", "floor first", 0.9) },
      { name: "(b) list, next page by cursor", ...ratio("next", "floor next", 0.95) },
      {
        name: `(b) list, around page ${lastPage} by number / page 1`,
        floor: `${of(latencies, "page 1").toFixed(1)} ms`,
        ours: `${of(latencies, "deep").toFixed(1)} ms`,
        ratio: of(latencies, "deep") / of(latencies, "page 1"),
        bar: { atMost: 1.5 },
      },
    ]
  } finally {
    await Promise.all([stop(floor), stop(server)])
  }
}

const deepPages = (round: number): ReadonlyArray<number> =>
  Array.from({ length: 10 }, (_, index) => lastPage - round * 10 - index)

interface Captured {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** The statements of page 1 and of the next page, with a cursor for the latter. */
const captured = async (database: string, organizationId: string) => {
  const statements: Array<Captured> = []
  const record: Statement.Transformer = (statement) => {
    const [text, values] = statement.compile()
    statements.push({ text, values })
    return Effect.succeed(statement)
  }
  const filter = { organizationId, timeframe: "30d", suppressed: "include" } as const
  const services = Visitors.layer.pipe(
    Layer.provide(Layer.mergeAll(Coverages.layer, Pixels.layer, KeyedLists.layer, RuleTurns.layer)),
    // Runs once in five seconds and not for each page, so it isn't one of a page's statements.
    Layer.provide(Layer.mock(CoverageStore, { behind: Effect.succeed([]) })),
    Layer.provide(
      Layer.mergeAll(
        SessionStore.layer,
        VisitorStore.layer,
        PixelStore.layer,
        SecureRandom.layerWebCrypto,
      ),
    ),
    Layer.provide(Secrets.layer([Redacted.make(secret)])),
    Layer.provide(PgClient.layer({ url: Redacted.make(database) })),
  )
  const { cursor, firstCount } = await Effect.gen(function* () {
    const visitors = yield* Visitors
    const page = yield* visitors.list(filter, { page: 1 })
    const firstCount = statements.length
    if (page.nextCursor === null) return yield* Effect.die("one page only")
    yield* visitors.list(filter, { cursor: page.nextCursor })
    return { cursor: page.nextCursor, firstCount }
  }).pipe(
    Effect.provide(services),
    Effect.provideService(Statement.CurrentTransformer, record),
    Effect.runPromise,
  )
  return {
    cursor,
    first: statements.slice(0, firstCount),
    next: statements.slice(firstCount),
  }
}

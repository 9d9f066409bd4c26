// (q) Lists and qualification queries over 2,000,000 visitors with 10,000,000 sessions. Each request is compared with
// psql running the server's statement, taken from the server's own store. Each rule is also compared with a
// hand-written statement for the same query, both in psql.
import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Redacted, Result } from "effect"
import { Statement } from "effect/sql"
import type { ListStart } from "../src/platform/database/lists.ts"
import type { ListScope } from "../src/people/visitors/list-scope.ts"
import { parseRule } from "../src/people/visitors/query/rule.ts"
import { VisitorStore } from "../src/people/visitors/store.ts"
import { type Timeframe, boundsOf } from "../src/people/visitors/timeframe.ts"
import type { BenchPostgres } from "./database.ts"
import { addKey, organizationOf, secret } from "./fixture.ts"
import { fiveByHand, type HandScope, worstByHand } from "./query-by-hand.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import { psqlMs, type TimedStatement } from "./psql.ts"
import type { Row } from "./report.ts"
import { five, worst } from "./rules.ts"
import { makeLargeFixture } from "./visitors-fixture.ts"

const rounds = 5
const perRound = 3
const pageSize = 50

/** One page of a list: how to request it and where it is. */
export interface Query {
  readonly name: string
  readonly timeframe: Timeframe
  readonly rule?: { readonly ruleAst: unknown; readonly byHand: (scope: HandScope) => string }
  /** Default: the second page, by cursor, which runs no count. */
  readonly page?: number
}

const questions: ReadonlyArray<Query> = [
  { name: "list, page 1 and its total", timeframe: "30d", page: 1 },
  { name: "list, next page by cursor", timeframe: "30d" },
  { name: "list, page 20,000 by number", timeframe: "all", page: 20_000 },
  {
    name: "query of 5 predicates, next page",
    timeframe: "30d",
    rule: { ruleAst: five, byHand: fiveByHand },
  },
  {
    name: "worst legal rule in 24h, page 1 and its total",
    timeframe: "24h",
    rule: { ruleAst: worst, byHand: worstByHand },
    page: 1,
  },
]

/** Searches with their total. Every name in the fixture begins with `Jane Mercer`. */
const searches = [
  { finds: "one person by name", q: "mercer 1234567" },
  { finds: "hundreds by address", q: "@company77." },
  { finds: "thousands", q: "12345" },
  { finds: "everyone, by two characters", q: "me" },
]

export const query = (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> =>
  servedLarge(postgres, "bench_query", makeLargeFixture, async (place) => {
    const rows: Array<Row> = []
    for (const request of questions) rows.push(...(await measure(request, place)))
    for (const search of searches) rows.push(await measureSearch(search, place))
    return rows
  })

/** What `work` measures on a server without workers that serves a filled database. */
export const servedLarge = async <A>(
  postgres: BenchPostgres,
  name: string,
  fill: (database: string) => Promise<void>,
  work: (place: Place) => Promise<A>,
): Promise<A> => {
  const database = await postgres.filled(name, fill)
  const organizationId = await organizationOf(database)
  const apiKey = await addKey(database, organizationId)
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  try {
    await ready(port, 0)
    return await work({ apiKey, database, organizationId, port })
  } finally {
    await stop(server)
    if (!postgres.isKept) await postgres.drop(name)
  }
}

export interface Place {
  readonly apiKey: string
  readonly database: string
  readonly organizationId: string
  readonly port: number
}

/** Alternates between the request, psql and the hand-written statement. */
export const measure = async (request: Query, place: Place): Promise<ReadonlyArray<Row>> => {
  const { rule, timeframe } = request
  const times = { request: [] as Array<number>, psql: [] as Array<number> }
  const chosen = { ours: [] as Array<number>, byHand: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    const { ask, otherPages, scope, start } = await located(request, place, round)
    const { choice, count, whole } = await statements(place.database, scope, start)
    for (let time = 0; time < perRound; time++) times.request.push(await ask(time))
    // psql also reads pages that neither has read before. The first statement of a connection also
    // fills its caches.
    const pages =
      otherPages === undefined
        ? await psqlMs(place.database, repeated(whole))
        : (await psqlMs(place.database, [whole, ...otherPages(whole)])).slice(1)
    // The server counts in parallel with the first page. For a rule it gives up after this time.
    const counts = request.page === 1 ? await psqlMs(place.database, repeated(count)) : []
    const giveUpMs = rule === undefined ? Infinity : 2_000
    times.psql.push(...pages.map((ms, time) => ms + Math.min(counts[time] ?? 0, giveUpMs)))
    if (rule === undefined) continue
    const hand = {
      organizationId: place.organizationId,
      from: DateTime.formatIso(boundsOf(timeframe, "UTC", scope.asOf).from!), // no query here covers all time
      after: "after" in start ? ([start.after[0]!, start.after[1]!] as const) : undefined,
      limit: pageSize + 1,
    }
    const text = rule.byHand(hand)
    chosen.ours.push(...(await psqlMs(place.database, repeated(choice))))
    chosen.byHand.push(...(await psqlMs(place.database, repeated({ text, values: [] }))))
  }
  const row = (
    name: string,
    floor: ReadonlyArray<number>,
    ours: ReadonlyArray<number>,
    bar: number,
  ) => ({
    name: `(q) ${request.name}${name}`,
    floor: `${median(floor).toFixed(1)} ms`,
    ours: `${median(ours).toFixed(1)} ms`,
    ratio: median(ours) / median(floor),
    bar: { atMost: bar },
  })
  return [
    row(
      " / psql",
      times.psql,
      times.request,
      rule === undefined && request.page === undefined ? 1.2 : 1.3,
    ),
    ...(request.page === 1 && rule === undefined ? [firstPage(times.request)] : []),
    ...(rule === undefined
      ? []
      : [row(", in psql / by hand in psql", chosen.byHand, chosen.ours, 1.5)]),
  ]
}

/** The floor reads everyone, without accents in mind. */
const measureSearch = async (
  { finds, q }: (typeof searches)[number],
  { apiKey, database, organizationId, port }: Place,
): Promise<Row> => {
  const times = { request: [] as Array<number>, psql: [] as Array<number> }
  const floor = {
    text: `select id, count(*) over () from visitor as v
      where v.organization_id = '${organizationId}' and not v.held_back
        and (concat_ws(' ', v.first_name, v.last_name) ilike '%${q}%' or exists (
          select from visitor_address as a
          where a.organization_id = v.organization_id and a.visitor_id = v.id
            and a.email ilike '%${q}%'))
      order by v.last_seen_at desc, v.email_hash limit 51`,
    values: [],
  }
  const address = `http://127.0.0.1:${port}/v1/data?timeframe=all&q=${encodeURIComponent(q)}`
  for (let round = 0; round < perRound; round++) {
    times.psql.push(...(await psqlMs(database, [floor])))
    const begin = performance.now()
    const response = await fetch(address, { headers: { "x-api-key": apiKey } })
    if (response.status !== 200) throw new Error(await response.text())
    await response.arrayBuffer()
    times.request.push(performance.now() - begin)
  }
  return {
    name: `(q) search that finds ${finds} / ilike in psql`,
    floor: `${median(times.psql).toFixed(1)} ms`,
    ours: `${median(times.request).toFixed(1)} ms`,
    ratio: median(times.request) / median(times.psql),
    bar: { atMost: 1 },
  }
}

const repeated = (statement: TimedStatement) => Array.from({ length: perRound }, () => statement)

/** The first page includes its total, for any number of visitors. */
const firstPage = (requests: ReadonlyArray<number>): Row => ({
  name: "(q) list, page 1 and its total, ms",
  floor: "–",
  ours: `${median(requests).toFixed(0)} ms`,
  ratio: median(requests),
  bar: { atMost: 100 },
})

interface Situation {
  readonly scope: ListScope
  readonly start: ListStart
  /** Milliseconds of the nth request. */
  ask(time: number): Promise<number>
  /**
   * Returns the statements of unread pages near that of `start`. Absent: every request is the same.
   */
  readonly otherPages?: (statement: TimedStatement) => ReadonlyArray<TimedStatement>
}

/** Finds the page's position and builds its request, by requesting the first page. */
const located = async (
  { page, rule, timeframe }: Query,
  place: Place,
  round: number,
): Promise<Situation> => {
  const read = rule === undefined ? undefined : Result.getOrThrow(parseRule(rule.ruleAst)).rule
  const request = (position: object) =>
    rule === undefined
      ? get(place, `/v1/data?${new URLSearchParams({ timeframe, ...position })}`)
      : post(place, { ruleAst: rule.ruleAst, window: timeframe, limit: pageSize, ...position })
  const scopeAt = (asOf: DateTime.Utc): ListScope => ({
    organizationId: place.organizationId,
    pixelId: undefined,
    isEmpty: false,
    timeframe,
    asOf,
    from: boundsOf(timeframe, "UTC", asOf).from,
    suppressed: "include",
    ...(read === undefined ? {} : { rule: read }),
  })
  const first = await request({})
  const cursor = first.cursor
  if (page === undefined && cursor === null) throw new Error("the first page is the only one")
  if (page === undefined && cursor !== null) {
    const { a, k } = JSON.parse(Buffer.from(cursor.split(".")[0]!, "base64url").toString()) as {
      readonly a: string
      readonly k: ReadonlyArray<string>
    } // spec 1.6, Build
    return {
      scope: scopeAt(DateTime.makeUnsafe(a)),
      start: { after: k },
      ask: async () => (await request({ cursor })).ms,
    }
  }
  const ask = async (position: object) => (await request(position)).ms
  const scope = scopeAt(DateTime.nowUnsafe())
  if (page === 1) return { scope, start: { offset: 0 }, ask: () => ask({}) }
  // Reads no page twice: the server remembers where pages end, and Postgres keeps what it has read
  // in memory.
  const numberOf = (time: number) => page! + 3 * (round * perRound + time)
  const offsetOf = (number: number) => (number - 1) * pageSize - 1
  const offset = offsetOf(numberOf(0) + 2)
  return {
    scope,
    start: { offset },
    ask: (time) => ask({ page: String(numberOf(time)) }),
    otherPages: ({ text, values }) =>
      Array.from({ length: perRound }, (_, time) => ({
        text,
        values: values.map((value) => (value === offset ? offsetOf(numberOf(time) + 1) : value)),
      })),
  }
}

const get = (place: Place, path: string) => timed(place, path, { method: "GET" })
const post = (place: Place, body: object) =>
  timed(place, "/v1/data/query", { method: "POST", body: JSON.stringify(body) })

const timed = async ({ apiKey, port }: Place, path: string, init: RequestInit) => {
  const begin = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
  })
  const text = await response.text()
  const ms = performance.now() - begin
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  const { meta } = JSON.parse(text) as { readonly meta: { readonly nextCursor: string | null } }
  return { ms, cursor: meta.nextCursor }
}

/**
 * The store's statements for a page: the whole statement, the part that selects its visitors, and
 * the count.
 */
const statements = async (
  database: string,
  scope: ListScope,
  start: ListStart,
): Promise<Readonly<Record<"whole" | "choice" | "count", TimedStatement>>> => {
  const seen: Array<TimedStatement> = []
  const record: Statement.Transformer = (statement) => {
    const [text, values] = statement.compile()
    seen.push({ text, values })
    return Effect.succeed(statement)
  }
  const extra = "offset" in start && start.offset > 0 ? 2 : 1
  await Effect.flatMap(VisitorStore, (store) =>
    Effect.andThen(store.listWithin(scope, start, pageSize + extra), store.count(scope)),
  ).pipe(
    Effect.provide(
      VisitorStore.layer.pipe(Layer.provide(PgClient.layer({ url: Redacted.make(database) }))),
    ),
    Effect.provideService(Statement.CurrentTransformer, record),
    Effect.runPromise,
  )
  const [whole, count] = seen as [TimedStatement, TimedStatement] // the two statements that ran
  const choice = whole.text.slice(
    whole.text.indexOf("(") + 1,
    whole.text.indexOf("select\n        visitor.email"),
  )
  return {
    whole,
    count,
    choice: { text: choice.slice(0, choice.lastIndexOf(")")), values: whole.values },
  }
}

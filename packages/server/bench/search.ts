// (s) Discovery over 20,000 topics at 16 connections: searches that people type (whole names,
// prefixes, single words, reordered words, names with a typo), and the first page of the list. The
// floor is the response of /healthz: just the HTTP server.
import { readFileSync } from "node:fs"
import { type CatalogTopic, catalogOf } from "../src/app/demo/generate/topics.ts"
import { type BenchPostgres, query } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { load, type LoadResult } from "./load.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const topicCount = 20_000
const queryCount = 1000
const connections = 16
const rounds = 3
const seconds = 4
/** A multiple of the floor's p99. */
const bar = { atMost: 2.5 }

export const search = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_search")
  await makeFixture(database)
  const csv = readFileSync(new URL("../assets/topics.csv", import.meta.url), "utf8")
  const topics = catalogOf(csv, topicCount)
  await query(
    database,
    `insert into topic (topic_id, topic_name, type, industry, category)
     select "topicId", "topicName", type, industry, category
     from json_to_recordset($1) as t(
       "topicId" integer, "topicName" text, type text, industry text, category text)`,
    [JSON.stringify(topics)],
  )
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const measure = async (path: string | ReadonlyArray<string>): Promise<LoadResult> => {
    const request = { method: "GET", path, headers: {}, body: "" } as const
    const result = await load({ port, connections, seconds, warmUpSeconds: 2, ...request })
    if (result.statuses["200"] !== result.answers) throw new Error(JSON.stringify(result))
    return result
  }
  const searches = queries(topics).map((q) => `/v1/intent/topics/search?q=${encodeURIComponent(q)}`)
  const measured = {
    "search, what people type": searches,
    "list, first page of 100": "/v1/intent/topics",
    "list, a part of the name": "/v1/intent/topics?q=freight&type=b2b&pageSize=10",
  }
  try {
    await ready(port, 0)
    const results = Object.keys(measured).map(() => [] as Array<LoadResult>)
    const floors: Array<LoadResult> = []
    for (let round = 0; round < rounds; round++) {
      floors.push(await measure("/healthz"))
      for (const [place, path] of Object.values(measured).entries()) {
        results[place]!.push(await measure(path))
      }
    }
    return Object.keys(measured).map((name, place) => {
      const p99 = median(results[place]!.map(({ p99Ms }) => p99Ms))
      return {
        name: `(s) ${name}, 16 connections, p99 / a bare answer`,
        floor: summary(floors),
        ours: summary(results[place]!),
        ratio: p99 / median(floors.map(({ p99Ms }) => p99Ms)),
        bar: place === 0 ? bar : undefined,
      }
    })
  } finally {
    await stop(server)
  }
}

const summary = (results: ReadonlyArray<LoadResult>): string => {
  const of = (figure: (result: LoadResult) => number) => median(results.map(figure))
  const times = `p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} p99 ${of(({ p99Ms }) => p99Ms).toFixed(1)}`
  return `${times}, ${of(({ perSecond }) => perSecond).toFixed(0)}/s`
}

/** Typical searches across the whole catalog, the same in every run. */
const queries = (topics: ReadonlyArray<CatalogTopic>): ReadonlyArray<string> =>
  Array.from({ length: queryCount }, (_, at) => {
    const name = topics[(at * 7919) % topics.length]!.topicName.toLowerCase()
    const words = name.split(" ")
    const cut = 1 + ((at * 31) % (name.length - 1))
    const typed = [
      name,
      name.slice(0, cut), // a prefix of the name
      words[at % words.length]!,
      words.toReversed().join(" "),
      name.slice(0, cut) + name.slice(cut + 1), // one letter missing
    ]
    return typed[at % typed.length]!.trim() || name
  })

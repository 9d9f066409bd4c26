// The Parquet file of a run (spec 2.13.4, 2.14, 5.9), read back by DuckDB, which shares no code with the writer. FOOTFALL_SOAK=1 for
// a million rows.
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { createHash } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { isSoak } from "../../soak/size.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { ask } from "../support.ts"
import { people, type PutRow, type PutRun, putRun, requestExport, runPath } from "./support.ts"

let server: TestServer
let duck: DuckDBConnection
let directory: string
beforeAll(async () => {
  server = await startServer()
  duck = await (await DuckDBInstance.create()).connect()
  directory = mkdtempSync(join(inject("temporaryDirectory"), "parquet-"))
})
afterAll(async () => {
  duck.closeSync()
  await server.close()
})

const rowsOf = async (query: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  (await duck.runAndReadAll(query)).getRowObjectsJson()

const exportParquet = async (run: PutRun) => {
  const response = await fetch(`${server.url}/v1/intent/audiences${runPath(run)}/export.parquet`, {
    headers: { "x-api-key": server.apiKey },
  })
  const file = join(directory, `${run.runId}.parquet`)
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return { response, file }
}

const resultsOf = async (run: PutRun) => {
  const path = `${runPath(run)}/results`
  const { data } = await ask<{ results: ReadonlyArray<unknown> }>(server, "GET", path)
  return data.results
}

it("has no intent for people of a run without topics", async () => {
  const unscored = { score: null, topic_overlap: null, matched_topics: [] }
  const run = await putRun(server, server, {
    topics: [],
    rows: [
      { first_name: "Ann", ...unscored },
      { first_name: "Bob", ...unscored },
    ],
  })

  const { file } = await exportParquet(run)

  expect(await rowsOf(`select "firstName", intent from '${file}'`)).toEqual([
    { firstName: "Ann", intent: null },
    { firstName: "Bob", intent: null },
  ])
  expect(await rowsOf(`from '${file}'`)).toEqual(await resultsOf(run))
})

it("has the rows of the results endpoint, with structs, a list and text that needs escaping", async () => {
  const topics = [
    { topicId: 7, topicName: 'Heat "pumps", $1 | more' },
    { topicId: 3, topicName: "Solar" },
  ]
  const hard = [
    "=1+1",
    "a\r\nb",
    "",
    "😍 👩🏽‍🚒",
    "ثم",
    "NULL",
    "'; drop table x; --",
    "\u200b\ufeff",
    "x".repeat(2_000),
  ]
  const rows: ReadonlyArray<PutRow> = [
    {
      first_name: "Zoë",
      business_email: "zoe@acme.example",
      company_name: "Acme, Inc.",
      company_size: "51-200",
      is_b2b: "y",
      score: 97,
      topic_overlap: 2,
      matched_topics: [3, 7],
    },
    { last_name: "Park", city: "Oslo", matched_topics: [] },
    ...hard.map((headline) => ({ headline, company_name: headline, matched_topics: [3] })),
  ]
  const run = await putRun(server, server, { topics, rows })

  const { file, response } = await exportParquet(run)

  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("application/vnd.apache.parquet")
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="buyers-2026-03-10.parquet"',
  )
  expect(response.headers.get("cache-control")).toBe("no-store")
  expect(response.headers.get("content-encoding")).toBeNull()
  expect(await rowsOf(`from '${file}'`)).toEqual(await resultsOf(run))
  const types = await rowsOf(`describe from '${file}'`)
  expect(
    Object.fromEntries(types.map((column) => [column["column_name"], column["column_type"]])),
  ).toMatchObject({
    hashedEmail: "VARCHAR",
    geo: "STRUCT(city VARCHAR, state VARCHAR, country VARCHAR)",
    intent:
      "STRUCT(score INTEGER, topicOverlap INTEGER, matchedTopics STRUCT(topicId INTEGER, topicName VARCHAR, " +
      '"type" VARCHAR, industry VARCHAR, category VARCHAR)[])',
  })
})

it("has the columns and no rows if the run found no one", async () => {
  const { file } = await exportParquet(await putRun(server, server))

  expect(await rowsOf(`select count(*)::integer as people from '${file}'`)).toEqual([{ people: 0 }])
  expect(await rowsOf(`describe select intent.score from '${file}'`)).toMatchObject([
    { column_type: "INTEGER" },
  ])
})

it("is in order and written in groups, across the gaps that erased people leave", async () => {
  const count = isSoak ? 1_000_000 : 9_000
  const run = await putRun(server, server, { rows: people(2) })
  await server.sql(
    `insert into run_result (organization_id, run_id, position, hashed_email, score, topic_overlap, matched_topics, headline)
     select $1, $2, n, sha256(n::text::bytea), 90, 1, array[1], 'Person ' || n
     from generate_series(3, $3::integer) n where n % 100 <> 0`,
    [run.organizationId, run.runId, count],
  )
  const before = process.memoryUsage().rss

  const { file } = await exportParquet(run)

  const [found] = await rowsOf(
    `select count(*)::integer as people, count(distinct headline)::integer as names,
       bool_and(row = place) as isInOrder
     from (select headline, row_number() over () as place,
       row_number() over (order by substr(headline, 8)::integer) as row from '${file}' where headline is not null)`,
  )
  const expected = count - 2 - count / 100
  expect(found).toEqual({ people: expected, names: expected, isInOrder: true })
  const [groups] = await rowsOf(
    `select count(distinct row_group_id)::integer as groups from parquet_metadata('${file}')`,
  )
  expect(groups).toEqual({ groups: Math.ceil((expected + 2) / 4_000) })
  if (isSoak) expect(process.memoryUsage().rss - before).toBeLessThan(900_000_000)
})

it("is rejected with the reason for a run that is not completed", async () => {
  const { response } = await exportParquet(await putRun(server, server, { status: "running" }))

  expect(response.status).toBe(409)
})

it("is a separate file beside the CSV file, as its record says", async () => {
  const run = await putRun(server, server, { rows: people(3) })
  const { audienceId, runId } = run
  const csv = await requestExport(server, run)

  const { export: asked } = await server.sdk.exports.create(audienceId, runId, {
    exportType: "parquet",
  })
  const ready = await server.sdk.exports.wait(asked)

  expect(asked.id).not.toBe(csv.data.export.id)
  const file = join(directory, "kept.parquet")
  await server.sdk.exports.toFile(ready, file)
  const [{ content } = {}] = await rowsOf(
    `select to_base64(content) as content from read_blob('${file}')`,
  )
  const bytes = Buffer.from(String(content), "base64")
  expect(ready.export).toMatchObject({
    exportType: "parquet",
    contentType: "application/vnd.apache.parquet",
    fileName: "buyers-2026-03-10.parquet",
    rowCount: 3,
    byteSize: bytes.length,
    contentSha256: createHash("sha256").update(bytes).digest("hex"),
  })
  expect(await rowsOf(`from '${file}'`)).toEqual(await resultsOf(run))
  expect(
    (await server.sdk.exports.create(audienceId, runId, { exportType: "parquet" })).export.id,
  ).toBe(asked.id)
  const refused = await ask(server, "POST", `${runPath(run)}/exports`, {
    body: { exportType: "xlsx" },
  })
  expect(refused.status).toBe(400)
})

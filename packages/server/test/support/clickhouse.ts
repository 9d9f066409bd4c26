// A ClickHouse for tests: the server in CLICKHOUSE_URL, or chdb's engine in a separate process, one for each test
// process. With CLICKHOUSE_CLUSTER, every suite uses that cluster of the server. Each `clickHouseDatabase` is a new,
// empty one.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { inject } from "vitest"
import { runFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import {
  type ClickHouse,
  clickHouseAt,
} from "../../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { clickHouseSignals } from "../../src/intent/signals/clickhouse/signals-store.ts"
import { RowBinary } from "../../src/platform/outbound/clickhouse/row-binary.ts"
import { RemoteSignals } from "../../src/intent/signals/remote-signals-store.ts"
import { installChdb, startChdb } from "./chdb-server.ts"
import "./database-setup.ts"

/** The folder of chdb's server. The first process of the run that asks installs it, and the others wait. */
const chdb = async (): Promise<string> => {
  const folder = join(runFolder(), "chdb")
  const outcome = join(folder, "installed")
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await writeFile(outcome, `${await installChdb(folder).then(() => "", String)}\n`)
  }
  for (const end = Date.now() + 230_000; Date.now() < end; await sleep(200)) {
    const said = await readFile(outcome, "utf8").catch(() => "")
    if (said === "\n") return folder
    if (said !== "") throw new Error(`chdb could not be installed: ${said}`)
  }
  throw new Error("chdb was not installed within 230 seconds")
}

const startedChdb = async (): Promise<string> => {
  const directory = await mkdtemp(join(inject("temporaryDirectory"), "chdb-"))
  return (await startChdb(await chdb(), directory)).url
}

let started: Promise<string> | undefined

/** The cluster of a server that the environment names. */
const realCluster =
  process.env["CLICKHOUSE_URL"] === undefined ? undefined : process.env["CLICKHOUSE_CLUSTER"]

/** Whether this run of a suite is on a cluster. The file that imports the suite decides. */
const isOnCluster = process.env["SIGNALS_ON_CLUSTER"] === "on" || realCluster !== undefined

/** Chdb has a cluster, which a server may lack. */
const isReal =
  process.env["CLICKHOUSE_URL"] !== undefined && (!isOnCluster || realCluster !== undefined)

/** Two shards. */
export const clickHouseCluster = isOnCluster ? (realCluster ?? "footfall") : undefined

const newDatabase = async (server: string, cluster: string | undefined): Promise<string> => {
  const url = new URL(server)
  url.pathname = "/default"
  const name = `footfall_test_${randomBytes(8).toString("hex")}`
  const client = clickHouseAt(url.href)
  const where = cluster === undefined ? "" : ` on cluster '${cluster}'`
  await Effect.runPromise(client.run(`create database ${name}${where}`))
  await Effect.runPromise(client.close)
  url.pathname = `/${name}`
  return url.href
}

/** Its address, in the form of the configuration. */
export const clickHouseDatabase = async (): Promise<string> =>
  newDatabase(
    isReal ? process.env["CLICKHOUSE_URL"]! : await (started ??= startedChdb()),
    clickHouseCluster,
  )

/** One of chdb, which has clusters with servers that are down. */
export const chdbDatabase = async (): Promise<string> =>
  newDatabase(await (started ??= startedChdb()), undefined)

/** Whether this run of a suite keeps imported signals in ClickHouse. The file that imports the suite decides. */
export const isInClickHouse = process.env["SIGNAL_STORE"] === "clickhouse"

/** The database behind `testRemoteSignals`. */
export const TestClickHouse = Context.Reference<ClickHouse | undefined>("test/TestClickHouse", {
  defaultValue: () => undefined,
})

/** Signals in ClickHouse, if this run keeps them there. */
export const testRemoteSignals = isInClickHouse
  ? Layer.effect(
      RemoteSignals,
      Effect.flatMap(TestClickHouse, (clickHouse) =>
        // Its first use creates the tables, which tests read.
        Effect.tap(
          clickHouseSignals(clickHouse!, { cluster: clickHouseCluster, takesNew: true }),
          ({ clean }) => clean,
        ),
      ),
    ).pipe(
      Layer.provideMerge(
        Layer.effect(
          TestClickHouse,
          Effect.gen(function* () {
            const client = clickHouseAt(yield* Effect.promise(clickHouseDatabase))
            yield* Effect.addFinalizer(() => client.close)
            return client
          }),
        ),
      ),
    )
  : Layer.empty

/** Moves imported signals that a test has written to Postgres to where this run keeps them. */
export const moveSignals = Effect.gen(function* () {
  const remote = yield* RemoteSignals
  if (remote === undefined) return
  const sql = yield* SqlClient.SqlClient
  const dates = yield* sql<{ organizationId: string; date: string }>`
    select organization_id as "organizationId", date from signal_date where origin = 'import'`
  for (const of of dates) {
    const isOf = sql`
      organization_id = ${of.organizationId} and date = ${of.date}::date and origin = 'import'`
    const blocks = yield* sql<{ topicId: number; score: number; people: ReadonlyArray<number> }>`
      delete from signal where ${isOf} returning topic_id as "topicId", score, people`
    yield* sql`delete from signal_date where ${isOf}`
    const written = blocks.map((block) => ({ ...block, people: Int32Array.from(block.people) }))
    const date = yield* remote.open(of)
    yield* date!.write({ written, gone: [] })
    yield* date!.publish(written.reduce((sum, { people }) => sum + people.length, 0))
  }
})

/** The sets in ClickHouse that Postgres names, as lines of `stateOf`. */
export const remoteSignalLines = Effect.gen(function* () {
  const clickHouse = yield* TestClickHouse
  if (clickHouse === undefined) return []
  const sql = yield* SqlClient.SqlClient
  const bytes = yield* clickHouse.query(
    "select toString(generation), topic_id, score, person from footfall_signal",
  )
  const signals = []
  for (const rows = new RowBinary(bytes); rows.hasMore;) {
    const generation = rows.text()
    const [topicId, score, person] = [rows.integer(), rows.byte(), rows.integer()]
    signals.push({ generation, topicId, score, person })
  }
  const lines = yield* sql<{ line: string }>`
    select concat_ws(' ', day.organization_id, day.origin, day.date, said."topicId", said.score,
      encode(p.email_hash, 'hex')) as line
    from jsonb_to_recordset(${JSON.stringify(signals)}::text::jsonb)
      as said (generation uuid, "topicId" integer, score integer, person integer)
    join signal_date as day on day.generation = said.generation
    left join signal_person as p on p.id = said.person
    where not exists (
      select from signal_gone as gone
      where gone.generation = said.generation and gone.person = said.person
    )`
  return lines.map(({ line }) => line)
})

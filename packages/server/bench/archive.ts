// Old events on their way to ClickHouse (spec 18.3): how many move in a second, how long each part takes, and how much
// space they take before and after. ARCHIVE_EVENTS=2000000 for more events.
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { EventArchive, EventArchiveDays } from "../src/people/archive/event-archive.ts"
import { EventArchiveStore } from "../src/people/archive/store.ts"
import {
  clickHouseAt,
  OperatorClickHouse,
  type ProvidedClickHouse,
} from "../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary } from "../src/platform/outbound/clickhouse/row-binary.ts"
import { startClickHouse } from "./clickhouse.ts"
import { type BenchPostgres, query } from "./database.ts"
import { domain, type Fixture, makeFixture } from "./fixture.ts"
import type { Row } from "./report.ts"
import { runServices } from "./run-services.ts"

const count = Number(process.env["ARCHIVE_EVENTS"] ?? 200_000)
const days = 10
const archiveDays = 100

const parts = ["read from Postgres", "write", "read back", "delete from Postgres"] as const
type Part = (typeof parts)[number]

export const archive = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_archive")
  await fillEvents(database, await makeFixture(database))
  const clickHouse = await startClickHouse()
  const { close, ...client } = clickHouseAt(clickHouse.address)
  const services = runServices(database)
  const spent = new Map<Part, number>()
  const timed =
    (part: Part) =>
    <A>(work: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.suspend(() => {
        const begin = performance.now()
        return Effect.tap(work, () =>
          Effect.sync(() => {
            spent.set(part, (spent.get(part) ?? 0) + performance.now() - begin)
          }),
        )
      })
  const timedClient: ProvidedClickHouse = {
    ...client,
    cluster: undefined,
    query: (statement) => timed("read back")(client.query(statement)),
    insert: (statement, rows) => timed("write")(client.insert(statement, rows)),
  }
  const move = Effect.gen(function* () {
    const store = yield* EventArchiveStore
    const archive = yield* EventArchive.pipe(
      Effect.provide(Layer.fresh(EventArchive.layer)),
      Effect.provideService(EventArchiveStore, {
        ...store,
        next: (...of) => timed("read from Postgres")(store.next(...of)),
        remove: (...of) => timed("delete from Postgres")(store.remove(...of)),
      }),
      Effect.provideService(OperatorClickHouse, timedClient),
      Effect.provideService(EventArchiveDays, archiveDays),
    )
    yield* archive.move
  })
  try {
    const before = await bytesInPostgres(database)
    const cpu = process.cpuUsage()
    const begin = performance.now()
    await services.runPromise(move)
    const seconds = (performance.now() - begin) / 1_000
    const { system, user } = process.cpuUsage(cpu)
    const [left] = await query(database, "select count(*)::int as events from event")
    const clickHouseCount = (of: string) =>
      Effect.runPromise(
        Effect.map(client.query(`select ${of}`), (answer) => new RowBinary(answer).count()),
      )
    const moved = await clickHouseCount("count() from footfall_event final")
    if (left?.["events"] !== 0 || moved !== count) {
      throw new Error(`${String(left?.["events"])} of ${count} events are left, ${moved} moved`)
    }
    const bytes = await clickHouseCount(
      `sum(bytes_on_disk) from system.parts
       where active and database = currentDatabase() and table = 'footfall_event'`,
    )
    const name = `archive of ${count.toLocaleString("en")} events`
    return [
      {
        name: `${name}: events/s`,
        floor: `${seconds.toFixed(1)} s`,
        ours: `${(count / seconds).toFixed(0)}/s`,
        ratio: count / seconds,
      },
      {
        name: `${name}: processor time of Node`,
        floor: "-",
        ours: `${((user + system) / 1e6).toFixed(1)} s`,
        ratio: (user + system) / 1e6,
      },
      ...parts.map((part) => ({
        name: `${name}: ${part}`,
        floor: "-",
        ours: `${((spent.get(part) ?? 0) / 1_000).toFixed(1)} s`,
        ratio: (spent.get(part) ?? 0) / 1_000,
      })),
      {
        name: `${name}: bytes of an event, Postgres and ClickHouse`,
        floor: `${(before / count).toFixed(0)} B`,
        ours: `${(bytes / count).toFixed(0)} B`,
        ratio: bytes / before,
      },
    ]
  } finally {
    await services.dispose()
    await Effect.runPromise(close)
    await clickHouse.close()
    await postgres.drop("bench_archive")
  }
}

/** Evenly spread over days that are old enough, four events a session, a tenth of them identify calls. */
const fillEvents = async (
  database: string,
  { organizationId, pixelId }: Fixture,
): Promise<void> => {
  for (let day = 0; day < days; day++) {
    const on = `((now() at time zone 'utc')::date - ${archiveDays + 1 + day})`
    const [made] = await query(
      database,
      `select to_char(${on}, 'YYYY-MM-DD') as first, to_char(${on} + 1, 'YYYY-MM-DD') as next`,
    )
    const first = String(made!["first"])
    await query(
      database,
      `create table event_${first.replaceAll("-", "")} partition of event
       for values from ('${first}') to ('${String(made!["next"])}')`,
    )
    await query(
      database,
      `insert into event (organization_id, received_on, pixel_id, id, received_at, anonymous_id,
         session_id, type, occurred_at, url, payload)
       select '${organizationId}', '${first}', '${pixelId}', gen_random_uuid(), at,
         ('00000000-0000-4000-8000-' || lpad(to_hex(n / 8), 12, '0'))::uuid,
         ('00000000-0000-4001-8000-' || lpad(to_hex(n / 4), 12, '0'))::uuid,
         case when n % 10 = 0 then 'identify' else 'page' end, at,
         'https://${domain}/products/' || n % 500,
         case when n % 10 = 0
           then jsonb_build_object('k', 'granted', 'd', 'desktop', 'g', 'DE', 'i', '203.0.113.0',
             'e', 'person' || n || '@company' || n % 5000 || '.example')
           else jsonb_build_object('k', 'granted', 'd', 'desktop', 'g', 'DE', 'i', '203.0.113.0',
             't', 'Product ' || n % 500 || ' of Tidewater', 'r', 'https://search.example/',
             'ch', 'search', 'u', jsonb_build_object('source', 'newsletter', 'medium', 'email'))
         end
       from (
         select n, '${first}'::date at time zone 'utc' + n * interval '1 day' / ${count} as at
         from generate_series(${day}, ${count - 1}, ${days}) as n
       ) as event`,
    )
  }
  await query(database, "vacuum analyze event")
}

const bytesInPostgres = async (database: string): Promise<number> => {
  const [row] = await query(
    database,
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
     where inhparent = 'event'::regclass`,
  )
  return Number(row!["bytes"])
}

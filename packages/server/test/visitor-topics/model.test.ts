// Random signals and visitors with aliases: the topics that are found for visitors are those that audiences find, evaluated
// in memory (spec 2.8, 3.3). Visitors, links and signals arrive in any order.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { normalizeConfig } from "../../src/intent/audiences/config.ts"
import { evaluate } from "../audiences/naive.ts"
import { putWorld } from "../audiences/put-world.ts"
import { dataDate, type Owner, topicIds, type World, world } from "../audiences/world.ts"
import { isInClickHouse } from "../support/clickhouse.ts"
import { startOver, settleTopics, topicsOf, visitorTopicsLayer } from "./visitor-topics-layer.ts"

const worlds = isInClickHouse ? 10 : 60
const day = (before: number) =>
  new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)

const populated = world.filter(({ visitors }) => visitors.length > 1)

/** With today as its data date. */
const dated = (scene: World): World => ({
  ...scene,
  signals: scene.signals.map((signal) => ({
    ...signal,
    date: day(signal.date === dataDate ? 0 : 1),
  })),
})

/** As the other organization sees it, which has erased no one. */
const swapped = (scene: World): World => {
  const other = { ours: "theirs", theirs: "ours", shared: "shared" } as const
  const swap = <One extends { readonly owner: Owner }>(all: ReadonlyArray<One>) =>
    all.map((one) => ({ ...one, owner: other[one.owner] }))
  return {
    people: swap(scene.people),
    visitors: swap(scene.visitors) as World["visitors"],
    leads: swap(scene.leads),
    signals: swap(scene.signals),
    rules: [],
    erased: [],
  }
}

/** Every visitor's topics on the data date. */
const expectedOf = (scene: World): ReadonlyArray<string> => {
  const usable = scene.signals.filter(({ owner }) => owner !== "theirs")
  const dates = (origin: string) =>
    usable.filter((one) => one.origin === origin).map(({ date }) => date)
  const newest = dates("import").toSorted().at(-1) ?? dates("pixel").toSorted().at(-1)
  const present: World = {
    ...scene,
    rules: [],
    signals: usable
      .filter(({ date }) => date === newest)
      .map((signal) => ({ ...signal, date: dataDate })),
  }
  return topicIds
    .flatMap((topicId) =>
      evaluate(present, normalizeConfig({ topicIds: [topicId], minScore: 1 })).flatMap(
        ({ hem, known, score }) =>
          known.visitor === undefined ? [] : [`${hem} ${topicId} ${score}`],
      ),
    )
    .toSorted()
}

/** Takes rows away, and returns how to put them back. */
const without = Effect.fnUntraced(function* (table: string, every: number) {
  const sql = yield* SqlClient.SqlClient
  const [columns] = yield* sql<{ readonly names: string }>`
    select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attidentity = ''`
  const names = sql.literal(columns!.names)
  const rows = yield* sql<{ readonly row: unknown }>`
    delete from ${sql(table)} as one
    where hashtext(one::text) % ${every} = 0 returning to_jsonb(one) as row`
  return sql`
    insert into ${sql(table)} (${names}) select ${names}
    from jsonb_populate_recordset(
      null::${sql.literal(table)}, ${JSON.stringify(rows.map(({ row }) => row))}::text::jsonb
    )`
})

layer(visitorTopicsLayer)("the topics of visitors", (it) => {
  it.effect(
    "are those that audiences find, in whatever order visitors, links and signals arrive",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const services =
          yield* Effect.context<
            Effect.Services<typeof settleTopics | ReturnType<typeof putWorld>>
          >()
        let found = 0

        const check = (scene: World) =>
          Effect.gen(function* () {
            yield* startOver
            const { ours, theirs } = yield* putWorld(scene)
            // Visitors go with their addresses, whose trigger notes them as they come back.
            const parts = [
              yield* without("visitor_address", 2),
              yield* without("visitor", 3),
              yield* without("person_address", 2),
              ...(isInClickHouse ? [] : [yield* without("signal", 2)]),
            ]
            yield* settleTopics
            const [address, visitor, ...others] = parts
            yield* visitor!
            yield* address!
            yield* settleTopics
            for (const part of others) yield* part
            yield* sql`update signal_date set updated_at = clock_timestamp()`
            yield* sql`
              insert into people_version as known (organization_id, version)
              select id, 1 from organization on conflict (organization_id)
              do update set version = known.version + 1`
            yield* settleTopics

            const expected = [expectedOf(scene), expectedOf(swapped(scene))]
            assert.deepStrictEqual(
              [yield* topicsOf(ours), yield* topicsOf(theirs)],
              expected.map((lines) => [...lines]),
            )
            found += expected.flat().length

            yield* sql`delete from visitor`
            for (const table of ["visitor_topic", "visitor_number", "visitor_topic_stale"]) {
              assert.deepStrictEqual([table, yield* sql`select * from ${sql(table)}`], [table, []])
            }
          })

        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(populated, (scene) =>
              Effect.runPromiseWith(services)(check(dated(scene))),
            ),
            {
              numRuns: worlds,
              seed: Number(process.env["SEED"] ?? 20_261_130),
              endOnFailure: true,
            },
          ),
        )

        assert.isAtLeast(found, worlds)
      }),
    300_000,
  )
})

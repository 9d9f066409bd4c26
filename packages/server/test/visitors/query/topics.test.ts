// Topics and intent scores in rules (spec 3.3): each test is a look-up by index, in both scopes, of people and companies.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import type { Predicate } from "../../../src/people/visitors/query/predicate.ts"
import { VisitorStore } from "../../../src/people/visitors/store.ts"
import { crowd, scene, scopeOf, storesLayer } from "../visitors-layer.ts"

const rare: Predicate = { field: "intent.topics", op: "any_in", value: [7_000, 7_001] }

const rules: ReadonlyArray<readonly [Predicate, number]> = [
  [rare, 1],
  [{ field: "intent.topics", op: "none_in", value: [1, 2, 3] }, 2_000],
  [{ field: "intent.topics", op: "count_gte", value: 4 }, 1],
  [{ field: "intent.score", of: 7_000, op: "gte", value: 90 }, 1],
  [{ field: "intent.score", of: 7_000, op: "gt", value: 90 }, 0],
  [{ field: "intent.score", op: "between", value: [50, 100] }, 2_000],
  [{ field: "intent.score", op: "exists", value: false }, 2_000],
  [{ field: "intent.score", of: 4_294_967_296, op: "exists", value: true }, 0],
  [{ field: "intent.topics", op: "any_in", value: [1e300, -0.5] }, 0],
]

layer(storesLayer, { excludeTestServices: true })("topics of visitors in rules", (it) => {
  it.effect("are found by an index, also for one topic among all visitors", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VisitorStore
      const tenant = yield* scene(crowd(4_000))
      yield* sql`
        insert into visitor_topic (organization_id, visitor_id, source_id, topic_id, score)
        select organization_id, id, source, topic, 50 + topic
        from (
          select *, row_number() over (order by email) as place from visitor
          where organization_id = ${tenant.organizationId}
        ) as one
        cross join unnest(array[70, 71]) as source
        cross join generate_series(1, 3) as topic
        where place % 2 = 0`
      yield* sql`
        insert into visitor_topic (organization_id, visitor_id, source_id, topic_id, score)
        select organization_id, visitor_id, 71, 7000, 90 from visitor_topic
        where organization_id = ${tenant.organizationId} limit 1`
      // Of other organizations.
      yield* sql`
        insert into visitor_topic (organization_id, visitor_id, source_id, topic_id, score)
        select md5((n % 20)::text)::uuid, gen_random_uuid(), 71, n % 3, 50
        from generate_series(1, 200000) as n`
      yield* sql`
        insert into visitor_topic_basis (organization_id, sources)
        values (${tenant.organizationId}, '{71}')`
      yield* sql`
        vacuum analyze visitor, visitor_pixel, visitor_address, session, visitor_topic,
          visitor_topic_basis`

      for (const pixelId of [undefined, tenant.pixelId]) {
        for (const [rule, count] of rules) {
          const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
          const scope = { ...scopeOf(tenant), pixelId, rule }

          const found = yield* store.count(scope).pipe(
            Effect.provideService(Statement.CurrentTransformer, (statement) => {
              statements.push(statement.compile())
              return Effect.succeed(statement)
            }),
          )

          assert.strictEqual(found, count, JSON.stringify(rule))
          const [text, values] = statements.find(([each]) => each.includes("visitor_topic"))!
          const plan = (yield* sql.unsafe<Record<string, string>>(
            `explain (costs off) ${text}`,
            values,
          ))
            .map((row) => row["QUERY PLAN"])
            .join("\n")
          const about = `${JSON.stringify(rule)}\n${plan}`
          assert.match(plan, /(?:using|on) visitor_topic_(?:pkey|source_topic)/, about)
          assert.notMatch(plan, /Seq Scan on visitor_topic /, about)
          if (rule === rare) assert.match(plan, /visitor_topic_source_topic/)
        }
      }
    }),
  )
})

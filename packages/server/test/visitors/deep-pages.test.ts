// A deep page by cursor costs the same as the first one (spec 1.6.9), because it is found by key. A page by number is
// found using only the index. The tests check the store's calls and the plan, never the time.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import type { ListStart } from "../../src/platform/database/lists.ts"
import { VisitorStore } from "../../src/people/visitors/store.ts"
import { Visitors } from "../../src/people/visitors/visitors.ts"
import {
  at,
  crowd,
  day,
  emailsOf,
  everyone,
  hour,
  makePixel,
  now,
  scene,
  scopeOf,
  secretOf,
  serviceLayer,
  storesLayer,
  type Tenant,
} from "./visitors-layer.ts"

const secret = secretOf("first")

/** The service on a store that records where each page began and how many counts there were. */
const watched = Effect.gen(function* () {
  const store = yield* VisitorStore
  const positions: Array<ListStart> = []
  const counts: Array<number> = []
  const noting = Layer.succeed(VisitorStore, {
    ...store,
    list: (scope, position, limit) => {
      positions.push(position)
      return store.list(scope, position, limit)
    },
    count: (scope) =>
      Effect.tap(store.count(scope), (total) => Effect.sync(() => counts.push(total))),
  })
  const context = yield* Layer.build(Layer.fresh(serviceLayer(secret).pipe(Layer.provide(noting))))
  const page = (tenant: Tenant, position: { page: number } | { cursor: string }, moment = now) =>
    Effect.flatMap(Visitors, (visitors) => visitors.list(everyone(tenant), position)).pipe(
      Effect.provideContext(context),
      at(moment),
    )
  return { page, positions, counts }
})

const kinds = (positions: ReadonlyArray<ListStart>) =>
  positions.map((position) => ("after" in position ? "after" : position.offset))

layer(storesLayer, { excludeTestServices: true })("deep pages", (it) => {
  it.effect("pages by cursor are found by key, even by a process that never saw the first", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(320))
      const one = yield* watched
      const other = yield* watched

      const first = yield* one.page(tenant, { page: 1 })
      const second = yield* other.page(tenant, { cursor: first.nextCursor! })

      assert.deepStrictEqual([kinds(other.positions), other.counts], [["after"], []])
      assert.strictEqual(second.total, 320)
    }),
  )

  it.effect("a page by number has the same people as the page that cursors lead to", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(320, 40))
      const { page, positions } = yield* watched
      const byNumber = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], (number) =>
        page(tenant, { page: number }),
      )

      const byCursor = [yield* page(tenant, { page: 1 })]
      for (let next = byCursor[0]!.nextCursor; next !== null; next = byCursor.at(-1)!.nextCursor) {
        byCursor.push(yield* page(tenant, { cursor: next }))
      }

      assert.deepStrictEqual(byNumber.map(emailsOf), byCursor.map(emailsOf))
      assert.deepStrictEqual(kinds(positions.slice(0, 7)), [0, 50, 100, 150, 200, 250, 300])
    }),
  )

  it.effect("the store reads only the page's own day, or begins at a key, in both scopes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VisitorStore
      const today = crowd(4_000)
      const earlier = Array.from({ length: 3_000 }, (_, index) => ({
        email: `e${index}@acme.example`,
        at: now - (1 + Math.floor(index / 1_000)) * day - hour,
      }))
      const tenant = yield* scene([...today, ...earlier])
      yield* makePixel(tenant.organizationId, "other.example")
      yield* sql`vacuum analyze visitor, visitor_pixel, visitor_address, session`
      const plans = Effect.fnUntraced(function* (position: ListStart) {
        const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
        for (const pixelId of [undefined, tenant.pixelId]) {
          yield* store.list({ ...scopeOf(tenant), pixelId }, position, 51).pipe(
            Effect.provideService(Statement.CurrentTransformer, (statement) => {
              statements.push(statement.compile())
              return Effect.succeed(statement)
            }),
          )
        }
        return yield* Effect.forEach(statements, ([text, values]) =>
          Effect.map(
            sql.unsafe<Record<string, string>>(
              `explain (analyze, costs off, timing off, buffers off) ${text}`,
              values,
            ),
            (rows) => rows.map((row) => row["QUERY PLAN"]).join("\n"),
          ),
        )
      })

      const [whole = "", onPixel = ""] = yield* plans({ offset: 1_000 })
      const [wholeEarlier = "", onPixelEarlier = ""] = yield* plans({ offset: 6_100 })
      const [wholeAfter = "", onPixelAfter = ""] = yield* plans({
        after: [new Date(now - 3_600_000 - 3_000_000).toISOString(), "0"],
      })

      assert.match(whole, /Index Only Scan using visitor_last_seen on visitor .*rows=1051/)
      assert.match(onPixel, /Index Only Scan using visitor_pixel_last_seen .*rows=1051/)
      // 6,000 people were seen on later days.
      assert.match(wholeEarlier, /Index Only Scan using visitor_last_seen on visitor .*rows=151/)
      assert.match(onPixelEarlier, /Index Only Scan using visitor_pixel_last_seen .*rows=151/)
      assert.match(wholeAfter, /Index Only Scan using visitor_last_seen on visitor .*rows=5[12]\b/)
      assert.match(onPixelAfter, /Index Only Scan using visitor_pixel_last_seen .*rows=5[12]\b/)
      // 51 people are joined and summed up, never the skipped ones.
      for (const plan of [
        ...[whole, onPixel, wholeEarlier, onPixelEarlier, wholeAfter, onPixelAfter],
      ]) {
        assert.match(plan, /CTE Scan on page \(actual rows=51/)
      }
    }),
  )
})

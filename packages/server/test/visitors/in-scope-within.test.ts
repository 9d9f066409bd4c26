// Checking within another transaction who is in scope: there is a time limit, and a failed query leaves the
// transaction and its own limit unchanged.
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ListScope } from "../../src/people/visitors/list-scope.ts"
import { VisitorStore } from "../../src/people/visitors/store.ts"
import { TestDatabase } from "../support/database.ts"

const testLayer = Layer.provideMerge(VisitorStore.layer, TestDatabase.layer)
const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"

const ask = Effect.gen(function* () {
  const visitors = yield* VisitorStore
  const asOf = yield* DateTime.now
  const scope: ListScope = {
    organizationId,
    pixelId: undefined,
    isEmpty: false,
    timeframe: "all",
    asOf,
    from: undefined,
    suppressed: "exclude",
  }
  return yield* visitors.inScopeWithin(scope, [organizationId], 100)
})

const limit = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select current_setting('statement_timeout') as limit`,
)

layer(testLayer, { excludeTestServices: true })("who is in scope", (it) => {
  it.effect("fails at its time limit, and the transaction continues", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const isLocked = yield* Deferred.make<void>()
      const isOver = yield* Deferred.make<void>()
      const locking = yield* sql`lock table visitor in access exclusive mode`.pipe(
        Effect.andThen(Deferred.succeed(isLocked, undefined)),
        Effect.andThen(Deferred.await(isOver)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(isLocked)

      const [result, after] = yield* sql.withTransaction(Effect.all([Effect.flip(ask), limit]))

      assert.strictEqual(result._tag, "StatementTimedOut")
      assert.deepStrictEqual(after, [{ limit: "10s" }])
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(locking)
      const [found, again] = yield* sql.withTransaction(Effect.all([ask, limit]))
      assert.deepStrictEqual([found, again], [new Set<string>(), [{ limit: "10s" }]])
    }),
  )
})

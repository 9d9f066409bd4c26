import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../../src/database/database.ts"
import { TestDatabase } from "../support/database.ts"

layer(TestDatabase.layer)("the database", (it) => {
  it.effect("has a limit on every session", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const [settings] = yield* sql`
        select
          current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('application_name') as name,
          current_setting('timezone') as timezone`

      assert.deepStrictEqual(settings, {
        statement: "10s",
        lock: "5s",
        idle: "15s",
        name: "footfall",
        timezone: "UTC",
      })
    }),
  )

  it.effect("is called postgres where an address is given", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Database).kind, "postgres")
    }),
  )
})

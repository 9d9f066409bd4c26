// Sessions from before rules could match their paths, forms and events get these from stored data, like
// identification would have written them (migration 0005).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { statements } from "../../../src/platform/database/migrations/0005-query.ts"
import { textsOfLines } from "../../../src/people/visitors/query/lines.ts"
import { arrive, drain, event, testLayer } from "../../identification/identification-layer.ts"

interface Row {
  readonly id: string
  readonly paths: string
  readonly custom_events: string
  readonly form_submissions: number
}

const said = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`
    select id, paths, custom_events, form_submissions from session order by id`
  return rows.map(({ custom_events, paths, ...row }) => ({
    ...row,
    paths: textsOfLines(paths).toSorted(),
    events: textsOfLines(custom_events).toSorted(),
  }))
})

layer(testLayer, { excludeTestServices: true })("sessions of an earlier version", (it) => {
  it.effect("contain what identification would have written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const track = (minutes: number, name: string) =>
        event(minutes, { type: "track", payload: { n: name } })
      yield* arrive(
        event(0, { url: "https://tidewater.example/Pricing" }),
        event(1, { url: "http://localhost:4100/pricing" }),
        event(2, { url: `https://tidewater.example/${"x".repeat(600)}` }),
        track(3, "Signed\nUp ÄÖÜ"),
        track(4, "signed up äöü"),
        track(5, "Checkout"),
        event(6, { type: "capture", payload: { e: "jane@acme.example" } }),
        event(7, { type: "capture", payload: { e: "jane@acme.example" } }),
        event(200),
        event(400, { type: "heartbeat", payload: { s: 1 } }),
      )
      yield* drain
      const written = yield* said
      assert.deepStrictEqual(written.map((row) => row.form_submissions).toSorted(), [0, 0, 2])
      yield* sql`update session set paths = '', custom_events = '', form_submissions = 0`

      for (const statement of statements().filter((text) => text.startsWith("update session"))) {
        yield* sql.unsafe(statement)
      }

      assert.deepStrictEqual(yield* said, written)
    }),
  )
})

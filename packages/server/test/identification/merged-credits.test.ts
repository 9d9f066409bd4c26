// The credits of two visitors who turn out to be one person (spec 2.5: one credit per person; no refunds).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CreditStore } from "../../src/people/credits/store.ts"
import { credits, identifyAll, makeOrganization, setLimit, setSuppressed } from "./credits-layer.ts"
import { testLayer } from "./identification-layer.ts"

const [ann, bob, cid, dot] = ["ann@a.example", "bob@b.example", "cid@c.example", "dot@d.example"]

/** Merges people by address and deletes the losers' rows, as in an import. */
const merge = Effect.fnUntraced(function* (
  organizationId: string,
  survivor: string,
  ...losers: ReadonlyArray<string>
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string; email: string }>`
    select id, email from visitor where organization_id = ${organizationId}`
  const idOf = (email: string) => rows.find((row) => row.email === email)?.id ?? ""
  const store = yield* CreditStore
  yield* store.merge(
    losers.map((loser) => ({ organizationId, survivorId: idOf(survivor), loserId: idOf(loser) })),
  )
  for (const loser of losers) {
    yield* sql`
      update visitor_pixel set visitor_id = ${idOf(survivor)}, pixel_id = ${idOf(loser)}
      where organization_id = ${organizationId} and visitor_id = ${idOf(loser)}`
    yield* sql`
      delete from visitor where organization_id = ${organizationId} and id = ${idOf(loser)}`
  }
})

const remaining = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select count(*)::int as rows from credit where organization_id = ${organizationId}`
  return { ...(yield* credits(organizationId)), rows: rows[0]?.["rows"] }
})

layer(testLayer, { excludeTestServices: true })("credits of merged people", (it) => {
  it.effect("both were charged: the survivor's credit stays, the month keeps both", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(null)
      yield* identifyAll(organizationId, [ann, bob])

      yield* merge(organizationId, ann, bob)
      yield* identifyAll(organizationId, [ann])

      assert.deepStrictEqual(yield* remaining(organizationId), {
        used: 2,
        charged: [ann],
        heldBack: [],
        rows: 1,
      })
    }),
  )

  it.effect("only the loser was charged: the survivor has the credit and is released", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(1)
      yield* identifyAll(organizationId, [bob, ann])
      assert.deepStrictEqual((yield* credits(organizationId)).heldBack, [ann])

      yield* merge(organizationId, ann, bob)
      yield* identifyAll(organizationId, [ann])

      assert.deepStrictEqual(yield* remaining(organizationId), {
        used: 1,
        charged: [ann],
        heldBack: [],
        rows: 1,
      })
    }),
  )

  it.effect("only the survivor was charged: the loser's visits are shown", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(1)
      yield* identifyAll(organizationId, [ann, bob])

      yield* merge(organizationId, ann, bob)

      // Dies if a row of `visitor_pixel` is still held back.
      assert.deepStrictEqual((yield* remaining(organizationId)).charged, [ann])
    }),
  )

  it.effect(
    "all were held back: one person waits, in the position of the one held back longest",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(0)
        yield* identifyAll(organizationId, [cid, dot, ann, bob])

        yield* merge(organizationId, bob, cid, ann)
        yield* setLimit(organizationId, 1)
        yield* CreditStore.use((store) => store.release(organizationId, 10))

        assert.deepStrictEqual(yield* remaining(organizationId), {
          used: 1,
          charged: [bob],
          heldBack: [dot],
          rows: 1,
        })
      }),
  )

  it.effect(
    "one was held back, the other released without a credit: the person stays released",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(0)
        yield* identifyAll(organizationId, [ann, bob])
        yield* setSuppressed(organizationId, bob, true)
        yield* CreditStore.use((store) => store.release(organizationId, 10))

        yield* merge(organizationId, ann, bob)

        assert.deepStrictEqual((yield* remaining(organizationId)).heldBack, [])
      }),
  )

  it.effect("the credit of several losers is the earliest", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = yield* makeOrganization(null)
      yield* identifyAll(organizationId, [ann, bob, cid])
      yield* sql`
        delete from credit c using visitor v
        where v.organization_id = ${organizationId} and v.email = ${ann}
          and c.organization_id = v.organization_id and c.visitor_id = v.id`
      yield* sql`
        update credit c set month = '2026-01-01' from visitor v
        where v.organization_id = ${organizationId} and v.email = ${cid}
          and c.organization_id = v.organization_id and c.visitor_id = v.id`

      yield* merge(organizationId, ann, bob, cid)

      const rows = yield* sql`
        select to_char(month, 'YYYY-MM-DD') as month from credit
        where organization_id = ${organizationId}`
      assert.deepStrictEqual(rows, [{ month: "2026-01-01" }])
    }),
  )
})

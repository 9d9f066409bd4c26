// Full names in rules (spec 3.3): a whole name is found by its index, in both scopes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import type { PredicateOf } from "../../../src/people/visitors/query/predicate.ts"
import { VisitorStore } from "../../../src/people/visitors/store.ts"
import { crowd, scene, scopeOf, storesLayer } from "../visitors-layer.ts"

const named = (op: "eq" | "starts_with" | "neq", value: string): PredicateOf<"text"> => ({
  field: "contact.name",
  op,
  value,
})

layer(storesLayer, { excludeTestServices: true })("contact.name", (it) => {
  it.effect("a whole name is found by the index of names, in both scopes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VisitorStore
      const tenant = yield* scene(crowd(4_000))
      const ofTenant = sql`organization_id = ${tenant.organizationId}`
      yield* sql`
        update visitor set first_name = 'Person', last_name = substr(email, 1, strpos(email, '@') - 1)
        where ${ofTenant}`
      yield* sql`
        update visitor set first_name = 'ZOË', last_name = 'Müller-Lüdenscheidt'
        where ${ofTenant} and email = 'p3000@acme.example'`
      yield* sql`vacuum analyze visitor, visitor_pixel, visitor_address, session`

      for (const pixelId of [undefined, tenant.pixelId]) {
        const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
        const scope = {
          ...scopeOf(tenant),
          pixelId,
          rule: named("eq", "zoë müller-lüdenscheidt"),
        }

        const rows = yield* store.list(scope, { offset: 0 }, 51).pipe(
          Effect.provideService(Statement.CurrentTransformer, (statement) => {
            statements.push(statement.compile())
            return Effect.succeed(statement)
          }),
        )

        assert.deepStrictEqual(
          rows.map(({ email }) => email),
          ["p3000@acme.example"],
        )
        assert.strictEqual(yield* store.count(scope), 1)
        const [text, values] = statements.find(([each]) => each.includes("fold_case("))!
        const plan = (yield* sql.unsafe<Record<string, string>>(
          `explain (analyze, costs off, timing off, buffers off) ${text}`,
          values,
        ))
          .map((row) => row["QUERY PLAN"])
          .join("\n")
        assert.match(plan, /visitor_full_name/)
        assert.notMatch(plan, /Rows Removed by Filter: \d{3}/)
      }
    }),
  )

  it.effect("one part alone is the name, and an empty text is no one's name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VisitorStore
      const tenant = yield* scene(crowd(3))
      const name = (email: string, first: string | null, last: string | null) => sql`
        update visitor set first_name = ${first}, last_name = ${last}
        where organization_id = ${tenant.organizationId} and email = ${email}`
      yield* name("p0@acme.example", "Cher", null)
      yield* name("p1@acme.example", null, "Cher")
      const found = (rule: PredicateOf<"text">) => store.count({ ...scopeOf(tenant), rule })

      assert.strictEqual(yield* found(named("eq", "CHER")), 2)
      assert.strictEqual(yield* found(named("starts_with", "")), 2)
      assert.strictEqual(yield* found(named("eq", "")), 0)
      assert.strictEqual(yield* found(named("neq", "cher")), 1)
      assert.strictEqual(yield* found({ field: "contact.name", op: "exists", value: false }), 1)
    }),
  )
})

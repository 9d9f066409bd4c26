// How Postgres compares the values of a file with the rules or a list (spec 5.16): it reads each once, whatever its statistics
// say. They are always of before: a file has just arrived, and a list may have been filled a moment ago.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import {
  ImportChangesStore,
  type ImportTarget,
} from "../../src/people/file-imports/changes-store.ts"
import { FileImportStore } from "../../src/people/file-imports/store.ts"
import { ruleTypes } from "../../src/people/suppression/rule.ts"
import { TestDatabase } from "../support/database.ts"

const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
const otherOrganization = "9d2e5c1b-93f5-4d35-9f1e-8f0c7a1d2b34"
const listId = "6b1f0c8e-3f1d-4a57-9d29-5f0c1a7e2a44"
const otherList = "2a445f0c-3f1d-4a57-9d29-6b1f0c8e1a7e"
const importId = "f1b7c0de-5a0e-4c43-8f2b-64b2c55d9a10"
const earlierImport = "0e6f5c38-8d57-4f0c-9a34-5a4f7c0f6f11"
const at = "2026-11-29T12:00:00.000Z"
const rules = 2_000

const stage = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into staged_rule (import_id, file, line, type, value, match_key)
      select ${id}::uuid, 0, n, 'domain', n || '.example', n || '.example'
      from generate_series(1, ${rules}::int) as n`,
  )

const list = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into suppression_rule
        (organization_id, id, type, value, match_key, created_at, takes_part_at)
      select ${id}::uuid, gen_random_uuid(), 'domain', n || '.example', n || '.example', now(), now()
      from generate_series(1, ${rules}::int) as n`,
  )

const fillList = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into list_member (organization_id, list_id, key, value)
      select ${organizationId}::uuid, ${id}::uuid, n || '.example', n || '.example'
      from generate_series(1, ${rules}::int) as n`,
  )

/** Postgres knows an earlier import and another organization's list. Then this file and this list arrive. */
const arrive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const id of [listId, otherList]) {
    yield* sql`
      insert into list (organization_id, id, name, subject)
      values (${organizationId}, ${id}, 'Accounts', 'companies')`
  }
  for (const table of ["staged_rule", "suppression_rule", "list_member"]) {
    yield* sql`alter table ${sql.literal(table)} set (autovacuum_enabled = false)`
  }
  yield* stage(earlierImport)
  yield* list(otherOrganization)
  yield* fillList(otherList)
  yield* sql`analyze staged_rule, suppression_rule, list_member`
  yield* stage(importId)
  yield* list(organizationId)
  yield* fillList(listId)
})

/** So that a small table shows what a large one would get. */
const parallelIsCheap = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    select set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true),
      set_config('min_parallel_table_scan_size', '0', true),
      set_config('min_parallel_index_scan_size', '0', true)`,
)

type Store = ImportChangesStore["Service"]

const rulesTarget: ImportTarget = { organizationId, list: null }
const listTarget: ImportTarget = { organizationId, list: { id: listId, type: "domain" } }

const comparisons = (target: ImportTarget) =>
  ({
    compared: (store) => store.compared(target, importId),
    missing: (store) => store.missing(target, importId, ruleTypes),
    someNew: (store) => store.someNew(target, importId),
    "someRemoved, in the file": (store) => store.someRemoved(target, importId, ruleTypes, true),
    "someRemoved, not in the file": (store) =>
      store.someRemoved(target, importId, ruleTypes, false),
    // The primary key has the order of the rules of one type.
    "someRemoved, of one type, in the file": (store) =>
      store.someRemoved(target, importId, ["domain"], true),
    "someRemoved, of one type, not in the file": (store) =>
      store.someRemoved(target, importId, ["domain"], false),
  }) satisfies Readonly<Record<string, (store: Store) => Effect.Effect<unknown, unknown>>>

const statements: ReadonlyArray<
  readonly [name: string, (store: Store) => Effect.Effect<unknown, unknown>]
> = [
  ...Object.entries(comparisons(rulesTarget)),
  ...Object.entries(comparisons(listTarget)).map(
    ([name, run]) => [`${name}, of a list`, run] as const,
  ),
  ["insertRules", (store) => store.insertRules(organizationId, importId, at)],
  [
    "removeRules, in the file",
    (store) => store.removeRules(organizationId, importId, ruleTypes, true, at),
  ],
  [
    "removeRules, not in the file",
    (store) => store.removeRules(organizationId, importId, ruleTypes, false, at),
  ],
  [
    "removeMembers, in the file",
    (store) => store.removeMembers(listTarget, listTarget.list!, importId, true),
  ],
  [
    "removeMembers, not in the file",
    (store) => store.removeMembers(listTarget, listTarget.list!, importId, false),
  ],
]

const settles = Effect.flatMap(FileImportStore, (staging) =>
  shown("settle", () => staging.settle(importId)),
)

/** How Postgres would run the last statement that this sends. */
const planOf = Effect.fnUntraced(function* (
  run: (store: Store) => Effect.Effect<unknown, unknown>,
) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* ImportChangesStore
  const staging = yield* FileImportStore
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* parallelIsCheap
  yield* staging.prepare
  yield* run(store).pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) => {
      sent.push(statement.compile())
      return Effect.succeed(statement)
    }),
  )
  const [text, values] = sent.at(-1)!
  const rows = yield* sql.unsafe<Record<string, string>>(`explain (costs off) ${text}`, values)
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
})

const shown = Effect.fnUntraced(function* (
  name: string,
  run: (store: Store) => Effect.Effect<unknown, unknown>,
) {
  const sql = yield* SqlClient.SqlClient
  const plan = Effect.map(planOf(run), (plan) => {
    assert.match(plan, /Hash/, name)
    assert.notMatch(plan, /Nested Loop|Merge|Gather/, name)
  })
  // What the statement changed is undone.
  const outcome = sql.withTransaction(Effect.andThen(plan, Effect.fail("undone")))
  assert.strictEqual(yield* Effect.flip(outcome), "undone")
})

const compares = Effect.andThen(
  settles,
  Effect.forEach(statements, ([name, run]) => shown(name, run), { discard: true }),
)

const stores = Layer.merge(FileImportStore.layer, ImportChangesStore.layer)

layer(stores.pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true,
})("a file of rules that has just arrived", (it) => {
  it.effect("is compared with a list that has just grown in one reading, by one process", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* arrive
      yield* compares
      yield* sql`analyze staged_rule, suppression_rule, list_member`
      yield* compares
    }),
  )
})

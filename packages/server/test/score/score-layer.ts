// Computing scores on a separate database.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ScoreComputing } from "../../src/people/score/computing.ts"
import { ScoreComputingStore } from "../../src/people/score/computing-store.ts"
import type { ScoreConfig } from "../../src/people/score/score.ts"
import { TestDatabase } from "../support/database.ts"
import { at } from "../visitors/visitors-layer.ts"

export const scoreComputing = Layer.provide(ScoreComputing.layer, ScoreComputingStore.layer)

export const scoreLayer = Layer.provideMerge(scoreComputing, TestDatabase.layer)

/** Puts settings in force as a request does, without its round. */
export const useSettings = Effect.fnUntraced(function* (
  organizationId: string,
  config: ScoreConfig,
  revision: number,
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into score_config (organization_id, revision, config)
    values (${organizationId}, ${revision}, ${JSON.stringify(config)}::text::jsonb)`
  yield* sql`
    insert into score_state (organization_id, revision, last_revision, next_round_at)
    values (${organizationId}, ${revision}, ${revision}, now() + interval '1 day')
    on conflict (organization_id) do update set
      revision = excluded.revision, last_revision = excluded.last_revision`
})

/** Notes everyone again. */
export const noteAll = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into score_stale (organization_id, visitor_id)
    select organization_id, id from visitor where organization_id = ${organizationId}`
  yield* sql`
    insert into score_stale_company (organization_id, domain)
    select organization_id, domain from company where organization_id = ${organizationId}`
})

/** Passes until no one is noted. */
export const settle = (organizationId: string, now: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { pass } = yield* ScoreComputing
    for (;;) {
      yield* at(now)(pass)
      const left = yield* sql`
        select 1 from score_stale where organization_id = ${organizationId}
        union all
        select 1 from score_stale_company where organization_id = ${organizationId} limit 1`
      if (left.length === 0) return
    }
  })

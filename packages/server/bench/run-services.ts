// The services that execute runs on a benchmark database, and the data for runs.
import { Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { type AudienceConfig, configHash } from "../src/intent/audiences/config.ts"
import { App } from "../src/app/server/services.ts"
import { Platform } from "../src/app/application.ts"
import { assets } from "../src/assets.ts"
import { secret } from "./fixture.ts"

export const runServices = (database: string) =>
  ManagedRuntime.make(
    Layer.provideMerge(
      App({ databaseUrl: database, secret, baseUrl: "http://localhost" }, assets),
      Platform,
    ),
  )

export type RunServices = ReturnType<typeof runServices>

/** Queues runs of the given number of new audiences. */
export const putRuns = async (
  client: pg.Client,
  organizationId: string,
  {
    config,
    count,
    date,
  }: { readonly config: AudienceConfig; readonly count: number; readonly date: string },
): Promise<void> => {
  const topics = config.topicIds.map((topicId) => ({
    topicId,
    topicName: `Topic ${topicId}`,
    type: "b2b",
    industry: "industry",
    category: "category",
  }))
  await client.query(
    `with own as (
       insert into audience (organization_id, id, name, status, config)
       select $1, gen_random_uuid(), 'Bench', 'active', $2 from generate_series(1, $6::int)
       returning id
     )
     insert into audience_run (organization_id, id, audience_id, run_type, config, config_hash,
       topics, data_date, has_signals, idempotency_key)
     select $1, gen_random_uuid(), id, 'manual', $2, $3, $4, $5, true, 'bench' from own`,
    [
      organizationId,
      JSON.stringify(config),
      configHash(config),
      JSON.stringify(topics),
      date,
      count,
    ],
  )
}

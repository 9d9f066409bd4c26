// Materialization: a run from its claim to its completion, with statistics. It's compared with the
// bare INSERT … SELECT of the same query (one connection, one transaction, into the same table, in
// place of psql), and with a hand-written one that ignores that two addresses can belong to one
// person. It selects a tenth of all people. BENCH_SIGNALS=20000000 BENCH_PEOPLE=2000000 makes that
// 200,000 people out of 20,000,000 signals.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { AliasStore } from "../src/intent/audiences/aliases/store.ts"
import { type AudienceConfig, normalizeConfig } from "../src/intent/audiences/config.ts"
import { sharedOrganizationId } from "../src/access/organization.ts"
import { runStatement } from "../src/intent/runs/materialization/compile.ts"
import { Materialization } from "../src/intent/runs/materialization/materialization.ts"
import { RunStore } from "../src/intent/runs/store.ts"
import type { BenchPostgres } from "./database.ts"
import { makeFixture } from "./fixture.ts"
import { fillSignals, previewDate, sizeDefault } from "./preview-fixture.ts"
import { median } from "./processes.ts"
import type { Row } from "./report.ts"
import { putRuns, type RunServices, runServices } from "./run-services.ts"

const rounds = 5
/** Few enough that each day has signals from enough people. */
const days = 5
const topicIds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

export const materialize = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_materialize")
  const { organizationId } = await makeFixture(database)
  await fillSignals(database, days)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const services = runServices(database)
  try {
    await services.runPromise(Effect.flatMap(AliasStore, ({ make }) => make(sharedOrganizationId)))
    await client.query("vacuum analyze signal_alias")
    const config = await widestConfig(client, organizationId)
    const times = {
      ours: [] as Array<number>,
      bare: [] as Array<number>,
      hand: [] as Array<number>,
    }
    let kept = 0
    for (let round = 0; round < rounds; round++) {
      await client.query("truncate run_result")
      times.bare.push(await bare(client, organizationId, config))
      await client.query("truncate run_result")
      const ours = await run(client, services, organizationId, config)
      times.ours.push(ours.ms)
      kept = ours.people
      await client.query("truncate run_result")
      times.hand.push(await byHand(client, organizationId, config))
    }
    const [ours, floor, hand] = [median(times.ours), median(times.bare), median(times.hand)]
    const name = `run of ${kept} people`
    return [
      {
        name: `${name} / bare INSERT … SELECT`,
        floor: `${floor.toFixed(0)} ms`,
        ours: `${ours.toFixed(0)} ms`,
        ratio: ours / floor,
        bar: { atMost: 1.3 },
      },
      {
        name: `${name} / by hand, without aliases`,
        floor: `${hand.toFixed(0)} ms`,
        ours: `${ours.toFixed(0)} ms`,
        ratio: ours / hand,
        bar: { atMost: 1.8 },
      },
    ]
  } finally {
    await services.dispose()
    await client.end()
    await postgres.drop("bench_materialize")
  }
}

/** The highest scores that a tenth of all people reach. */
const widestConfig = async (client: pg.Client, organizationId: string): Promise<AudienceConfig> => {
  for (let minScore = 90; minScore > 1; minScore -= 5) {
    const config = normalizeConfig({ topicIds, minScore })
    const { rows } = await client.query<{ found: number }>(statementOf(organizationId, config, 0))
    if (rows[0]!.found >= sizeDefault.people / 10) return config
  }
  return normalizeConfig({ topicIds, minScore: 1 })
}

/** With a limit of 0 it stores no one and only counts. */
const statementOf = (organizationId: string, config: AudienceConfig, resultsMax = 5_000_000) => {
  const { text, values } = runStatement(
    {
      organizationId,
      config,
      dataDate: previewDate,
      hasRules: false,
      hasVisitors: false,
      hasPeople: false,
      erased: [],
    },
    { runId: randomUUID(), resultsMax },
  )
  return { text, values: [...values] }
}

const settings = `set local max_parallel_workers_per_gather = 0; set local work_mem = '64MB';
  set local enable_sort = off; set local jit = off; set local statement_timeout = '10min'`

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const bare = (client: pg.Client, organizationId: string, config: AudienceConfig) =>
  timed(async () => {
    await client.query(`begin; ${settings}`)
    await client.query(statementOf(organizationId, config))
    await client.query("commit")
  })

const run = async (
  client: pg.Client,
  services: RunServices,
  organizationId: string,
  config: AudienceConfig,
) => {
  await putRuns(client, organizationId, { config, count: 1, date: previewDate })
  const ms = await timed(() =>
    services.runPromise(
      Effect.gen(function* () {
        const [claim] = yield* (yield* RunStore).jobs.claim({ limit: 1 })
        yield* (yield* Materialization).perform(claim!)
      }),
    ),
  )
  const { rows } = await client.query<{ status: string; people: number }>(
    `select status, result_count as people from audience_run order by completed_at desc limit 1`,
  )
  if (rows[0]?.status !== "completed") throw new Error(`The run is ${rows[0]?.status}.`)
  return { ms, people: rows[0].people }
}

const byHand = (client: pg.Client, organizationId: string, { minScore }: AudienceConfig) =>
  timed(async () => {
    await client.query(`begin; ${settings}; set local enable_sort = on`)
    await client.query(
      `insert into run_result (organization_id, run_id, position, hashed_email, first_name, last_name,
         email, business_email, phone, linkedin_url, job_title, seniority, department, company_name,
         company_domain, company_industry, company_revenue_range, company_size, city, state, country,
         is_b2b, score, topic_overlap, matched_topics)
       select $1, $2, row_number() over (
           order by found.score desc, found.overlap desc, named.email_hash
         ), named.email_hash, p.first_name, p.last_name, p.email, p.business_email, p.phones[1],
         p.linkedin_url, p.job_title, p.seniority, p.department, p.company_name, p.company_domain,
         p.industry, p.company_total_revenue,
         case when p.company_employee_count between 51 and 200 then '51-200' else '201-500' end,
         p.city, p.state, p.country, p.is_b2b, found.score, found.overlap, found.topics
       from (
         select person, max(score) as score, count(distinct topic_id) as overlap,
           array_agg(topic_id order by score desc, topic_id) as topics
         from signal cross join unnest(people) as said (person)
         where organization_id = $3 and date = $4 and topic_id = any ($5) and score >= $6
         group by person
       ) as found
       join signal_person as named on named.id = found.person
       left join person as p on p.organization_id = $3
         and p.email_hash = encode(named.email_hash, 'hex')`,
      [organizationId, randomUUID(), sharedOrganizationId, previewDate, topicIds, minScore],
    )
    await client.query("commit")
  })

// Small runs: how many per second four workers complete, each in its own process that does nothing else. For
// information only; there is no floor.
import pg from "pg"
import { normalizeConfig } from "../src/intent/audiences/config.ts"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { fillSignals, previewDate } from "./preview-fixture.ts"
import { freePort, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"
import { putRuns } from "./run-services.ts"

const workers = 4
const runsCount = 500

export const runs = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_runs")
  const { organizationId } = await makeFixture(database)
  await fillSignals(database)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const processes = await Promise.all(
    Array.from({ length: workers }, async () =>
      start([serverBin, "start", "--json", "--workers-only"], {
        DATABASE_URL: database,
        FOOTFALL_SECRET: secret,
        LOG_LEVEL: "error",
        PORT: String(await freePort()),
      }),
    ),
  )
  const completed = async () => {
    const { rows } = await client.query<{ count: number; people: number }>(
      `select count(*)::int as count, coalesce(avg(result_count), 0)::int as people
       from audience_run where status = 'completed'`,
    )
    return rows[0]!
  }
  const untilCompleted = async (count: number): Promise<void> => {
    const deadline = performance.now() + 300_000
    while ((await completed()).count < count) {
      if (performance.now() > deadline) throw new Error("The runs do not end.")
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  try {
    const config = normalizeConfig({ topicIds: [301, 302], minScore: 70 })
    const put = (count: number) =>
      putRuns(client, organizationId, { config, count, date: previewDate })
    // Waits until every worker is up and warm.
    await put(40)
    await untilCompleted(40)
    const begin = performance.now()
    await put(runsCount)
    await untilCompleted(40 + runsCount)
    const perSecond = runsCount / ((performance.now() - begin) / 1000)
    return [
      {
        name: `runs of ${(await completed()).people} people a second, ${workers} workers`,
        floor: "-",
        ours: `${perSecond.toFixed(0)} /s`,
        ratio: perSecond,
      },
    ]
  } finally {
    await Promise.all(processes.map(stop))
    await client.end()
    await postgres.drop("bench_runs")
  }
}

// The longest list, read to its end by cursors: the last pages cost the same as the first, and every row appears once.
// FOOTFALL_SOAK=1 for a million rules; SOAK_ROWS for another number.
import { Footfall } from "@footfall/sdk"
import { afterAll, expect, it } from "vitest"
import { killLeftServers } from "../support/server-process.ts"
import { Cluster } from "./cluster.ts"
import { figure, isSoak, sizeOf } from "./size.ts"

const rows = sizeOf("SOAK_ROWS", 20_000, 1_000_000)
const limit = isSoak ? 5_000 : 1_000

afterAll(killLeftServers)

it(
  "the last pages of a list cost as much as the first, and every row appears once",
  async () => {
    const cluster = await Cluster.open({ servers: 1 })
    const { apiKey, homes, organizationId } = cluster
    await cluster.sql(
      `insert into suppression_list (organization_id, cycle_at, changed_at, domain)
       values ($1, now(), now(), $2)
       on conflict (organization_id) do update set domain = excluded.domain`,
      [organizationId, rows],
    )
    await cluster.sql(
      `insert into suppression_rule (organization_id, type, value, match_key, created_at, takes_part_at)
       select $1, 'domain', 'd' || n || '.example', 'd' || n || '.example',
         now() - make_interval(secs => n / 10), now()
       from generate_series(1, $2::int) as n`,
      [organizationId, rows],
    )
    await cluster.sql("vacuum analyze suppression_rule")
    const baseUrl = `http://127.0.0.1:${homes[0]!.port}`
    const sdk = new Footfall({ baseUrl, apiKey, maxRetries: 0 })

    const times: Array<number> = []
    const seen = new Set<string>()
    let at = performance.now()
    for await (const page of sdk.suppression.list({ limit }).pages()) {
      times.push(performance.now() - at)
      for (const { value } of page.data) seen.add(value)
      at = performance.now()
    }

    expect(seen.size).toBe(rows)
    expect(times).toHaveLength(rows / limit)
    const median = (some: ReadonlyArray<number>) =>
      Math.round(some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)]!)
    // The first page also counts.
    const [first, last] = [median(times.slice(1, 11)), median(times.slice(-10))]
    figure("J5 deep walk", { rows, pages: times.length, firstPagesMs: first, lastPagesMs: last })
    if (isSoak) expect(last).toBeLessThanOrEqual(2 * first + 20)
  },
  isSoak ? 900_000 : 180_000,
)

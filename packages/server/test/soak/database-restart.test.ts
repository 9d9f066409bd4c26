// The database stops immediately and starts again, and is paused, under mixed load of two servers: every request that
// fails gets a 503 that says when to retry, everything works soon after the database is back, and no acknowledged write
// is lost. FOOTFALL_SOAK=1 for the full number of restarts.
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { random } from "../identification/simulation.ts"
import { killLeftServers } from "../support/server-process.ts"
import { Cluster } from "./cluster.ts"
import { drained, expectExactCounters, expectKept } from "./ledger.ts"
import { MixedLoad } from "./mixed-load.ts"
import { figure, isSoak, sizeOf } from "./size.ts"

const rounds = sizeOf("SOAK_RESTARTS", 2, 20)
const requestsPerSecond = sizeOf("SOAK_RATE", 10, 60)
/** From the database's return until every kind of request is answered. The limit of the full run. */
const recoveryMsMax = 10_000
const neverChecked = 2 ** 31 - 1

afterAll(killLeftServers)

it(
  "only guided 503s while the database is down, and no acknowledged write is lost",
  async () => {
    // The load balancer doesn't check /readyz, because it would answer instead of the servers.
    const cluster = await Cluster.open({ servers: 2, checkEveryMs: neverChecked })
    const { apiKey, database, pixels, url } = cluster
    const load = new MixedLoad({ url, apiKey, pixels, requestsPerSecond })
    const below = random(3)
    const recoveries: Array<number> = []
    load.start()

    for (let round = 0; round < rounds; round++) {
      await sleep(2_000 + below(2_000))
      if (round % 2 === 0) await database.restart(below(2_000))
      else await paused(await database.processIds(), 3_000 + below(9_000))
      const backAt = performance.now()
      await expect.poll(() => isWell(url, apiKey), { timeout: 60_000, interval: 50 }).toBe(true)
      recoveries.push(Math.round(performance.now() - backAt))
    }
    await load.stop()

    expect(load.failures.filter(({ isGuided }) => !isGuided)).toEqual([])
    await drained(cluster)
    const kept = await expectKept(cluster, load)
    await expectExactCounters(cluster)
    figure("M3 database restarts and pauses", {
      rounds,
      requestsPerSecond,
      answered: load.answered,
      guided503: load.failures.length,
      ...kept,
      lost: 0,
      slowestRecoveryMs: Math.max(...recoveries),
    })
    if (isSoak) expect(Math.max(...recoveries)).toBeLessThanOrEqual(recoveryMsMax)
  },
  isSoak ? 1_800_000 : 300_000,
)

/** SIGSTOP to every process of the database, then SIGCONT. */
const paused = async (processIds: ReadonlyArray<number>, ms: number): Promise<void> => {
  for (const id of processIds) process.kill(id, "SIGSTOP")
  await sleep(ms)
  for (const id of processIds.toReversed()) process.kill(id, "SIGCONT")
}

/** Both servers read and write. */
const isWell = async (url: string, apiKey: string): Promise<boolean> => {
  const body = JSON.stringify({ rules: [{ type: "domain", value: "well.example" }] })
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }
  const answers = await Promise.all(
    [1, 2, 3, 4].map((place) =>
      fetch(
        `${url}/v1/data/suppression-rules`,
        place % 2 === 0 ? { headers } : { method: "POST", headers, body },
      ),
    ),
  )
  return answers.every(({ ok }) => ok)
}

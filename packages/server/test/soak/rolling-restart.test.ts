// Three servers behind a load balancer are replaced in turn by SIGTERM and a new start, repeatedly, under 200 requests
// a second: no request fails, although none is retried. FOOTFALL_SOAK=1 for the full number of restarts.
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it, vi } from "vitest"
import { killLeftServers } from "../support/server-process.ts"
import { Cluster } from "./cluster.ts"
import { drained, expectExactCounters, expectKept } from "./ledger.ts"
import { MixedLoad } from "./mixed-load.ts"
import { figure, sizeOf } from "./size.ts"

const restarts = sizeOf("SOAK_RESTARTS", 3, 50)
const requestsPerSecond = sizeOf("SOAK_RATE", 15, 200)
const servers = 3

afterAll(killLeftServers)

it(
  "no request fails while every server is replaced in turn",
  async () => {
    const cluster = await Cluster.open({ servers })
    const { apiKey, pixels, url } = cluster
    const load = new MixedLoad({ url, apiKey, pixels, requestsPerSecond })
    load.start()
    const isUp = (count: number) =>
      vi.waitFor(() => expect(cluster.proxy.up).toHaveLength(count), {
        timeout: 60_000,
        interval: 50,
      })
    await sleep(2_000)

    for (let restart = 0; restart < restarts; restart++) {
      const place = restart % servers
      expect(await cluster.servers[place]!.stop("SIGTERM")).toBe(0)
      await cluster.replace(place)
      await isUp(servers)
    }
    await load.stop()

    expect(load.summary).toEqual({})
    expect(load.unsent).toBe(0)
    await drained(cluster)
    const kept = await expectKept(cluster, load)
    await expectExactCounters(cluster)
    figure("M1 rolling restart", {
      restarts,
      requestsPerSecond,
      requests: load.answered,
      failed: load.failures.length,
      ...kept,
      p50Ms: load.percentile(0.5),
      p99Ms: load.percentile(0.99),
    })
  },
  120_000 + restarts * 60_000,
)

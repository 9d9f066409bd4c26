// Three servers under mixed load for an hour: memory, handles and timers stay flat, connections stay within their
// limit, no request fails, no process ends by an unhandled rejection, and everything acknowledged is stored.
// FOOTFALL_SOAK=1 for the hour; SOAK_MINUTES and SOAK_RATE for other lengths and rates.
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { connectionsMax } from "../../src/platform/database/database.ts"
import { killLeftServers } from "../support/server-process.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { Cluster } from "./cluster.ts"
import { drained, expectKept } from "./ledger.ts"
import { MixedLoad } from "./mixed-load.ts"
import { figure, isSoak, sizeOf } from "./size.ts"
import { type Vitals, Watch } from "./vitals.ts"

const minutes = sizeOf("SOAK_MINUTES", 0.3, 60)
const requestsPerSecond = sizeOf("SOAK_RATE", 10, 40)
const warmUpSeconds = isSoak ? Math.min(600, minutes * 20) : 5
const lookEveryMs = isSoak ? 10_000 : 1_000
const servers = sizeOf("SOAK_SERVERS", 1, 3)

afterAll(killLeftServers)

it(
  "handles and timers stay flat, and connections in their bound",
  async () => {
    const cluster = await Cluster.open({ servers })
    const receiver = await startReceiver()
    const { apiKey, pixels, url } = cluster
    await watchVisitors(cluster, receiver.url)
    const load = new MixedLoad({ url, apiKey, pixels, requestsPerSecond, browsers: 500 })
    load.start()
    const watches = cluster.homes.map(
      (home, place) => new Watch(home, cluster.servers[place]!.processId),
    )
    while (load.now < minutes * 60_000) {
      await sleep(lookEveryMs)
      await Promise.all(watches.map((watch) => watch.look()))
    }
    await load.stop()

    figure("M8 mixed load", {
      minutes,
      servers,
      requestsPerSecond,
      answered: load.answered,
      failed: load.summary,
      unsent: load.unsent,
      p50Ms: load.percentile(0.5),
      p99Ms: load.percentile(0.99),
      webhooks: receiver.received.length,
    })
    for (const [place, watch] of watches.entries()) {
      figure(`M8 server ${place}`, trends(watch))
    }
    expect(cluster.servers.map(({ hasEnded }) => hasEnded)).toEqual(
      cluster.servers.map(() => false),
    )
    expect(load.summary).toEqual({})
    await drained(cluster)
    await expectKept(cluster, load)
    for (const watch of watches) {
      // The machine's other processes change the number of open files for a moment; a leak changes it for good.
      for (const sign of ["filesBesideSockets", "timers"] as const) {
        const { mean, perHour } = watch.trend(sign, warmUpSeconds)
        if (isSoak) expect(Math.abs(perHour), sign).toBeLessThanOrEqual(Math.max(2, mean * 0.1))
      }
      // A pool opens as many connections as it once needed at the same time, and one more listens.
      expect(watch.most("connections")).toBeLessThanOrEqual(servers * (connectionsMax + 1))
    }
    await receiver.close()
  },
  minutes * 60_000 + 600_000,
)

const signs = [
  "rssMiB",
  "heapMiB",
  "files",
  "filesBesideSockets",
  "threads",
  "timers",
  "sockets",
  "connections",
] as const

const trends = (watch: Watch): Readonly<Record<Exclude<keyof Vitals, "at">, unknown>> =>
  Object.fromEntries(signs.map((sign) => [sign, watch.trend(sign, warmUpSeconds)])) as never

/** Creates a webhook for every session of an identified visitor, so that workers work too. */
const watchVisitors = async ({ apiKey, url }: Cluster, receiver: string): Promise<void> => {
  const answer = await fetch(`${url}/v1/data/webhooks`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ name: "CRM", url: `${receiver}/hook`, trigger: "first_match" }),
  })
  if (answer.status !== 201) throw new Error(`webhook: ${answer.status} ${await answer.text()}`)
}

// Any of three servers is killed with kill -9 at any time, under mixed load, while contacts are delivered and people
// are imported: nothing acknowledged is lost, every counter is exact, a repeated webhook has the same id, and the other
// servers keep answering. FOOTFALL_SOAK=1 for the full number of kills.
import { Footfall, FootfallError } from "@footfall/sdk"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { ledgerOf } from "../deliveries/ledger.ts"
import { queueDelivery } from "../deliveries/queued-delivery.ts"
import { random } from "../identification/simulation.ts"
import { killLeftServers } from "../support/server-process.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { Cluster } from "./cluster.ts"
import { drained, expectExactCounters, expectKept } from "./ledger.ts"
import { MixedLoad } from "./mixed-load.ts"
import { figure, isSoak, sizeOf } from "./size.ts"

const kills = sizeOf("SOAK_KILLS", 2, 50)
const requestsPerSecond = sizeOf("SOAK_RATE", 10, 60)
const contacts = sizeOf("SOAK_CONTACTS", 1_000, 20_000)
const peoplePerImport = sizeOf("SOAK_PEOPLE", 2_000, 10_000)
const servers = 3
const batchSize = 100

afterAll(killLeftServers)

it(
  "nothing acknowledged is lost and nothing counted twice when any server is killed at any time",
  async () => {
    const cluster = await Cluster.open({ servers, checkEveryMs: 500 })
    const receiver = await startReceiver()
    const { apiKey, pixels, url } = cluster
    const { deliveryId } = await queueDelivery((text, values) => cluster.sql(text, values), {
      url: `${receiver.url}/hook`,
      contacts,
    })
    const imports = new RepeatedImports(url, await cluster.token())
    const load = new MixedLoad({ url, apiKey, pixels, requestsPerSecond })
    const below = random(7)
    load.start()
    imports.start()

    for (let kill = 0; kill < kills; kill++) {
      await sleep(500 + below(2_500))
      const place = below(servers)
      await cluster.servers[place]!.kill()
      const answered = load.answered
      await expect.poll(() => load.answered).toBeGreaterThan(answered + 5)
      await cluster.replace(place)
    }
    await imports.finish()
    await load.stop()

    // The load balancer answers 502 for a request that the dead server was handling.
    expect(load.failures.filter((one) => one.status !== 502 && !one.isGuided)).toEqual([])
    const delivery = async () =>
      (
        await cluster.sql<Readonly<Record<string, unknown>>>(
          `select status, source_count, sent_count, skipped_count, failed_count from delivery
           where id = $1`,
          [deliveryId],
        )
      )[0]!
    await expect
      .poll(async () => (await delivery())["status"], { timeout: 600_000, interval: 500 })
      .toBe("completed")
    expect(await delivery()).toMatchObject({
      source_count: contacts,
      sent_count: contacts,
      skipped_count: 0,
      failed_count: 0,
    })
    const { otherIds, people, posts } = ledgerOf(receiver.received)
    expect([people.size, otherIds]).toEqual([contacts, 0])
    expect(posts - contacts).toBeLessThanOrEqual(kills * batchSize)

    const [imported] = await cluster.sql(
      "select count(*)::int as people from person where email like '%@import.example'",
    )
    expect(imported).toEqual({ people: imports.done * peoplePerImport })
    await drained(cluster)
    const kept = await expectKept(cluster, load)
    await expectExactCounters(cluster)
    figure("Kills at any time", {
      servers,
      kills,
      requestsPerSecond,
      answered: load.answered,
      lostWithTheirServer: load.failures.length,
      ...kept,
      contacts,
      extraPosts: posts - contacts,
      imports: imports.done,
      importsRepeated: imports.repeated,
      lost: 0,
    })
    await receiver.close()
  },
  isSoak ? 1_800_000 : 300_000,
)

/** Imports people, one import after another. Each is sent again unchanged until it is acknowledged. */
class RepeatedImports {
  done = 0
  repeated = 0
  readonly #sdk: Footfall
  #isLast = false
  #running: Promise<void> = Promise.resolve()

  constructor(baseUrl: string, accessToken: string) {
    this.#sdk = new Footfall({ baseUrl, accessToken, maxRetries: 0 })
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Resolves once the current one is acknowledged; at least one is. */
  async finish(): Promise<void> {
    this.#isLast = true
    await this.#running
  }

  async #run(): Promise<void> {
    do {
      const rows = Array.from(
        { length: peoplePerImport },
        (_, row) => `{"email":"p${this.done}-${row}@import.example"}\n`,
      ).join("")
      while (!(await this.#taken(rows))) {
        this.repeated += 1
        await sleep(200)
      }
      this.done += 1
    } while (!this.#isLast)
  }

  async #taken(rows: string): Promise<boolean> {
    try {
      const { received, rejectedCount } = await this.#sdk.imports.run("people", rows, {
        format: "ndjson",
      })
      expect([received, rejectedCount]).toEqual([peoplePerImport, 0])
      return true
    } catch (error) {
      if (error instanceof FootfallError) return false
      throw error
    }
  }
}

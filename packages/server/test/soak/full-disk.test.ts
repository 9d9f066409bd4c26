// The disk of the embedded database is full: reads continue where Postgres can, writes get a 503 that says when to
// retry, no acknowledged event is lost, nothing is corrupt, and everything works again when there is space. Needs root
// for a small file system; without it the tests are skipped.
import { Footfall } from "@footfall/sdk"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, statfsSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, inject, it } from "vitest"
import { Site } from "../crash/site.ts"
import { killLeftServers, makeServerHome } from "../support/server-process.ts"
import { drained, expectExactCounters, expectKept } from "./ledger.ts"
import { MixedLoad } from "./mixed-load.ts"
import { figure, sizeOf } from "./size.ts"

const sizeMiB = 400
/** Free space when the disk is filled. */
const leftMiB = 2
const requestsPerSecond = sizeOf("SOAK_RATE", 15, 100)
const fullSeconds = sizeOf("SOAK_FULL_SECONDS", 6, 60)

afterAll(killLeftServers)

/** A file system of this size. Undefined if none can be mounted. */
const mountSmall = (): string | undefined => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMiB}m`, "tmpfs", directory], {
      stdio: "ignore",
    })
    return directory
  } catch {
    return undefined
  }
}

it("a full disk fails requests, but loses neither acknowledged data nor the database", async (context) => {
  const disk = mountSmall()
  if (disk === undefined) {
    return context.skip("the right to mount a file system")
  }
  const ballast = join(disk, "ballast")
  const freeMiB = () => {
    const { bavail, bsize } = statfsSync(disk)
    return (bavail * bsize) / 2 ** 20
  }
  mkdirSync(join(disk, "server"))
  const home = {
    ...(await makeServerHome({ RATE_LIMITS: "off", LOG_LEVEL: "error" })),
    dataDir: join(disk, "server"),
  }
  const site = await Site.open(home)
  try {
    const { apiKey, pixels, url } = site
    const load = new MixedLoad({ url, apiKey, pixels, requestsPerSecond })
    load.start()
    await sleep(2_000)
    await writeFile(ballast, Buffer.alloc(Math.max(0, Math.floor(freeMiB() - leftMiB)) * 2 ** 20))
    const filledAt = load.now
    await expect.poll(() => load.failures.length, { timeout: 300_000 }).toBeGreaterThan(5)
    await sleep(fullSeconds * 1_000)
    const failedWhileFull = load.failures.length
    await rm(ballast)
    const back = performance.now()
    const sdk = new Footfall({ baseUrl: url, apiKey, maxRetries: 0 })
    const isWell = () =>
      sdk.suppression.add([{ type: "domain", value: "well.example" }]).then(
        () => true,
        () => false,
      )
    await expect.poll(isWell, { timeout: 120_000, interval: 100 }).toBe(true)
    const recoveryMs = Math.round(performance.now() - back)
    await sleep(1_000)
    await load.stop()

    expect(load.failures.filter(({ isGuided }) => !isGuided)).toEqual([])
    await drained(site)
    const kept = await expectKept(site, load)
    await expectExactCounters(site)
    expect(await site.server.stop()).toBe(0)
    await site.startAgain()
    await expectKept(site, load)
    figure("M9 full disk", {
      sizeMiB,
      fullSeconds,
      requestsPerSecond,
      answered: load.answered,
      guided503: failedWhileFull,
      firstFailureAfterMs: Math.round(load.failures[0]!.failedAt - filledAt),
      ...kept,
      lost: 0,
      recoveryMs,
    })
  } finally {
    await site.server.stop()
    execFileSync("umount", [disk])
  }
}, 900_000)

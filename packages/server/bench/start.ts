// (c) Startup: from the command to the first 200, embedded, on existing data. (e) Memory: the idle server with its
// Postgres.
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort, median, memoryMiB, ready, serverBin, start, stop, time } from "./processes.ts"
import type { Row } from "./report.ts"

const starts = 7
/** By then the startup garbage is collected and the checkpointer sleeps. */
const idleSeconds = 20

const withDemoData = async <A>(
  use: (environment: Readonly<Record<string, string>>, port: number) => Promise<A>,
): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const port = await freePort()
  const environment = {
    DATA_DIR: join(directory, "data"),
    FOOTFALL_CONFIG_DIR: join(directory, "config"),
    DATABASE_URL: "",
    LOG_LEVEL: "error",
    PORT: String(port),
  }
  try {
    const child = start([serverBin, "start", "--demo", "--json"], environment)
    await ready(port, 0)
    await stop(child)
    return await use(environment, port)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export const startUp = (): Promise<ReadonlyArray<Row>> =>
  withDemoData(async (environment, port) => {
    const times: Array<number> = []
    for (let round = 0; round < starts; round++) {
      const begin = performance.now()
      const child = start([serverBin, "start", "--demo", "--json"], environment)
      times.push(await ready(port, begin, "/readyz"))
      await stop(child)
    }
    const node: Array<number> = []
    for (let round = 0; round < starts; round++) node.push(await time(["-e", "0"]))
    return [
      {
        name: "(c) start to first 200, embedded, existing data, seconds",
        floor: `node -e 0: ${(median(node) / 1000).toFixed(3)} s`,
        ours: `${(median(times) / 1000).toFixed(2)} s`,
        ratio: median(times) / 1000,
        relative: median(times) / median(node),
        bar: { atMost: 0.7 },
      },
    ]
  })

export const memory = (): Promise<ReadonlyArray<Row>> =>
  withDemoData(async (environment, port) => {
    const child = spawn(process.execPath, [serverBin, "start", "--demo", "--json"], {
      env: { ...process.env, ...environment },
      stdio: "ignore",
    })
    try {
      await ready(port, 0)
      await sleep(idleSeconds * 1000)
      const node = memoryMiB(child.pid ?? 0, { alone: true })
      const all = memoryMiB(child.pid ?? 0)
      return [
        {
          name: "(e) idle memory, server and embedded Postgres, MiB (PSS)",
          floor: "–",
          ours: `${all.toFixed(0)} (node ${node.toFixed(0)}, Postgres ${(all - node).toFixed(0)})`,
          ratio: all,
          bar: { atMost: 150 },
        },
      ]
    } finally {
      await stop(child)
    }
  })

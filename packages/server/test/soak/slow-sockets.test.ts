// Thousands of clients that send one byte in five seconds: each is answered or disconnected in time, and other clients
// are answered meanwhile. FOOTFALL_SOAK=1 for 2,000 in headers and 500 in bodies.
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { killLeftServers } from "../support/server-process.ts"
import { Cluster } from "./cluster.ts"
import { figure, isSoak, sizeOf } from "./size.ts"
import { Watch } from "./vitals.ts"

const inHeaders = sizeOf("SOAK_SOCKETS", 50, 2_000)
/** Those take half a minute. */
const inBodies = isSoak ? 500 : 0
const byteEveryMs = 5_000
/** Connected a few at a time, because the queue of a listening socket is short. */
const burst = 50

afterAll(killLeftServers)

interface Slow {
  readonly socket: Socket
  readonly openedAt: number
  closedAfter: number | undefined
}

it(
  "slow clients are disconnected, and others answered meanwhile",
  async () => {
    const cluster = await Cluster.open({ servers: 1, environment: { LOG_LEVEL: "error" } })
    const { apiKey, homes, servers } = cluster
    const port = homes[0]!.port
    const watch = new Watch(homes[0]!, servers[0]!.processId)
    const times = async (count: number) => {
      const all: Array<number> = []
      for (let asked = 0; asked < count; asked++) {
        const at = performance.now()
        const answer = await fetch(`http://127.0.0.1:${port}/v1/data`, {
          headers: { "x-api-key": apiKey },
        })
        await answer.arrayBuffer()
        expect(answer.status).toBe(200)
        all.push(performance.now() - at)
      }
      return Math.round(all.toSorted((a, b) => a - b)[Math.floor(count * 0.99)]!)
    }
    const requests = isSoak ? 500 : 20
    await times(requests)
    const baselineP99Ms = await times(requests)
    await watch.look()

    const start = `POST /v1/data/query HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${apiKey}\r\n`
    const headers = await open(port, inHeaders, start)
    const bodies = await open(
      port,
      inBodies,
      `${start}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`,
    )
    const all = [...headers, ...bodies]
    const dripping = setInterval(() => {
      for (const { closedAfter, socket } of all) if (closedAfter === undefined) socket.write("a")
    }, byteEveryMs)
    const meanwhileP99Ms = await times(requests)
    await watch.look()
    const isClosed = (slow: ReadonlyArray<Slow>) =>
      slow.every(({ closedAfter }) => closedAfter !== undefined)
    await expect.poll(() => isClosed(headers), { timeout: 120_000, interval: 200 }).toBe(true)
    await expect.poll(() => isClosed(bodies), { timeout: 120_000, interval: 200 }).toBe(true)
    clearInterval(dripping)
    await sleep(500)
    await watch.look()

    const slowest = (slow: ReadonlyArray<Slow>) =>
      Math.round(Math.max(...slow.map(({ closedAfter }) => closedAfter!)))
    const [before, during, after] = watch.looks
    figure("C13 slow sockets", {
      inHeaders,
      inBodies,
      slowestHeadersMs: slowest(headers),
      slowestBodiesMs: slowest(bodies),
      baselineP99Ms,
      meanwhileP99Ms,
      rssMiB: [before, during, after].map((one) => Math.round(one!.rssMiB)),
      files: [before, during, after].map((one) => one!.files),
    })
    expect(during!.rssMiB - before!.rssMiB).toBeLessThan(256)
    expect(after!.files).toBeLessThanOrEqual(before!.files + 20)
  },
  isSoak ? 600_000 : 240_000,
)

const open = async (port: number, count: number, text: string): Promise<ReadonlyArray<Slow>> => {
  const all: Array<Slow> = []
  while (all.length < count) {
    const some = Array.from({ length: Math.min(burst, count - all.length) }, (): Slow => {
      const socket = connect(port, "127.0.0.1", () => socket.write(text))
      const slow: Slow = { socket, openedAt: performance.now(), closedAfter: undefined }
      socket.on("error", () => undefined)
      socket.on("close", () => {
        slow.closedAfter = performance.now() - slow.openedAt
      })
      socket.resume()
      return slow
    })
    all.push(...some)
    await sleep(20)
  }
  return all
}

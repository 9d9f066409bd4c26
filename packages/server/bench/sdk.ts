// (k) The SDK compared with bare undici at one endpoint, in this process: once with the real
// server, once with a socket that sends the same bytes immediately, so that nothing hides the SDK's
// own cost.
import { Footfall } from "@footfall/sdk"
import { request } from "undici"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const connections = 16
const rounds = 5
const seconds = 2
const path = "/v1/data/pixels"
/** From the issue about what users touch, section "How it is shown". */
const bar = { atLeast: 0.8 }

export const sdk = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_sdk")
  const { apiKey } = await makeFixture(database)
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  try {
    await ready(port, 0)
    const baseUrl = `http://127.0.0.1:${port}`
    const real = await compare("the server", baseUrl, apiKey)
    const answer = await fetch(baseUrl + path, { headers: { "x-api-key": apiKey } })
    const sink = await answering(await answer.text())
    try {
      return [real, await compare("a bare socket", sink.baseUrl, apiKey)]
    } finally {
      await sink.close()
    }
  } finally {
    await stop(server)
  }
}

const compare = async (name: string, baseUrl: string, apiKey: string): Promise<Row> => {
  const client = new Footfall({ baseUrl, apiKey })
  const bare = async (): Promise<void> => {
    const answer = await request(baseUrl + path, {
      headers: { "x-api-key": apiKey, accept: "application/json" },
    })
    await answer.body.json()
  }
  const ours = async (): Promise<void> => void (await client.pixels.list())
  const figures = { bare: [] as Array<number>, ours: [] as Array<number> }
  await perSecond(bare)
  await perSecond(ours)
  for (let round = 0; round < rounds; round++) {
    figures.bare.push(await perSecond(bare))
    figures.ours.push(await perSecond(ours))
  }
  const [floor, measured] = [median(figures.bare), median(figures.ours)]
  return {
    name: `(k) SDK calls at ${name}, ${connections} at a time`,
    floor: `undici ${floor.toFixed(0)}/s`,
    ours: `${measured.toFixed(0)}/s`,
    ratio: measured / floor,
    bar,
  }
}

const perSecond = async (call: () => Promise<void>): Promise<number> => {
  const end = performance.now() + seconds * 1000
  let calls = 0
  const caller = async (): Promise<void> => {
    for (; performance.now() < end; calls++) await call()
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return calls / seconds
}

/** A separate process that responds to every request with the text. */
const answering = async (body: string) => {
  const port = await freePort()
  const program = `require("node:http").createServer((_, response) => {
    const body = ${JSON.stringify(body)}
    const length = Buffer.byteLength(body)
    response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(body)
  }).listen(${port}, "127.0.0.1")`
  const child = start(["--eval", program], {})
  await ready(port, 0)
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => stop(child) }
}

// How long after a page view its alert arrives, at 200 page views a second, each of a new person (spec 8.6). One alert
// sends them all to a receiver on this machine. The rest of the server's workers run beside it.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Agent, request } from "undici"
import { type BenchPostgres, query } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const perSecond = 200
const seconds = Number(process.env["ALERT_SECONDS"] ?? 60)
/** An alert that arrives later counts as lost. */
const lateMs = 60_000

export const alerts = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_alerts")
  const { apiKey, pixelId } = await makeFixture(database)
  const sentAt: Array<number> = []
  const arrivals = new Map<number, number>()
  let repeats = 0
  const receiver = createServer((incoming, answer) => {
    let body = ""
    incoming.setEncoding("utf8").on("data", (text: string) => (body += text))
    incoming.on("end", () => {
      const number = Number(/"path":"\/pricing\/(\d+)"/.exec(body)?.[1])
      if (arrivals.has(number)) repeats++
      else if (!Number.isNaN(number)) arrivals.set(number, performance.now())
      answer.writeHead(204).end()
    })
  }).listen(0, "127.0.0.1")
  const port = await freePort()
  const child = start([serverBin, "start", "--json"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    ALLOW_PRIVATE_WEBHOOKS: "on",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const dispatcher = new Agent({ connections: 32 })
  const send = async (path: string, headers: Record<string, string>, body: object) => {
    const { body: text, statusCode } = await request(`http://127.0.0.1:${port}${path}`, {
      dispatcher,
      method: "POST",
      headers: { ...headers, "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140" },
      body: JSON.stringify(body),
    })
    const said = await text.text()
    if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${said}`)
  }
  const visit = (number: number): Promise<void> => {
    const time = new Date().toISOString()
    const url = `https://www.${domain}/pricing/${number}`
    sentAt[number] = performance.now()
    return send(
      `/p/${pixelId}/e`,
      { "content-type": "text/plain" },
      {
        v: 1,
        sentAt: time,
        anonymousId: randomUUID(),
        consent: "granted",
        events: [
          { id: randomUUID(), type: "page", time, url, title: "Pricing" },
          {
            id: randomUUID(),
            type: "identify",
            time,
            url,
            email: `person${number}@company${number % 500}.example`,
          },
        ],
      },
    )
  }
  try {
    await ready(port, 0)
    await send(
      "/v1/data/webhooks",
      { "x-api-key": apiKey, "content-type": "application/json" },
      {
        name: "Pricing",
        url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
        trigger: "page_viewed",
        path: "/pricing",
      },
    )
    const begin = performance.now()
    const begun = Date.now()
    const sending: Array<Promise<void>> = []
    for (;;) {
      const elapsed = performance.now() - begin
      if (elapsed >= seconds * 1_000) break
      while (sending.length < (elapsed / 1_000) * perSecond) sending.push(visit(sending.length))
      await sleep(2)
    }
    await Promise.all(sending)
    const end = performance.now() + lateMs
    while (arrivals.size < sentAt.length && performance.now() < end) await sleep(100)
    const steps = await stepsOf(database, begun)
    const waits = sentAt.map((at, number) => (arrivals.get(number) ?? Infinity) - at)
    waits.sort((a, b) => a - b)
    const at = (share: number) => waits[Math.floor(waits.length * share)]! / 1_000
    const row = (name: string, value: number, unit: string, atMost?: number): Row => ({
      name: `alerts at ${perSecond} page views a second: ${name}`,
      floor: "–",
      ours: `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`,
      ratio: value,
      ...(atMost === undefined ? {} : { bar: { atMost } }),
    })
    return [
      row("median, seconds", at(0.5), "s"),
      row("of it until it is queued, seconds", steps.queued, "s"),
      row("of it until it is taken, seconds", steps.taken, "s"),
      row("p99, seconds", at(0.99), "s", 10),
      row("lost", sentAt.length - arrivals.size, `of ${sentAt.length}`, 0),
      row("sent twice", repeats, `of ${sentAt.length}`, 0),
    ]
  } finally {
    await dispatcher.close()
    receiver.close()
    await stop(child)
    await postgres.drop("bench_alerts")
  }
}

/** Medians of what a delivery waited for. The nth page was viewed `n / perSecond` after the start. */
const stepsOf = async (database: string, begun: number) => {
  const [steps] = await query(
    database,
    `select percentile_cont(0.5) within group (order by extract(epoch from created_at) - viewed) as queued,
       percentile_cont(0.5) within group (order by extract(epoch from started_at - created_at)) as taken
     from (
       select *, ${begun / 1_000} + substring(page ->> 'path' from '[0-9]+$')::int / ${perSecond}.0 as viewed
       from webhook_delivery
     ) as delivery`,
  )
  return { queued: Number(steps!["queued"]), taken: Number(steps!["taken"]) }
}

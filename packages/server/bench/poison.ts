// How events that break identification in one organization affect another. 20 requests have labels
// named like properties that every JavaScript object has (`constructor`, `toString`), among 1,980
// valid ones. All are queued when the worker starts. Ours is the time until the last event, from
// the other organization, has created its visitor.
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { type BenchPostgres, query } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const requests = 2_000
const poisonedEach = 100
const longestSeconds = 300

export const poison = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_poison")
  const { pixelId } = await makeFixture(database)
  const other = { organizationId: randomUUID(), pixelId: randomUUID() }
  await query(database, "insert into organization (id, name, slug) values ($1, 'Other', 'other')", [
    other.organizationId,
  ])
  await query(
    database,
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, 'Other')",
    [other.organizationId, other.pixelId, domain],
  )
  const port = await freePort()
  const environment = {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
    PORT: String(port),
  }
  const collecting = start([serverBin, "start", "--json", "--no-workers"], environment)
  try {
    await ready(port, 0)
    for (let n = 0; n < requests; n++) {
      const name = n % (2 * poisonedEach) === 0 ? "constructor" : "toString"
      await collect(
        port,
        pixelId,
        `p${n}@acme.example`,
        n % poisonedEach === 0 ? { [name]: "x" } : {},
      )
    }
    await collect(port, other.pixelId, "jane@harbor.example", {})
  } finally {
    await stop(collecting)
  }
  const begin = performance.now()
  const working = start([serverBin, "start", "--json"], environment)
  try {
    let seconds = 0
    for (
      let found = false;
      !found && seconds < longestSeconds;
      seconds = (performance.now() - begin) / 1_000
    ) {
      await sleep(50)
      const rows = await query(database, "select from visitor where organization_id = $1", [
        other.organizationId,
      ])
      found = rows.length > 0
    }
    return [
      {
        name: "20 poisoned requests of 2,000: an event of another organization waits",
        floor: "-",
        ours: `${seconds.toFixed(1)} s`,
        ratio: seconds,
      },
    ]
  } finally {
    await stop(working)
  }
}

export const collect = async (
  port: number,
  pixelId: string,
  email: string,
  attribution: object,
) => {
  const now = new Date().toISOString()
  const response = await fetch(`http://127.0.0.1:${port}/p/${pixelId}/e`, {
    method: "POST",
    headers: {
      "content-type": "text/plain",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    },
    body: JSON.stringify({
      v: 1,
      sentAt: now,
      anonymousId: randomUUID(),
      consent: "granted",
      attribution,
      events: [
        { id: randomUUID(), type: "page", time: now, url: `https://${domain}/pricing` },
        { id: randomUUID(), type: "identify", time: now, url: `https://${domain}/`, email },
      ],
    }),
  })
  await response.arrayBuffer()
  if (response.status >= 300) throw new Error(`collect: ${response.status}`)
}

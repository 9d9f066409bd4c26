// How an organization's large import delays another one. While the import runs, the other
// organization's page sends visits, one after the other, each identified as someone new, and its
// program lists visitors. Ours is the longest time: from sending a visit until its visitor exists,
// and from a list request until its response. The bar for both is one second.
import pg from "pg"
import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { BenchPostgres } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { makeOrganization, ownerOf } from "./neighbors.ts"
import { collect } from "./poison.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rows = Number(process.env["LARGE_IMPORT_ROWS"] ?? 10_000_000)
/** Generated in small parts, so that this process can measure in between. */
const rowsOfPart = 500
const longestMs = 1_000

export const largeImport = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_large_import")
  const { organizationId } = await makeFixture(database)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const other = await makeOrganization(client, "other")
  const pixelId = randomUUID()
  await client.query(
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, 'Other')",
    [other.organizationId, pixelId, domain],
  )
  const port = await freePort()
  const environment = {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  }
  const server = start([serverBin, "start", "--json"], environment)

  const visit = async (email: string) => {
    const begin = performance.now()
    await collect(port, pixelId, email, {})
    for (;;) {
      const found = await client.query(
        "select from visitor where organization_id = $1 and email = $2",
        [other.organizationId, email],
      )
      if (found.rows.length > 0) return performance.now() - begin
      await sleep(5)
    }
  }
  const list = async () => {
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/data?timeframe=all`, {
      headers: { "x-api-key": other.apiKey },
    })
    if (!answer.ok) throw new Error(`list: ${await answer.text()}`)
    await answer.arrayBuffer()
    return performance.now() - begin
  }
  /** Repeats until the signal aborts. Returns the times. */
  const repeated = async (ask: (n: number) => Promise<number>, end: AbortSignal) => {
    const times: Array<number> = []
    while (!end.aborted) {
      times.push(await ask(times.length))
      await sleep(100)
    }
    return times
  }

  try {
    await ready(port, 0)
    const token = await ownerOf(client, organizationId, environment)
    const end = new AbortController()
    const others = Promise.all([
      repeated((n) => visit(`p${n}@harbor.example`), end.signal),
      repeated(list, end.signal),
    ])
    // Reported below, after the import has ended.
    others.catch(() => undefined)
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/admin/import/people`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
      body: Readable.toWeb(Readable.from(csv())) as ReadableStream,
      duplex: "half",
    } as RequestInit)
    const text = await answer.text()
    const seconds = (performance.now() - begin) / 1_000
    end.abort()
    const [visits, lists] = await others
    if (!text.includes(`"inserted":${rows}`)) throw new Error(text)
    const row = (name: string, times: ReadonlyArray<number>): Row => ({
      name: `large import of ${rows.toLocaleString("en")} people in ${seconds.toFixed(0)} s: ${name}`,
      floor: `median ${median(times).toFixed(0)} ms of ${times.length}`,
      ours: `${Math.max(...times).toFixed(0)} ms`,
      ratio: Math.max(...times),
      bar: { atMost: longestMs },
    })
    return [
      row("another organization's visit waits for its visitor", visits),
      row("another organization's list waits for its answer", lists),
    ]
  } finally {
    await stop(server)
    await client.end()
    await postgres.drop("bench_large_import")
  }
}

const csv = function* () {
  yield "email,firstName,lastName,jobTitle,company.name,company.domain,company.industry\n"
  for (let first = 0; first < rows; first += rowsOfPart) {
    yield Array.from({ length: Math.min(rowsOfPart, rows - first) }, (_, place) => {
      const n = first + place
      const company = n % 5_000
      return `person${n}@company${company}.example,Jane,Mercer ${n},Operations Lead,Company ${company},company${company}.example,maritime transportation\n`
    }).join("")
  }
}

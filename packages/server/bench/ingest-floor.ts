// The floor for ingest: node:http and `pg`, with no checks. It parses the batch, commits what
// arrived during the last commit into the same table with `unnest`, and responds after the commit.
// node ingest-floor.ts <port> <database> <organization> <pixel>
import { createServer } from "node:http"
import pg from "pg"

const [port, database, organizationId, pixelId] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: database, max: 2 })

interface Waiting {
  readonly event: { id: string; type: string; time: string; url: string; title: string }
  readonly anonymousId: string
  readonly done: (isStored: boolean) => void
}
let waiting: Array<Waiting> = []
let inFlight = 0

const flush = async (): Promise<void> => {
  if (inFlight === 2 || waiting.length === 0) return
  const batch = waiting.splice(0, 500)
  inFlight++
  try {
    await pool.query({
      name: "insert",
      text: `insert into event_inbox
          (organization_id, pixel_id, id, anonymous_id, type, occurred_at, url, payload)
        select $1, $2, id, anonymous_id, type, occurred_at, url, payload
        from unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[])
          as e (id, anonymous_id, type, occurred_at, url, payload)
        on conflict do nothing`,
      values: [
        organizationId,
        pixelId,
        batch.map(({ event }) => event.id),
        batch.map(({ anonymousId }) => anonymousId),
        batch.map(({ event }) => event.type),
        batch.map(({ event }) => event.time),
        batch.map(({ event }) => event.url),
        batch.map(({ event }) => JSON.stringify({ t: event.title })),
      ],
    })
    for (const { done } of batch) done(true)
  } catch {
    for (const { done } of batch) done(false)
  }
  inFlight--
  void flush()
}

createServer((request, response) => {
  if (request.url === "/healthz") return void response.end("ok")
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { anonymousId, events } = JSON.parse(Buffer.concat(chunks).toString()) as {
      anonymousId: string
      events: ReadonlyArray<Waiting["event"]>
    }
    let left = events.length
    const done = (isStored: boolean) => {
      if (--left === 0) response.writeHead(isStored ? 204 : 503).end()
    }
    for (const event of events) waiting.push({ event, anonymousId, done })
    void flush()
  })
}).listen(Number(port), "127.0.0.1")

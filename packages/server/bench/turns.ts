// How long the turns of a large organization last, and how long others wait for one, with 2,000,000
// visitors who were also imported. A turn is the time during which one transaction holds the
// organization's lock (organization-turns.ts). It's sampled from pg_locks every few milliseconds. A
// wait is the time from requesting the lock to getting it, measured by a constant probe. The lock
// is first come, first served, so a wait can span several turns of others. Meanwhile the server
// identifies 20,000 events, imports 50,000 people, erases one person, and activates a sync cycle
// that marks an eighth of the visitors.
import pg from "pg"
import { hash, randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { advisoryLocks } from "../src/platform/database/advisory-locks.ts"
import { type BenchPostgres, query } from "./database.ts"
import { domain, type Fixture, makeFixture, secret } from "./fixture.ts"
import { accessToken, makeOwner } from "./people.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const visitors = Number(process.env["TURNS_VISITORS"] ?? 2_000_000)
const events = 20_000
const imported = 50_000
const industries = 8
const longestMs = 500

/** In milliseconds. */
interface Measured {
  readonly wait: number
  readonly turn: number
}

export const turns = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await filledDatabase(postgres, "bench_turns")
  const [found] = await query(database, "select fixture from bench_fixture")
  const { apiKey, organizationId, pixelId } = found!["fixture"] as Fixture
  const [client, probe, watch] = await Promise.all([
    connected(database),
    connected(database),
    connected(database),
  ])
  const port = await freePort()
  const environment = {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    SYNC_CYCLE_SECONDS: "1",
    PORT: String(port),
  }
  const server = start([serverBin, "start", "--json"], environment)

  /** The longest wait for the lock and the longest turn of another transaction until the work is done. */
  const measured = async (work: () => Promise<unknown>): Promise<Measured> => {
    const end = new AbortController()
    const repeat = async (step: () => Promise<void>) => {
      while (!end.signal.aborted) {
        await step()
        await setTimeout(5)
      }
    }
    let wait = 0
    const probing = repeat(async () => {
      const begin = performance.now()
      await probe.query("begin")
      await probe.query("select pg_advisory_xact_lock_shared($1)", [advisoryLocks.identification])
      await probe.query("select pg_advisory_xact_lock($1, hashtext($2))", [
        advisoryLocks.organizationTurn,
        organizationId,
      ])
      await probe.query("commit")
      wait = Math.max(wait, performance.now() - begin)
    })
    const seen = new Map<string, { readonly first: number; last: number }>()
    const watching = repeat(async () => {
      const { rows } = await watch.query(
        `select virtualtransaction as turn, extract(epoch from clock_timestamp()) * 1000 as at
         from pg_locks
         -- A transaction that has ended no longer has an id, and is about to release its locks.
         where virtualtransaction not like '%/0' and locktype = 'advisory' and mode = 'ExclusiveLock' and granted
           and database = (select oid from pg_database where datname = current_database())
           and (
             objid = $1 and objsubid = 1
             or classid = $2 and objid::bigint = hashtext($3)::bigint & 4294967295 and objsubid = 2
           )`,
        [String(advisoryLocks.identification), advisoryLocks.organizationTurn, organizationId],
      )
      for (const row of rows) {
        const at = Number(row.at)
        const turn = seen.get(row.turn)
        if (turn === undefined) seen.set(row.turn, { first: at, last: at })
        else turn.last = at
      }
    })
    try {
      await work()
    } finally {
      end.abort()
      await Promise.all([probing, watching])
    }
    const turn = Math.max(0, ...[...seen.values()].map(({ first, last }) => last - first))
    return { wait, turn }
  }
  const until = async (text: string, wanted: (rows: number) => boolean): Promise<void> => {
    while (!wanted((await client.query(text)).rows.length)) await setTimeout(200)
  }
  const send = async (
    method: string,
    path: string,
    type: string,
    body?: string,
    authorization?: string,
  ) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(authorization === undefined ? { "x-api-key": apiKey } : { authorization }),
        ...(body === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined ? {} : { body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }

  try {
    await ready(port, 0)
    const identification = await measured(async () => {
      await insertEvents(client, organizationId, pixelId)
      await until("select from event_inbox limit 1", (n) => n === 0)
    })
    const token = await accessToken(environment)
    const merge = await measured(() =>
      send("POST", "/v1/admin/import/people", "text/csv", csv(), `Bearer ${token}`),
    )
    const erasure = await measured(() =>
      send("DELETE", `/v1/data/visitors/${hashOf(visitors)}`, "application/json"),
    )
    const cycle = await measured(async () => {
      const rules = JSON.stringify({ rules: [{ type: "industry", value: "industry 1" }] })
      await send("POST", "/v1/data/suppression-rules", "application/json", rules)
      await until(
        `select from visitor
         where organization_id = '${organizationId}' and id = '${idOf(lastMarked)}' and suppressed`,
        (n) => n > 0,
      )
    })
    const rows = (name: string, { wait, turn }: Measured): ReadonlyArray<Row> =>
      Object.entries({ "longest turn": turn, "longest wait": wait }).map(([what, ms]) => ({
        name: `turns: ${what} of ${name}, ${visitors.toLocaleString("en")} visitors`,
        floor: "-",
        ours: `${ms.toFixed(0)} ms`,
        ratio: ms,
        bar: { atMost: longestMs },
      }))
    return [
      ...rows("identification", identification),
      ...rows(`an import of ${imported.toLocaleString("en")} people who are visitors`, merge),
      ...rows("an erasure", erasure),
      ...rows(
        `a sync cycle that marks ${Math.floor(visitors / industries).toLocaleString("en")}`,
        cycle,
      ),
    ]
  } finally {
    await stop(server)
    await Promise.all([client, probe, watch].map((each) => each.end()))
    await postgres.drop("bench_turns")
  }
}

const addressOf = (n: number): string => `person${n}@company${n % 5_000}.example`
const hashOf = (n: number): string => hash("sha256", addressOf(n))
const idOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
/** The last visitor of `industry 1`. These visitors are marked in order of their ids. */
const lastMarked = Math.floor((visitors - 1) / industries) * industries + 1

const connected = async (database: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  return client
}

/** A database with that many visitors. */
export const filledDatabase = (postgres: BenchPostgres, name: string): Promise<string> =>
  postgres.copy(name, `bench_turns_of_${visitors}`, fill)

/** Takes a few minutes: inserts people into three tables in plain SQL. */
const fill = async (database: string): Promise<void> => {
  const fixture = await makeFixture(database)
  const { organizationId } = fixture
  const client = await connected(database)
  await makeOwner(client, organizationId)
  await client.query("create table bench_fixture (fixture jsonb)")
  await client.query("insert into bench_fixture values ($1)", [JSON.stringify(fixture)])
  const address = "'person' || n || '@company' || n % 5000 || '.example'"
  const digest = `encode(sha256((${address})::bytea), 'hex')`
  const id = "('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
  const series = `generate_series(1, ${visitors}) as n`
  await client.query(`
    insert into visitor (organization_id, id, email, email_hash, email_domain, first_seen_at,
      last_seen_at, first_name, company_domain, industry)
    select '${organizationId}', ${id}, ${address}, ${digest}, 'company' || n % 5000 || '.example',
      now() - interval '9 days', now() - interval '1 day', 'Jane', 'company' || n % 5000 || '.example',
      'industry ' || n % ${industries}
    from ${series}`)
  await client.query(`
    insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
    select '${organizationId}', ${digest}, ${id}, ${address}, 'business', now() - interval '9 days'
    from ${series}`)
  await client.query(`
    insert into person (organization_id, email_hash, email, emails, first_name, company_domain, industry)
    select '${organizationId}', ${digest}, ${address}, array[${address}], 'Jane',
      'company' || n % 5000 || '.example', 'industry ' || n % ${industries}
    from ${series}`)
  for (const table of ["visitor", "visitor_address", "person"]) {
    await client.query(`vacuum analyze ${table}`)
  }
  await client.end()
}

/** Each browser is identified as one of the visitors, after a page view. */
const insertEvents = async (
  client: pg.Client,
  organizationId: string,
  pixelId: string,
): Promise<void> => {
  const browsers = Array.from({ length: events / 2 }, (_, n) => ({
    a: randomUUID(),
    e: addressOf(1 + ((n * 7_919) % visitors)),
  }))
  await client.query(
    `insert into event_inbox (organization_id, pixel_id, id, anonymous_id, type, occurred_at, url, payload)
     select $1, $2, gen_random_uuid(), b.a, kind, now(), 'https://${domain}/pricing',
       case kind when 'page' then '{"k": "granted", "d": "desktop"}'::jsonb
         else jsonb_build_object('k', 'granted', 'd', 'desktop', 'e', b.e) end
     from jsonb_to_recordset($3) as b (a uuid, e text)
     cross join (values ('page'), ('identify')) as kinds (kind)`,
    [organizationId, pixelId, JSON.stringify(browsers)],
  )
}

/** A changed name for each of the first visitors. */
const csv = (): string =>
  [
    "email,firstName,jobTitle",
    ...Array.from({ length: imported }, (_, n) => `${addressOf(n + 1)},Janet,Operations Lead`),
  ].join("\n")

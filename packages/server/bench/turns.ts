// How long others wait for the turn of a large organization: 2,000,000 visitors, each of them imported too.
// A probe asks for the turn every few milliseconds, as a pass or an import does, while the server identifies
// 20,000 events, imports 50,000 people, erases one person and brings a sync cycle into force that marks an
// eighth of the visitors. Ours is the longest wait of the probe, which is the longest turn of the holder.
import pg from "pg"
import { hash, randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { advisoryLocks } from "../src/database/advisory-locks.ts"
import type { BenchPostgres } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { accessToken, makeOwner } from "./people.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const visitors = Number(process.env["TURNS_VISITORS"] ?? 2_000_000)
const events = 20_000
const imported = 50_000
const industries = 8
const longestMs = 500

export const turns = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_turns")
  const { apiKey, organizationId, pixelId } = await makeFixture(database)
  const client = new pg.Client({ connectionString: database })
  const probe = new pg.Client({ connectionString: database })
  await client.connect()
  await probe.connect()
  await makeOwner(client, organizationId)
  await fill(client, organizationId)
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

  /** Milliseconds: the longest wait for the turn until the work is done. */
  const longestWait = async (work: () => Promise<unknown>): Promise<number> => {
    const end = new AbortController()
    let longest = 0
    const probing = (async () => {
      while (!end.signal.aborted) {
        const begin = performance.now()
        await probe.query("begin")
        await probe.query("select pg_advisory_xact_lock_shared($1)", [advisoryLocks.identification])
        await probe.query("select pg_advisory_xact_lock($1, hashtext($2))", [
          advisoryLocks.organizationTurn,
          organizationId,
        ])
        await probe.query("commit")
        longest = Math.max(longest, performance.now() - begin)
        await setTimeout(5)
      }
    })()
    try {
      await work()
    } finally {
      end.abort()
      await probing
    }
    return longest
  }
  const count = async (text: string): Promise<number> =>
    Number((await client.query(text)).rows[0].n)
  const until = async (text: string, wanted: (n: number) => boolean): Promise<void> => {
    while (!wanted(await count(text))) await setTimeout(200)
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
    const identification = await longestWait(async () => {
      await insertEvents(client, organizationId, pixelId)
      await until("select count(*) as n from event_inbox", (n) => n === 0)
    })
    const token = await accessToken(environment)
    const merge = await longestWait(() =>
      send("POST", "/v1/admin/import/people", "text/csv", csv(), `Bearer ${token}`),
    )
    const erasure = await longestWait(() =>
      send("DELETE", `/v1/data/visitors/${hashOf(visitors)}`, "application/json"),
    )
    const cycle = await longestWait(async () => {
      const rules = JSON.stringify({ rules: [{ type: "industry", value: "industry 1" }] })
      await send("POST", "/v1/data/suppression-rules", "application/json", rules)
      await until(
        "select count(*) as n from visitor where suppressed",
        (n) => n >= Math.floor(visitors / industries) - 1,
      )
    })
    const row = (name: string, ms: number): Row => ({
      name: `turns: longest of ${name}, ${visitors.toLocaleString("en")} visitors`,
      floor: "-",
      ours: `${ms.toFixed(0)} ms`,
      ratio: ms,
      bar: { atMost: longestMs },
    })
    return [
      row("identification", identification),
      row(`an import of ${imported.toLocaleString("en")} people who are visitors`, merge),
      row("an erasure", erasure),
      row(
        `a sync cycle that marks ${Math.floor(visitors / industries).toLocaleString("en")}`,
        cycle,
      ),
    ]
  } finally {
    await stop(server)
    await client.end()
    await probe.end()
    await postgres.drop("bench_turns")
  }
}

const addressOf = (n: number): string => `person${n}@company${n % 5_000}.example`
const hashOf = (n: number): string => hash("sha256", addressOf(n))

/** Takes some minutes: people in four tables by plain SQL. */
const fill = async (client: pg.Client, organizationId: string): Promise<void> => {
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

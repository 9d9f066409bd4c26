// Suppression rules: posts 25,000 into a list of 1,000,000, a fifth of them existing, compared with
// the bare statement that stores the same rows in a table with the same indexes. Then the same list
// again, a replacement, and 10,000 people matched against 1,000,000 rules, compared with the bare
// join, which looks up keys of every type. Ours is the whole HTTP request. Before each round both
// lists are reset to the same state and vacuumed.
import pg from "pg"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { hash } from "node:crypto"
import { CycleStore } from "../src/people/suppression/cycle/store.ts"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const storedCount = 1_000_000
const sentCount = 25_000
const peopleCount = 10_000
const pageSize = 5_000
const rounds = 5

export const suppression = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_suppression")
  const { apiKey, organizationId } = await makeFixture(database)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now()
    await work()
    return performance.now() - begin
  }
  const send = (method: string, rules: ReadonlyArray<unknown>) => {
    const body = JSON.stringify({ rules })
    return timed(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/data/suppression-rules`, {
        method,
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body,
      })
      if (response.status !== 200) throw new Error(await response.text())
      await response.arrayBuffer()
    })
  }
  const page = async () => {
    const response = await fetch(
      `http://127.0.0.1:${port}/v1/data/suppression-rules?limit=${pageSize}`,
      { headers: { "x-api-key": apiKey } },
    )
    if (response.status !== 200) throw new Error(await response.text())
    await response.arrayBuffer()
  }
  try {
    await ready(port, 0)
    await fill(client, organizationId)
    const times: Record<string, Array<number>> = {
      bare: [],
      post: [],
      again: [],
      put: [],
      bareMatch: [],
      match: [],
      bareMatchAll: [],
      matchAll: [],
      page: [],
    }
    for (let round = 0; round < rounds; round++) {
      const rules = submission(round)
      times["bare"]!.push(await timed(() => bareInsert(client, organizationId, rules)))
      times["post"]!.push(await send("POST", rules))
      times["again"]!.push(await send("POST", rules))
      await restore(client, organizationId)
    }
    await preparePeople(client, organizationId)
    const { close, mark } = await matching(client, database, organizationId)
    const compare = async (floor: string, ours: string) => {
      for (let round = 0; round < rounds; round++) {
        times[floor]!.push(await timed(() => bareMatch(client, organizationId)))
        times[ours]!.push(await timed(mark))
      }
    }
    await compare("bareMatch", "match")
    const onePersonMs = await onePerson(client, database, organizationId)
    await addOtherTypes(client, organizationId)
    await compare("bareMatchAll", "matchAll")
    await close()
    for (let round = 0; round < rounds; round++) times["page"]!.push(await timed(page))
    await client.query("truncate suppression_rule, suppression_list")
    await send("POST", submission(-1))
    for (let round = 0; round < rounds; round++) {
      times["put"]!.push(await send("PUT", submission(round)))
    }
    const of = (name: string) => median(times[name]!)
    const row = (name: string, floor: string, ours: string, bar?: number): Row => ({
      name,
      floor: `${of(floor).toFixed(0)} ms`,
      ours: `${of(ours).toFixed(0)} ms`,
      ratio: of(ours) / of(floor),
      ...(bar === undefined ? {} : { bar: { atMost: bar } }),
    })
    return [
      row("suppression: POST 25,000 into 1,000,000 / bare insert", "bare", "post", 1.5),
      row("suppression: the same 25,000 again / the first time", "post", "again"),
      row("suppression: PUT 25,000 over 25,000 / bare insert of 25,000", "bare", "put"),
      row(
        "suppression: 10,000 people against 1,000,000 rules / bare join",
        "bareMatch",
        "match",
        1.2,
      ),
      row("suppression: the same, with rules of every type", "bareMatchAll", "matchAll"),
      {
        name: "suppression: one person against 1,000,000 rules, p99, ms",
        floor: "–",
        ours: onePersonMs.toFixed(1),
        ratio: onePersonMs,
        bar: { atMost: 4 },
      },
      {
        name: "suppression: a page of 5,000 out of 1,000,000, ms",
        floor: "–",
        ours: of("page").toFixed(0),
        ratio: of("page"),
        bar: { atMost: 500 },
      },
    ]
  } finally {
    await stop(server)
    await client.end()
  }
}

interface Rule {
  readonly type: string
  readonly value: string
}

const domain = (n: number): string => `host${n}.company${n % 977}.example`

/** Four fifths are new, a fifth already exists. */
const submission = (round: number): ReadonlyArray<Rule> =>
  Array.from({ length: sentCount }, (_, n) => ({
    type: "domain",
    value: n % 5 === 0 ? domain(n * 37) : domain(storedCount * (round + 2) + n),
  }))

const fill = async (client: pg.Client, organizationId: string): Promise<void> => {
  const columns = "organization_id, type, value, match_key, created_at, takes_part_at"
  await client.query(
    `insert into suppression_rule (${columns})
     select $1, 'domain', value, value, at, at
     from (select 'host' || n || '.company' || n % 977 || '.example' as value,
       now() - interval '1 day' as at from generate_series(0, ${storedCount - 1}) as n) as rule`,
    [organizationId],
  )
  await client.query(
    `insert into suppression_list (organization_id, cycle_at, changed_at, domain)
     values ($1, now(), now() - interval '1 hour', ${storedCount})`,
    [organizationId],
  )
  await client.query(
    "create table bare (like suppression_rule including defaults including indexes)",
  )
  // The default for a table whose ids need no order.
  await client.query("alter table bare alter column id set default gen_random_uuid()")
  await client.query("insert into bare select * from suppression_rule")
  await client.query("vacuum analyze suppression_rule")
  await client.query("vacuum analyze bare")
}

const bareInsert = (
  client: pg.Client,
  organizationId: string,
  rules: ReadonlyArray<Rule>,
): Promise<unknown> =>
  client.query(
    `insert into bare (organization_id, type, value, match_key, created_at, takes_part_at)
     select $1, type, value, value, now(), now()
     from unnest($2::text[], $3::text[]) as rule (type, value)
     on conflict (organization_id, type, match_key) do nothing`,
    [organizationId, rules.map(({ type }) => type), rules.map(({ value }) => value)],
  )

const restore = async (client: pg.Client, organizationId: string): Promise<void> => {
  for (const table of ["suppression_rule", "bare"]) {
    await client.query(`delete from ${table} where created_at > now() - interval '12 hours'`)
    await client.query(`vacuum ${table}`)
  }
  await client.query("update suppression_list set domain = $2 where organization_id = $1", [
    organizationId,
    storedCount,
  ])
}

/** People with two addresses, a company and an industry. For every tenth a rule matches the domain. */
const preparePeople = async (client: pg.Client, organizationId: string): Promise<void> => {
  const hashes = Array.from({ length: peopleCount }, (_, n) => hash("sha256", `person${n}`))
  await client.query(
    `insert into visitor (organization_id, id, email, email_hash, email_domain, company_domain,
       industry, first_seen_at, last_seen_at)
     select $1, gen_random_uuid(), 'person' || n, hash,
       case when n % 10 = 0 then 'host' || n * 37 || '.company' || (n * 37) % 977 || '.example'
         else 'own' || n || '.example' end,
       'company' || n || '.example', 'retail', now(), now()
     from unnest($2::text[]) with ordinality as person (hash, n)`,
    [organizationId, hashes],
  )
  await client.query(
    `insert into visitor_address (organization_id, email_hash, visitor_id, first_seen_at)
     select organization_id, case second when 0 then email_hash
       else encode(sha256(email_hash::bytea), 'hex') end, id, now()
     from visitor, generate_series(0, 1) as second where organization_id = $1`,
    [organizationId],
  )
  await client.query("vacuum analyze visitor")
  await client.query("vacuum analyze visitor_address")
  await client.query(
    `create table person_key as
     select id, 'email' as type, email_hash as match_key from visitor
     union all select visitor_id, 'email', email_hash from visitor_address
     union all select id, 'domain', email_domain from visitor
     union all select id, 'company_domain', company_domain from visitor
     union all select id, 'industry', industry from visitor`,
  )
  await client.query("vacuum analyze person_key")
}

/** One rule of each type except domain, so that the keys of every type are looked up. They match no one. */
const addOtherTypes = async (client: pg.Client, organizationId: string): Promise<void> => {
  await client.query(
    `insert into suppression_rule
       (organization_id, type, value, match_key, created_at, takes_part_at)
     select $1, type, 'none', 'none', now() - interval '1 day', now() - interval '1 day'
     from unnest('{email,company_domain,industry}'::text[]) as type`,
    [organizationId],
  )
  await client.query(
    `update suppression_list set email = 1, company_domain = 1, industry = 1
     where organization_id = $1`,
    [organizationId],
  )
}

const bareMatch = (client: pg.Client, organizationId: string): Promise<unknown> =>
  client.query(
    `select count(distinct person_key.id) from person_key
     join suppression_rule as rule on rule.organization_id = $1 and rule.type = person_key.type
       and rule.match_key = person_key.match_key`,
    [organizationId],
  )

/** p99 of the identification pass's statement, run for one person after another. In milliseconds. */
const onePerson = async (
  client: pg.Client,
  database: string,
  organizationId: string,
): Promise<number> => {
  const { rows } = await client.query<{ id: string }>(
    "select id from visitor where organization_id = $1 order by id limit 400",
    [organizationId],
  )
  const layer = CycleStore.layer.pipe(
    Layer.provide(PgClient.layer({ url: Redacted.make(database) })),
  )
  const took = await Effect.gen(function* () {
    const store = Context.get(yield* Layer.build(layer), CycleStore)
    return yield* Effect.forEach(rows, ({ id }) => {
      const begin = performance.now()
      return Effect.map(
        store.mark([{ organizationId, visitorId: id }]),
        () => performance.now() - begin,
      )
    })
  }).pipe(Effect.scoped, Effect.runPromise)
  // The first ones open the connection.
  const sorted = took.slice(50).toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.99)]!
}

/** The identification pass's statement, over everyone at once. */
const matching = async (client: pg.Client, database: string, organizationId: string) => {
  const { rows } = await client.query<{ id: string }>(
    "select id from visitor where organization_id = $1",
    [organizationId],
  )
  const visitors = rows.map(({ id }) => ({ organizationId, visitorId: id }))
  // A worker's connection is already open, like the floor's.
  const runtime = ManagedRuntime.make(
    CycleStore.layer.pipe(Layer.provide(PgClient.layer({ url: Redacted.make(database) }))),
  )
  const mark = () => runtime.runPromise(Effect.flatMap(CycleStore, (store) => store.mark(visitors)))
  return { mark, close: () => runtime.dispose() }
}

// Long work runs outside the organization's turn (organization-turns.ts), so that identification continues: an
// erasure waits for writers of signals before it takes the turn, and uses an index to find an address in the
// records of others.
import pg from "pg"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let other: pg.Client
beforeAll(async () => {
  server = await startServer({ workers: false })
  other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await server.close()
})

const putPerson = (email: string, emails: ReadonlyArray<string> = [email]) =>
  server.sql(
    "insert into person (organization_id, email_hash, email, emails) values ($1, $2, $3, $4)",
    [server.organizationId, hashEmail(email).sha256, email, emails],
  )
const isWaiting = (lock: number) =>
  server.sql(
    `select from pg_locks where locktype = 'advisory' and classid = $1 and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    [lock],
  )
const turnIsFree = async () => {
  const [row] = await server.sql('select pg_try_advisory_xact_lock($1, hashtext($2)) as "isFree"', [
    advisoryLocks.organizationTurn,
    server.organizationId,
  ])
  return row?.["isFree"]
}

/** Returns how many times an index was used. */
const scans = async (index: string) => {
  await server.sql("select pg_stat_clear_snapshot()")
  const [row] = await server.sql(
    "select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = $1",
    [index],
  )
  return Number(row?.["scans"])
}

it("an erasure that waits for an import of signals does not hold the turn", async () => {
  await putPerson("jane@acme.example")
  await other.query("begin")
  await other.query("select pg_advisory_xact_lock($1, hashtext($2))", [
    advisoryLocks.signals,
    server.organizationId,
  ])
  const erased = server.sdk.visitors.erase(hashEmail("jane@acme.example").sha256)
  await vi.waitFor(
    async () => expect(await isWaiting(advisoryLocks.signals)).toHaveLength(1),
    20_000,
  )

  expect(await turnIsFree()).toBe(true)

  await other.query("commit")
  expect(await erased).toMatchObject({ deleted: true })
})

it("an erasure uses an index to find the records of others that contain the address", async () => {
  const [ann, tom] = ["ann@acme.example", "tom@acme.example"]
  await server.sql(
    `insert into person (organization_id, email_hash, email, emails)
     select $1, encode(sha256(n::text::bytea), 'hex'), n || '@acme.example', array[n || '@acme.example']
     from generate_series(1, 2000) as n`,
    [server.organizationId],
  )
  await putPerson(ann)
  await putPerson(tom, [tom, ann])
  const before = await scans("person_other_addresses")

  await server.sdk.visitors.erase(hashEmail(ann).sha256)

  // Statistics arrive late.
  await vi.waitFor(
    async () => expect(await scans("person_other_addresses")).toBeGreaterThan(before),
    15_000,
  )
  expect(
    await server.sql("select emails from person where email = any ($1)", [[ann, tom]]),
  ).toEqual([{ emails: [tom] }])
})

it("an erasure uses indexes to find waiting events, and deletes no one else's", async () => {
  const email = "eve@acme.example"
  const hash = hashEmail(email).sha256
  const put = (payload: object, count = 1) =>
    server.sql(
      `insert into event_inbox
         (organization_id, pixel_id, id, anonymous_id, type, occurred_at, payload)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'page_view', now(),
         case when $2::jsonb ? 'e' and $3 > 1
           then jsonb_build_object('e', n || '@acme.example') else $2::jsonb end
       from generate_series(1, $3::int) as n`,
      [server.organizationId, JSON.stringify(payload), count],
    )
  await put({ e: "someone" }, 20_000)
  await put({ e: email })
  await put({ h: hash })
  await server.sql("analyze event_inbox")
  const indexes = ["event_inbox_email", "event_inbox_hash"]
  const [email0 = 0, hash0 = 0] = await Promise.all(indexes.map(scans))

  await server.sdk.visitors.erase(hash)

  await vi.waitFor(async () => {
    expect(await scans("event_inbox_email")).toBeGreaterThan(email0)
    expect(await scans("event_inbox_hash")).toBeGreaterThan(hash0)
  }, 30_000)
  const [left] = await server.sql(
    "select count(*)::int as events from event_inbox where organization_id = $1",
    [server.organizationId],
  )
  expect(left).toEqual({ events: 20_000 })
})

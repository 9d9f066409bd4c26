// What a long plan leaves to others, and how one ends that exceeds its time limit (spec 4.4). A lock simulates the
// minutes that a million contacts take.
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { queueDelivery } from "./queued-delivery.ts"
import { DeliveryWorld, people } from "./support.ts"

let w: DeliveryWorld
let other: pg.Client
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())
beforeEach(async () => {
  other = new pg.Client({ connectionString: w.world.server.databaseUrl })
  await other.connect()
  await other.query("begin")
  await other.query("lock table delivery_batch in share row exclusive mode")
})
afterEach(() => other.end())

/** Backends that are planning. */
const planning = async (): Promise<ReadonlyArray<unknown>> => {
  const rows = await w.sql(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query like '%insert into delivery_batch%'`,
  )
  return rows.map(({ pid }) => pid)
}

const countOf = async (status: string) => {
  const [row] = await w.sql("select count(*)::int as total from delivery where status = $1", [
    status,
  ])
  return row!["total"]
}

it("twelve plans of one organization leave connections for requests", async () => {
  let organizationId: string | undefined
  for (let place = 0; place < 12; place++) {
    const queued = await queueDelivery((text, values) => w.sql(text, values), {
      url: `${w.receiver.url}/plan`,
      contacts: 1,
      ...(organizationId === undefined ? {} : { organizationId }),
    })
    organizationId = queued.organizationId
  }
  await expect.poll(() => countOf("processing"), { timeout: 30_000 }).toBe(12)
  await expect.poll(async () => (await planning()).length, { timeout: 30_000 }).toBe(1)

  const answer = await w.world.ask("GET /v1/intent/audiences")

  expect(answer.status).toBe(200)
  expect((await planning()).length).toBeLessThanOrEqual(1)
  await other.query("commit")
  await expect.poll(() => countOf("completed"), { timeout: 30_000 }).toBe(12)
})

it("a plan that exceeds its limit is postponed, and counts as an attempt", async () => {
  const destination = await w.destination(people(3))
  const delivery = await w.sync(destination)
  await expect.poll(async () => (await planning()).length, { timeout: 30_000 }).toBe(1)

  // Postgres ends a statement at its time limit in the same way.
  await w.sql("select pg_cancel_backend($1)", [(await planning())[0]])
  const parked = await w.parked(delivery)

  expect(parked).toMatchObject({ errorCode: "INTERNAL_ERROR", attempts: 1 })
  await other.query("commit")
  await w.wakeUp(delivery)
  expect(await w.ended(delivery)).toMatchObject({ status: "completed", sentCount: 3 })
})

// A worker's write about a delivery counts once, and only while the worker holds its claim (spec 4.4): not after
// another worker has claimed it, and no acknowledgement twice.
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Acknowledgement } from "../../src/activation/deliveries/delivery-work.ts"
import { DeliveryStore } from "../../src/activation/deliveries/store.ts"
import { webhookContentHash } from "../../src/activation/deliveries/content-hash.ts"
import type { PresentContact } from "../../src/activation/deliveries/plan.ts"
import { onServices } from "../runs/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { anyRoom, queueDelivery } from "./queued-delivery.ts"

let server: TestServer
let deliveryId: string
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.sql("truncate audience cascade")
  const url = "https://hooks.tidewater.example/footfall"
  const queued = await queueDelivery(server.sql, { url, contacts: 3 })
  deliveryId = queued.deliveryId
})

const stored = async () => {
  const [row] = await server.sql(
    `select status, attempts, sent_count as sent, skipped_count as skipped, acknowledgements,
       batch_index as batches, leased_until is not null as held,
       (select total_synced::int from destination) as synced
     from delivery where id = $1`,
    [deliveryId],
  )
  return row!
}

const claim = Effect.flatMap(DeliveryStore, ({ jobs }) =>
  Effect.map(jobs.claim(anyRoom), (claims) => claims[0]!),
)

/** Expires the worker's lease, as if it had been silent for too long. */
const loseLease = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { jobs } = yield* DeliveryStore
  yield* sql`update delivery set leased_until = clock_timestamp() - interval '1 second'`
  yield* jobs.requeueLost
})

const begun = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const held = yield* claim
  const loaded = yield* store.load(held)
  const plan = yield* store.plan(held, loaded, {
    hash: webhookContentHash([]),
    listId: null,
    leaving: "keep",
  })
  const times = yield* store.begin(held, 1)
  const work = { ...loaded, ...plan, ...times }
  const contacts = (yield* store.batch(work)) as ReadonlyArray<PresentContact>
  return { held, store, work, contacts }
})

/** The results if the first contact was sent and the others were not. */
const oneSent = (
  contacts: ReadonlyArray<PresentContact>,
  acknowledgements = 0,
): Acknowledgement => ({
  batchIndex: 0,
  acknowledgements,
  sent: [{ contact: contacts[0]!, contentHash: "00".repeat(32) }],
  left: [],
  skipped: [],
  failed: [],
  attempts: new Map(contacts.slice(1).map(({ place }) => [place, 0])),
  failedSinceSent: 0,
  lastError: undefined,
  failedAttempts: 0,
  attemptError: undefined,
  streak: { code: null, count: 0 },
})

describe("an acknowledgement", () => {
  it("counts once if it is repeated because its response was lost", async () => {
    const [first, second] = await onServices(
      server,
      Effect.gen(function* () {
        const { contacts, held, store, work } = yield* begun
        const first = yield* store.acknowledge(held, work, oneSent(contacts))
        const second = yield* store.acknowledge(held, work, oneSent(contacts))
        return [first, second] as const
      }),
    )

    expect([first.sentCount, second.sentCount]).toEqual([1, 1])
    expect(await stored()).toMatchObject({ sent: 1, acknowledgements: 1, synced: 1 })
  })

  it("is refused with a number that the delivery has passed or not reached", async () => {
    const exits = await onServices(
      server,
      Effect.gen(function* () {
        const { contacts, held, store, work } = yield* begun
        yield* store.acknowledge(held, work, oneSent(contacts))
        yield* store.acknowledge(held, work, { ...oneSent(contacts, 1), sent: [] })
        return yield* Effect.forEach([0, 3], (number) =>
          Effect.exit(store.acknowledge(held, work, oneSent(contacts, number))),
        )
      }),
    )

    expect(exits.map(Exit.isFailure)).toEqual([true, true])
    expect(await stored()).toMatchObject({ sent: 1, acknowledgements: 2, synced: 1 })
  })
})

describe("a worker whose delivery another one has claimed", () => {
  it("writes nothing more: no acknowledgement, end, wait or release, and no longer lease", async () => {
    const { renewed, exits } = await onServices(
      server,
      Effect.gen(function* () {
        const { contacts, held, store, work } = yield* begun
        yield* loseLease
        yield* claim
        const ending = { status: "completed", error: undefined, needsAttention: false } as const
        const error = { code: "ENDPOINT_ERROR", message: "No." } as const
        const exits = yield* Effect.forEach(
          [
            store.load(held),
            store.begin(held, 1),
            store.acknowledge(held, work, oneSent(contacts)),
            store.settle(held),
            store.park(held, work, error, {
              leastSeconds: 0,
              startedAttempts: 1,
              completedAttempts: 0,
            }),
            store.end(held, work, ending, 1),
          ] as ReadonlyArray<Effect.Effect<unknown, unknown>>,
          Effect.exit,
        )
        yield* store.release(held)
        return { exits, renewed: yield* store.jobs.renew(held) }
      }),
    )

    expect(exits.map(Exit.isFailure)).toEqual([true, true, true, true, true, true])
    expect(renewed).toBe(false)
    expect(await stored()).toEqual({
      status: "processing",
      attempts: 2,
      sent: 0,
      skipped: 0,
      acknowledgements: 0,
      batches: 0,
      held: true,
      synced: 0,
    })
  })
})

describe("attempts", () => {
  it("are counted if nothing was acknowledged, and not if something was", async () => {
    const counts = await onServices(
      server,
      Effect.gen(function* () {
        const error = { code: "ENDPOINT_ERROR", message: "No." } as const
        const sql = yield* SqlClient.SqlClient
        const { contacts, held, store, work } = yield* begun
        const wait = { leastSeconds: 0, startedAttempts: 1, completedAttempts: 0 }
        const after = sql<{ attempts: number }>`select attempts from delivery`.pipe(
          Effect.map(([row]) => row!.attempts),
          Effect.tap(() => sql`update delivery set next_attempt_at = null`),
        )
        yield* store.acknowledge(held, work, { ...oneSent(contacts), sent: [] })
        yield* store.park(held, work, error, wait)
        const nothing = yield* after
        const second = yield* claim
        yield* store.acknowledge(second, work, oneSent(contacts, 1))
        yield* store.park(second, work, error, wait)
        const something = yield* after
        yield* claim
        yield* loseLease
        const lost = yield* after
        yield* store.release(yield* claim)
        const stopped = yield* after
        return { nothing, something, lost, stopped }
      }),
    )

    expect(counts).toEqual({ nothing: 1, something: 1, lost: 2, stopped: 2 })
  })

  it("of a delivery that progressed and was lost at its sixth are put back, and it is never given up", async () => {
    const lost = await onServices(
      server,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { contacts, held, store, work } = yield* begun
        yield* sql`update delivery set attempts = 6`
        yield* store.acknowledge(held, work, oneSent(contacts))
        yield* sql`update delivery set leased_until = clock_timestamp() - interval '1 second'`
        // The lease ran out after the search for expired ones.
        const lost = yield* store.jobs.claimLost(10)
        yield* store.jobs.requeueLost
        return lost
      }),
    )

    expect(lost).toEqual([])
    expect(await stored()).toMatchObject({ status: "queued", attempts: 5, sent: 1 })
  })

  it("end the delivery at the sixth without progress, and never while it progresses", async () => {
    const answers = await onServices(
      server,
      Effect.gen(function* () {
        const error = { code: "ENDPOINT_ERROR", message: "No." } as const
        const sql = yield* SqlClient.SqlClient
        const { contacts, held, store, work } = yield* begun
        const wait = { leastSeconds: 0, startedAttempts: 1, completedAttempts: 0 }
        yield* sql`update delivery set attempts = 6`
        const useless = yield* store.park(held, work, error, wait)
        yield* store.acknowledge(held, work, oneSent(contacts))
        const useful = yield* store.park(held, work, error, wait)
        return { useless, useful }
      }),
    )

    expect(answers).toEqual({ useless: false, useful: true })
    expect(await stored()).toMatchObject({ status: "queued", attempts: 5, sent: 1 })
  })
})

it("a delivery gives way to a party with fewer in progress, not to one with as many", async () => {
  const url = "https://hooks.tidewater.example/footfall"
  const { organizationId } = await queueDelivery(server.sql, { url, contacts: 1 })
  await queueDelivery(server.sql, { url, contacts: 1, organizationId })

  const turns = await onServices(
    server,
    Effect.gen(function* () {
      const { jobs } = yield* DeliveryStore
      // One of each organization; the third stays queued.
      const claims = [yield* claim, yield* claim]
      const own = claims.find((one) => one.organizationId !== organizationId)!
      const other = claims.find((one) => one.organizationId === organizationId)!
      const withAsMany = yield* jobs.givingWay([own])
      yield* jobs.release(other)
      const withFewer = yield* jobs.givingWay([own])
      return { withAsMany, isOwn: withFewer?.id === own.id }
    }),
  )

  expect(turns).toEqual({ withAsMany: undefined, isOwn: true })
})

// An erasure and the acknowledgement of a contact at the same time: nothing about the person remains (spec 5.1).
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { webhookContentHash } from "../../src/activation/deliveries/content-hash.ts"
import type { PresentContact } from "../../src/activation/deliveries/plan.ts"
import { DeliveryStore } from "../../src/activation/deliveries/store.ts"
import { onServices } from "../runs/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { anyRoom, queueDelivery } from "./queued-delivery.ts"
import { hashOf } from "./support.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const waiting = async (words: string) => {
  const [row] = await server.sql(
    `select count(*)::int as total from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [`%${words}%`],
  )
  return row!["total"]
}

it.each(["sent", "failed"])(
  "a contact that was %s leaves nothing when the person is erased",
  async (end) => {
    await server.sql("truncate audience cascade")
    await server.sql("truncate destination_contact, delivery_failure")
    const url = "https://hooks.tidewater.example/footfall"
    const { destinationId, organizationId } = await queueDelivery(server.sql, { url, contacts: 1 })
    const emailHash = hashOf("p1@harbor.example")
    const other = new pg.Client({ connectionString: server.databaseUrl })
    await other.connect()

    await onServices(
      server,
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const sql = yield* SqlClient.SqlClient
        const [held] = yield* store.jobs.claim(anyRoom)
        const loaded = yield* store.load(held!)
        const plan = yield* store.plan(held!, loaded, {
          hash: webhookContentHash([]),
          listId: null,
          leaving: "keep",
        })
        const work = { ...loaded, ...plan, ...(yield* store.begin(held!, 1)) }
        const [contact] = (yield* store.batch(work)) as ReadonlyArray<PresentContact>
        const error = { code: "ENDPOINT_REJECTED", message: "No.", statusCode: 422 } as const
        // The last write of an acknowledgement waits for this.
        yield* Effect.promise(async () => {
          await other.query("begin")
          await other.query("select from destination where id = $1 for update", [destinationId])
        })
        const acknowledging = yield* Effect.forkChild(
          store.acknowledge(held!, work, {
            batchIndex: 0,
            acknowledgements: 0,
            sent: end === "sent" ? [{ contact: contact!, contentHash: "00".repeat(32) }] : [],
            left: [],
            skipped: [],
            failed:
              end === "sent"
                ? []
                : [{ contact: contact!, error, attempts: 1, lastAttemptAt: 0, tries: [] }],
            attempts: new Map(),
            failedSinceSent: 0,
            lastError: undefined,
            failedAttempts: 0,
            attemptError: undefined,
            streak: { code: null, count: 0 },
          }),
        )
        yield* Effect.promise(async () => {
          await expect.poll(() => waiting("update delivery set")).toBe(1)
        })
        const erasing = yield* Effect.forkChild(
          store.transaction(
            Effect.andThen(
              sql`delete from run_result where organization_id = ${organizationId}`,
              store.erase(organizationId, [emailHash]),
            ),
          ),
        )
        // The erasure waits for the acknowledgement, or has finished.
        yield* Effect.promise(async () => {
          await expect
            .poll(
              async () =>
                (await waiting("delete from run_result")) === 1 ||
                (await server.sql("select from run_result")).length === 0,
            )
            .toBe(true)
          await other.query("commit")
        })
        yield* Fiber.join(acknowledging)
        yield* Fiber.join(erasing)
      }),
    )
    await other.end()

    expect(await server.sql("select from destination_contact")).toEqual([])
    expect(await server.sql("select from delivery_failure")).toEqual([])
  },
)

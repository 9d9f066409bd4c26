// Responses to requests (spec 1.7, 5.10, 9), automatic deliveries (2.16), mailing lists (2.17).
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  isWrite,
  startMailerProvider,
  type MailerProvider,
} from "../destinations/mailer-provider.ts"
import { caller } from "../access/request.ts"
import { DeliveryWorld, nameOf, people, person, status } from "./support.ts"

let w: DeliveryWorld
let provider: MailerProvider
beforeAll(async () => {
  w = await DeliveryWorld.start()
  provider = await startMailerProvider()
  provider.addList({ id: "buyers" })
})
afterAll(async () => {
  await w.close()
  await provider.close()
})

describe("a sync is rejected", () => {
  it("for a destination that is not active, before anything else is checked", async () => {
    const draft = await w.world.webhook({ url: w.receiver.url })

    const answer = await w.world.ask(w.syncOperation(draft), {})

    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({
      code: "DESTINATION_NOT_ACTIVE",
      details: { status: "draft" },
    })
  })

  it("without intent access, or without approval, before a run is looked for", async () => {
    const destination = await w.webhook()
    const refused = async () => (await w.world.ask(w.syncOperation(destination), {})).body.error

    await w.sql("update organization set intent_enabled = false where id = $1", [w.organizationId])
    const disabled = await refused()
    await w.sql("update organization set intent_enabled = true where id = $1", [w.organizationId])
    await w.sql("update destination set approved_config_hash = '0' where id = $1", [destination.id])
    const unapproved = await refused()

    expect(disabled).toMatchObject({
      code: "DELIVERY_NOT_ELIGIBLE",
      details: { reason: "intent_disabled" },
    })
    expect(unapproved).toMatchObject({ details: { reason: "config_not_approved" } })
  })

  it("without a completed run", async () => {
    const answer = await w.world.ask(w.syncOperation(await w.webhook()), {})

    expect([answer.status, answer.body.error.code]).toEqual([409, "NO_COMPLETED_RUN"])
  })

  it("fifty concurrent requests create one delivery (B9)", async () => {
    const destination = await w.destination(people(1))
    w.receiver.answer = status(404)

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => w.world.ask(w.syncOperation(destination), {})),
    )

    const accepted = answers.filter((answer) => answer.status === 202)
    const refused = answers.filter((answer) => answer.status === 409)
    expect([accepted.length, refused.length]).toEqual([1, 49])
    const { delivery } = accepted[0]!.body.data as { readonly delivery: { readonly id: string } }
    expect(refused[0]!.body.error).toMatchObject({
      code: "DELIVERY_IN_PROGRESS",
      details: { deliveryId: delivery.id },
    })
    w.receiver.answer = status(204)
  })

  it("is accepted for an audience id in upper case", async () => {
    const destination = await w.destination(people(1))
    const audienceId = destination.audienceId.toUpperCase()

    const delivery = await w.sync({ ...destination, audienceId })

    expect(await w.ended(delivery)).toMatchObject({
      status: "completed",
      audienceId: destination.audienceId,
    })
  })

  it("with an unknown mode", async () => {
    const destination = await w.destination(people(1))
    for (const mode of ["initial", "", 1]) {
      const answer = await w.world.ask(w.syncOperation(destination), { mode })
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"])
    }
  })
})

describe("an idempotency key", () => {
  it("returns the same delivery for 24 hours, and rejects another mode", async () => {
    const destination = await w.destination(people(1))
    const sync = async (mode: string) => {
      const answer = await fetch(
        w.world.server.url + w.syncOperation(destination).replace("POST ", ""),
        {
          method: "POST",
          headers: {
            authorization: `Bearer ${w.world.member.accessToken}`,
            "content-type": "application/json",
            "idempotency-key": "monday",
          },
          body: JSON.stringify({ mode }),
        },
      )
      return { status: answer.status, body: (await answer.json()) as never as Body }
    }

    const first = await sync("incremental")
    await w.ended({ audienceId: destination.audienceId, id: first.body.data!.delivery.id })
    const replayed = await sync("incremental")
    const mismatched = await sync("full_resync")
    await w.sql(
      "update delivery set created_at = now() - interval '24 hours 1 second' where id = $1",
      [first.body.data!.delivery.id],
    )
    const later = await sync("full_resync")

    expect([first.status, replayed.status]).toEqual([202, 200])
    expect(replayed.body.data!.delivery).toMatchObject({
      id: first.body.data!.delivery.id,
      status: "completed",
    })
    expect([mismatched.status, mismatched.body.error?.code]).toEqual([409, "IDEMPOTENCY_MISMATCH"])
    expect(later.status).toBe(202)
    await w.ended({ audienceId: destination.audienceId, id: later.body.data!.delivery.id })
  })
})

describe("the list of deliveries", () => {
  it("is newest first, can be filtered by destination and status, by offset and by cursor, with its total", async () => {
    const destination = await w.destination(people(1))
    const ids: Array<string> = []
    for (let place = 0; place < 3; place++) ids.unshift((await w.delivered(destination)).id)
    const path = `/v1/intent/audiences/${destination.audienceId}/deliveries`
    const page = async (query: string) => {
      const { body } = await w.world.ask(`GET ${path}?${query}`)
      const data = body.data as {
        readonly deliveries: ReadonlyArray<{ readonly id: string }>
        readonly total: number
      }
      return { ids: data.deliveries.map(({ id }) => id), total: data.total, meta: body.meta }
    }

    const first = await page("limit=2&status=completed")
    const second = await page(`limit=2&status=completed&cursor=${first.meta.nextCursor}`)

    expect([...first.ids, ...second.ids]).toEqual(ids)
    expect([first.total, second.total, second.meta.hasMore]).toEqual([3, 3, false])
    expect((await page(`destinationId=${destination.id}&offset=2`)).ids).toEqual(ids.slice(2))
    expect((await page("status=failed")).ids).toEqual([])
    const foreign = await w.world.ask(`GET ${path}?limit=2&cursor=${first.meta.nextCursor}`)
    expect([foreign.status, foreign.body.error?.code]).toEqual([400, "INVALID_CURSOR"])
  })

  it("is for users who are not viewers, never for keys", async () => {
    const { audienceId } = await w.webhook()
    const viewer = await w.world.server.makeUser("viewer")
    const call = caller(w.world.server)

    const byViewer = await call(`GET /v1/intent/audiences/${audienceId}/deliveries`, undefined, {
      token: viewer.accessToken,
    })
    const byKey = await w.world.server.get(`/v1/intent/audiences/${audienceId}/deliveries`)

    expect([byViewer.status, byKey.status]).toEqual([403, 401])
  })
})

describe("an automatic delivery", () => {
  it("follows every completed run, once the first one was requested", async () => {
    const destination = await w.destination(people(1))
    const completion = () => runCompleted(destination.audienceId)

    await completion()
    expect(await count(destination.id)).toBe(0)
    await w.delivered(destination)
    await w.run(destination.audienceId, [person("p1"), person("p2")])
    await completion()

    await expect
      .poll(() => w.contacts(destination.path).map(nameOf), { timeout: 30_000 })
      .toEqual(["p1", "p2"])
  })

  it("follows one in progress, with the latest run", async () => {
    const destination = await w.destination(people(1))
    await w.delivered(destination)
    w.receiver.answer = status(404)
    await w.run(destination.audienceId, people(2))
    const waiting = await w.parked(await w.sync(destination))
    await w.run(destination.audienceId, people(3))
    await runCompleted(destination.audienceId)
    await w.run(destination.audienceId, people(4))
    await runCompleted(destination.audienceId)
    expect(await count(destination.id)).toBe(2)
    w.receiver.answer = status(204)

    await w.wakeUp(waiting)

    await expect
      .poll(() => w.contacts(destination.path).length, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(4)
    await expect.poll(() => count(destination.id), { timeout: 30_000 }).toBe(3)
    expect(new Set(w.contacts(destination.path).map(nameOf)).size).toBe(4)
  })

  it("follows a canceled one, with the latest run", async () => {
    const destination = await w.destination(people(1))
    await w.delivered(destination)
    w.receiver.answer = status(404)
    await w.run(destination.audienceId, people(2))
    const waiting = await w.parked(await w.sync(destination))
    await w.run(destination.audienceId, people(3))
    await runCompleted(destination.audienceId)
    w.receiver.answer = status(204)

    await w.world.get(`POST ${w.pathOf(waiting)}/cancel`)

    await expect
      .poll(() => new Set(w.contacts(destination.path).map(nameOf)), { timeout: 30_000 })
      .toEqual(new Set(["p1", "p2", "p3"]))
    expect(await count(destination.id)).toBe(3)
    expect((await w.read(waiting)).status).toBe("cancelled")
  })
})

describe("a delivery to a mailing list", () => {
  it("upserts people with an address, mapped and tagged; a rejected contact fails", async () => {
    const list = await w.list(
      provider,
      [
        person("a"),
        person("b", { email: null }),
        person("c", { emailStatus: "unknown" }),
        person("odd"),
      ],
      { listId: "buyers", fieldMapping: { FNAME: "firstName" }, tags: ["hot"] },
    )
    provider.fault = (request) =>
      isWrite(request) && JSON.stringify(request.body).includes("odd@")
        ? { status: 422 }
        : undefined

    const delivery = await w.delivered(list)
    provider.fault = undefined

    expect(delivery).toMatchObject({
      status: "completed",
      sentCount: 1,
      skippedCount: 2,
      failedCount: 1,
    })
    expect(await w.failures(delivery)).toMatchObject([
      { errorCode: "CONTACT_INVALID", statusCode: 422 },
    ])
    const contact = provider.lists.get("buyers")!.contacts.get("a@harbor.example")!
    expect(contact.fields).toEqual({ FNAME: "a" })
    expect([...contact.tags]).toEqual(["hot", `audience:${list.audienceId.slice(0, 8)}`])
  })

  it("continues after the provider's 429, and not before its Retry-After", async () => {
    const list = await w.list(provider, people(2))
    let isRefused = false
    provider.fault = (request) => {
      if (!isWrite(request) || isRefused) return undefined
      isRefused = true
      return { status: 429, retryAfter: "1" }
    }

    const delivery = await w.delivered(list)
    provider.fault = undefined

    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
  })

  it.each([
    [401, "ENDPOINT_AUTH"],
    [404, "LIST_NOT_FOUND"],
  ])("%i: failed with %s, and the destination needs attention", async (code, errorCode) => {
    const list = await w.list(provider, people(2))
    provider.fault = (request) => (isWrite(request) ? { status: code } : undefined)

    const delivery = await w.delivered(list)
    provider.fault = undefined

    expect(delivery).toMatchObject({ status: "failed", errorCode })
    expect((await w.destinationOf(list)).status).toBe("needs_attention")
  })

  it.each([500, 429])("a call that fails with %i makes the account unhealthy", async (code) => {
    const list = await w.list(provider, people(2))
    let isFailed = false
    provider.fault = (request) => {
      if (!isWrite(request) || isFailed) return undefined
      isFailed = true
      return { status: code }
    }
    const status = async () => {
      const { automation } = await w.destinationOf(list)
      return automation?.connectedAccount.status
    }

    const before = await status()
    const delivery = await w.delivered(list)
    const after = await status()
    const probed = await w.world.get<{ account: { status: string } }>(
      `POST /v1/intent/integrations/accounts/${list.accountId}/check`,
    )
    provider.fault = undefined

    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
    expect([before, after, probed.account.status]).toEqual(["healthy", "unhealthy", "healthy"])
  })

  it("a rejected contact does not affect the account", async () => {
    const list = await w.list(provider, people(2))
    provider.fault = (request) => (isWrite(request) ? { status: 422 } : undefined)

    await w.delivered(list)
    provider.fault = undefined

    const { automation } = await w.destinationOf(list)
    expect(automation?.connectedAccount.status).toBe("healthy")
  })

  it("waits for the Retry-After of another delivery to its account, and sends nothing before", async () => {
    const account = await w.world.account(provider)
    const lists = []
    for (const place of [1, 2]) {
      const draft = await w.world.automation(account.id, { listId: "buyers" })
      await w.world.changed(draft, { status: "active" })
      await w.run(draft.audienceId, people(2, `limited${place}`))
      lists.push(draft)
    }
    provider.fault = (request) =>
      isWrite(request) ? { status: 429, retryAfter: "7200" } : undefined
    await w.parked(await w.sync(lists[0]!))
    const asked = provider.requests.length

    const waiting = await w.parked(await w.sync(lists[1]!))
    provider.fault = undefined

    expect(waiting).toMatchObject({ errorCode: "ENDPOINT_RATE_LIMITED", processedCount: 0 })
    const wait = Date.parse(waiting.nextAttemptAt!) - Date.parse(waiting.updatedAt)
    expect(wait).toBeGreaterThanOrEqual(3_600_000)
    expect(provider.requests.length).toBe(asked)
  })

  it("waits for the database to store the result of its account's probe", async () => {
    const list = await w.list(provider, people(2))
    const other = new pg.Client({ connectionString: w.world.server.databaseUrl })
    await other.connect()
    await other.query("begin")
    await other.query("lock table connected_account in exclusive mode")

    const delivery = await w.sync(list)
    const waiting = async () =>
      (
        await w.sql(
          `select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'
             and query ilike '%connected_account%'`,
        )
      )[0]?.["pid"]
    await expect.poll(waiting).toBeDefined()
    await w.sql("select pg_cancel_backend($1)", [await waiting()])
    await other.query("commit")
    await other.end()

    expect(await w.ended(delivery)).toMatchObject({
      status: "completed",
      attempts: 1,
      sentCount: 2,
    })
  })

  it("waits while the account is not healthy", async () => {
    const list = await w.list(provider, people(2))
    provider.fault = () => ({ status: 500 })

    const delivery = await w.parked(await w.sync(list))
    provider.fault = undefined
    await w.wakeUp(delivery)

    expect(delivery).toMatchObject({ errorCode: "PROVIDER_ERROR", processedCount: 0 })
    expect(await w.ended(delivery)).toMatchObject({ status: "completed", sentCount: 2 })
  })
})

interface Body {
  readonly data?: { readonly delivery: { readonly id: string; readonly status: string } }
  readonly error?: { readonly code: string }
}

const count = async (destinationId: string): Promise<unknown> => {
  const [row] = await w.sql("select count(*)::int as n from delivery where destination_id = $1", [
    destinationId,
  ])
  return row!["n"]
}

/** Does what a runs worker does in the transaction that completes a run. */
const runCompleted = async (audienceId: string): Promise<void> => {
  const { Effect, Layer, Redacted } = await import("effect")
  const { PgClient } = await import("@effect/sql-pg")
  const { DeliveryStores } = await import("../../src/activation/deliveries/layer.ts")
  const { DeliveryStore } = await import("../../src/activation/deliveries/store.ts")
  const [run] = await w.sql(
    "select id from audience_run where audience_id = $1 order by completed_at desc limit 1",
    [audienceId],
  )
  const client = PgClient.layer({ url: Redacted.make(w.world.server.databaseUrl) })
  await DeliveryStore.pipe(
    Effect.flatMap((store) =>
      store.queueAutomatic({
        organizationId: w.organizationId,
        audienceId,
        id: String(run!["id"]),
      }),
    ),
    Effect.provide(Layer.provide(DeliveryStores, client)),
    Effect.runPromise,
  )
}

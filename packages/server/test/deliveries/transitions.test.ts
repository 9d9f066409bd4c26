// Every row of a delivery's state table (spec 4.4), and its effect on the destination (4.3), caused by a receiver's
// responses.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../webhooks/receiver.ts"
import { DeliveryWorld, people, status } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

/** Responds to contacts as given, and to every other event with 204. */
const toContacts =
  (code: number, headers?: Record<string, string>): Answer =>
  (one, response) =>
    status(one.event["event"] === "intent.audience.contact.upserted" ? code : 204, headers)(
      one,
      response,
    )

const answering = async <A>(answer: Answer, work: () => Promise<A>): Promise<A> => {
  w.receiver.answer = answer
  try {
    return await work()
  } finally {
    w.receiver.answer = status(204)
  }
}

describe("a destination that refuses permanently", () => {
  it.each([
    [410, "ENDPOINT_GONE"],
    [401, "ENDPOINT_AUTH"],
    [403, "ENDPOINT_AUTH"],
  ])("%i: failed, the destination needs attention, no further request", async (code, errorCode) => {
    const destination = await w.destination(people(30))

    const delivery = await answering(toContacts(code), () => w.delivered(destination))

    expect(delivery).toMatchObject({ status: "failed", errorCode, attempts: 1 })
    const { stats, status } = await w.destinationOf(destination)
    expect(status).toBe("needs_attention")
    expect(stats).toMatchObject({ lastErrorCode: errorCode })
    // The started event, and those in progress at the same time as the first.
    expect(w.received(destination.path).length).toBeLessThanOrEqual(6)
  })

  it("ten consecutive contacts: CONSECUTIVE_ERRORS, and the endpoint gets the completed event", async () => {
    const destination = await w.destination(people(40))

    const delivery = await answering(toContacts(422), () => w.delivered(destination))

    expect(delivery).toMatchObject({ status: "failed", errorCode: "CONSECUTIVE_ERRORS" })
    expect(delivery.failedCount).toBeGreaterThanOrEqual(10)
    expect(delivery.failedCount).toBeLessThanOrEqual(14)
    expect((await w.failures(delivery)).length).toBe(delivery.failedCount)
    const { stats, status } = await w.destinationOf(destination)
    expect(status).toBe("needs_attention")
    expect(stats).toMatchObject({ consecutiveErrors: delivery.failedCount })
    const last = w.received(destination.path).at(-1)!.event as { readonly data: object }
    expect(last.data).toMatchObject({ status: "failed", errorCode: "CONSECUTIVE_ERRORS" })
  })

  it("URL_BLOCKED if the guard refuses the address", async () => {
    const destination = await w.destination(people(2))
    await w.sql(
      `update destination set config = jsonb_set(config, '{url}', '"ftp://127.0.0.1/x"'),
         approved_config_hash = $2 where id = $1`,
      [destination.id, await approvedHash("ftp://127.0.0.1/x")],
    )

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "failed", errorCode: "URL_BLOCKED" })
    expect((await w.destinationOf(destination)).status).toBe("needs_attention")
  })
})

describe("a destination that may recover", () => {
  it("404 postpones the delivery; it resumes at its checkpoint, and the error is cleared", async () => {
    const destination = await w.destination(people(120))
    const sent: Array<unknown> = []
    const delivery = await answering(
      (one, response) => {
        const isContact = one.event["event"] === "intent.audience.contact.upserted"
        if (isContact) sent.push(one.headers["webhook-id"])
        status(isContact && sent.length > 105 ? 404 : 204)(one, response)
      },
      async () => w.parked(await w.sync(destination)),
    )

    expect(delivery).toMatchObject({
      errorCode: "ENDPOINT_NOT_FOUND",
      // The claim has acknowledged contacts.
      attempts: 0,
      batchIndex: 1,
    })
    expect(delivery.sentCount).toBe(105)
    expect((await w.destinationOf(destination)).status).toBe("active")
    await w.wakeUp(delivery)
    const ended = await w.ended(delivery)
    expect(ended).toMatchObject({
      status: "completed",
      sentCount: 120,
      attempts: 1,
      errorCode: null,
      errorMessage: null,
    })
    const received = w.received(destination.path)
    const events = received.map(({ event }) => event["event"])
    expect(events.filter((event) => event === "intent.audience.sync.started").length).toBe(1)
    const accepted = new Map<unknown, number>()
    for (const { headers } of received) {
      const id = headers["webhook-id"]
      accepted.set(id, (accepted.get(id) ?? 0) + 1)
    }
    // Acknowledged contacts are not sent again. The others keep their id.
    expect([...accepted.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(5)
    expect(accepted.size).toBe(122)
    const repeated = received.filter(({ headers }) => headers["webhook-attempt"] === "2")
    expect(repeated.length).toBeGreaterThan(0)
  })

  it("a refused connection postpones it; the sixth attempt fails, and the destination needs attention", async () => {
    const destination = await w.destination(people(3), { url: "http://127.0.0.1:9/nobody" })
    const waits: Array<number> = []
    let delivery = await w.parked(await w.sync(destination))
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(delivery).toMatchObject({ attempts: attempt, errorCode: "ENDPOINT_UNREACHABLE" })
      const wait = Date.parse(delivery.nextAttemptAt!) - Date.parse(delivery.updatedAt)
      waits.push(wait / 1000)
      await w.wakeUp(delivery)
      delivery = await w.until(
        delivery,
        ({ attempts, nextAttemptAt, status }) =>
          status === "failed" ||
          (attempts === attempt + 1 && status === "queued" && nextAttemptAt !== null),
      )
    }

    // 1 min, 5 min, 30 min, 2 h, 6 h, each ±20 %.
    for (const [index, expected] of [60, 300, 1_800, 7_200, 21_600].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(expected * 0.8 - 1)
      expect(waits[index]).toBeLessThanOrEqual(expected * 1.2 + 1)
    }
    expect(delivery).toMatchObject({
      status: "failed",
      attempts: 6,
      errorCode: "ENDPOINT_UNREACHABLE",
    })
    expect((await w.destinationOf(destination)).status).toBe("needs_attention")
  })

  it("a longer Retry-After is honored", async () => {
    const destination = await w.destination(people(3))

    const delivery = await answering(toContacts(429, { "retry-after": "7200" }), async () =>
      w.parked(await w.sync(destination)),
    )

    expect(delivery).toMatchObject({ errorCode: "ENDPOINT_RATE_LIMITED", processedCount: 0 })
    const wait = Date.parse(delivery.nextAttemptAt!) - Date.parse(delivery.updatedAt)
    expect(wait).toBeGreaterThanOrEqual(7_199_000)
  })

  it("a completed event whose response has a longer Retry-After is sent again afterwards", async () => {
    const destination = await w.destination(people(3))
    const isCompleted = (event: Record<string, unknown>) =>
      event["event"] === "intent.audience.sync.completed"

    const waiting = await answering(
      (one, response) =>
        status(isCompleted(one.event) ? 429 : 204, { "retry-after": "30" })(one, response),
      async () => w.parked(await w.sync(destination)),
    )
    await w.wakeUp(waiting)
    const ended = await w.ended(waiting)

    expect(waiting).toMatchObject({ errorCode: "ENDPOINT_RATE_LIMITED", sentCount: 3 })
    expect(ended).toMatchObject({ status: "completed", sentCount: 3, errorCode: null })
    const received = w.received(destination.path)
    const completed = received.filter(({ event }) => isCompleted(event))
    expect(completed.map(({ headers }) => headers["webhook-attempt"])).toEqual(["1", "2"])
    expect(new Set(completed.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect(received.length).toBe(6)
  })

  it("a rejected started event counts as the endpoint's failure, and no contact is sent", async () => {
    const destination = await w.destination(people(3))

    const delivery = await answering(status(400), async () => w.parked(await w.sync(destination)))

    expect(delivery).toMatchObject({ errorCode: "ENDPOINT_REJECTED", processedCount: 0 })
    expect(w.contacts(destination.path).length).toBe(0)
  })
})

describe("contacts that fail", () => {
  it("some: completed with failures, which are listed; all: ALL_CONTACTS_FAILED", async () => {
    const some = await w.destination(people(5))
    const all = await w.destination(people(5))

    const withSome = await answering(
      (one, response) => {
        const { data } = one.event as {
          readonly data: { readonly delivery: { sequence?: number } }
        }
        status(data.delivery.sequence === 2 ? 422 : 204)(one, response)
      },
      () => w.delivered(some),
    )
    const withAll = await answering(toContacts(422), () => w.delivered(all))

    expect(withSome).toMatchObject({
      status: "completed",
      sentCount: 4,
      failedCount: 1,
      processedCount: 5,
    })
    expect(await w.failures(withSome)).toMatchObject([
      { errorCode: "ENDPOINT_REJECTED", statusCode: 422, attempts: 1 },
    ])
    expect(withAll).toMatchObject({
      status: "failed",
      errorCode: "ALL_CONTACTS_FAILED",
      failedCount: 5,
    })
    const { stats, status: after } = await w.destinationOf(all)
    expect(after).toBe("active")
    expect(stats).toMatchObject({ totalFailed: 5, lastErrorCode: "ALL_CONTACTS_FAILED" })
  })

  it("redirects count as failures and are never followed (B7)", async () => {
    const destination = await w.destination(people(3))

    const delivery = await answering(
      toContacts(307, { location: `${w.receiver.url}/elsewhere` }),
      () => w.delivered(destination),
    )

    expect(delivery.failedCount).toBe(3)
    expect(w.received("/elsewhere").length).toBe(0)
  })
})

describe("a destination that changes during a delivery", () => {
  /** Pauses the second batch until the action is done. */
  const during = async (
    destination: { readonly audienceId: string; readonly id: string },
    change: () => Promise<unknown>,
  ) => {
    let isReached = () => {}
    const reached = new Promise<void>((resolve) => (isReached = resolve))
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => (goOn = resolve))
    let contacts = 0
    return answering(
      (one, response) => {
        if (++contacts < 50) return status(204)(one, response)
        isReached()
        void gate.then(() => status(204)(one, response))
      },
      async () => {
        const delivery = await w.sync(destination)
        await reached
        await change()
        goOn()
        return delivery
      },
    )
  }

  it("paused: queued again after its batch, without counting the attempt; active: continues", async () => {
    const destination = await w.destination(people(250))

    const delivery = await during(destination, () =>
      w.world.changed(destination, { status: "paused" }),
    )

    const paused = await w.until(delivery, ({ status }) => status === "queued")
    expect(paused).toMatchObject({
      batchIndex: 1,
      sentCount: 100,
      attempts: 0,
      nextAttemptAt: null,
    })
    await w.world.changed(destination, { status: "active" })
    expect(await w.ended(delivery)).toMatchObject({
      status: "completed",
      sentCount: 250,
      attempts: 1,
    })
  })

  it("its organization suspended: queued again after its batch, and not claimed until it is active", async () => {
    const destination = await w.destination(people(250))
    const setStatus = (status: string) =>
      w.sql("update organization set status = $2 where id = $1", [w.organizationId, status])
    const stored = async (id: string) => {
      const [row] = await w.sql(
        "select status, sent_count as sent, attempts from delivery where id = $1",
        [id],
      )
      return row
    }

    const delivery = await during(destination, () => setStatus("suspended"))
    const put = { status: "queued", sent: 100, attempts: 0 }
    await expect.poll(() => stored(delivery.id), { timeout: 30_000 }).toEqual(put)
    // A worker looks twice a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const waiting = await stored(delivery.id)
    await setStatus("active")

    expect(waiting).toEqual(put)
    expect(await w.ended(delivery)).toMatchObject({ status: "completed", sentCount: 250 })
  })

  it("back to draft: cancelled after its batch, even if it was approved again", async () => {
    const destination = await w.destination(people(250))

    const delivery = await during(destination, async () => {
      await w.world.changed(destination, { url: `${w.receiver.url}/new` })
      await w.world.changed(destination, { status: "active" })
    })

    expect(await w.ended(delivery)).toMatchObject({ status: "cancelled", sentCount: 100 })
    expect(w.received("/new").length).toBe(0)
  })

  it("deleted: cancelled after its batch; a queued delivery at once", async () => {
    const destination = await w.destination(people(250))

    const delivery = await during(destination, () =>
      w.world.ask(`DELETE ${w.world.pathOf(destination)}`),
    )

    expect(await w.ended(delivery)).toMatchObject({ status: "cancelled", sentCount: 100 })
  })

  it("its audience deleted: cancelled after its batch", async () => {
    const destination = await w.destination(people(250))

    const delivery = await during(destination, () =>
      w.world.ask(`DELETE /v1/intent/audiences/${destination.audienceId}`),
    )

    const stored = async () => {
      const [row] = await w.sql("select status, sent_count from delivery where id = $1", [
        delivery.id,
      ])
      return row
    }
    await expect.poll(stored, { timeout: 30_000 }).toEqual({ status: "cancelled", sent_count: 100 })
  })

  it("a queued delivery of a paused destination waits, and can be cancelled", async () => {
    const destination = await w.destination(people(2))
    const delivery = await answering(status(404), async () => w.parked(await w.sync(destination)))
    await w.world.changed(destination, { status: "paused" })
    await w.wakeUp(delivery)

    const cancelled = await w.world.get<{ delivery: object }>(`POST ${w.pathOf(delivery)}/cancel`)
    const again = await w.world.ask(`POST ${w.pathOf(delivery)}/cancel`)

    expect(cancelled.delivery).toMatchObject({ status: "cancelled" })
    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({ code: "CONFLICT", details: { status: "cancelled" } })
  })
})

const approvedHash = async (url: string): Promise<string> => {
  const { configHash } = await import("../../src/activation/destinations/destination.ts")
  return configHash({
    destinationType: "webhook",
    url,
    eventTypes: [
      "intent.audience.sync.started",
      "intent.audience.contact.upserted",
      "intent.audience.sync.completed",
    ],
    timeoutMs: 10_000,
  })
}

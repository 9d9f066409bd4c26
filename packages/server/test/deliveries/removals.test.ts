// An event reports each person who left the audience, once, and a delivery that would remove too many waits (spec 2.16, 8.3). Webhooks
// here; services in destinations/connectors/.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, hashOf, people, person, type Received, status, verify } from "./support.ts"

const removedEvent = "intent.audience.contact.removed"
const eventTypes = ["intent.audience.contact.upserted", removedEvent] as const

interface RemovedBody {
  readonly id: string
  readonly event: string
  readonly timestamp: string
  readonly data: {
    readonly audience: { readonly id: string; readonly name: string }
    readonly delivery: {
      readonly id: string
      readonly mode: string
      readonly sequence: number
    } | null
    readonly runId: string | null
    readonly dataDate: string | null
    readonly reason: string
    readonly contact: Readonly<Record<string, unknown>>
  }
}

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

afterEach(async () => {
  w.receiver.answer = status(204)
  await w.sql("delete from suppression_rule where organization_id = $1", [w.organizationId])
})

const requestsAbout = (path: string): ReadonlyArray<Received> =>
  w.received(path).filter(({ event }) => event["event"] === removedEvent)

const removals = (path: string): ReadonlyArray<RemovedBody> =>
  requestsAbout(path).map(({ body }) => JSON.parse(body) as RemovedBody)

const told = (path: string) =>
  removals(path)
    .map(({ data }) => `${String(data.contact["hashedEmail"])} ${data.reason}`)
    .toSorted()

const hash = (name: string) => hashOf(`${name}@harbor.example`)
const isRemoval = ({ event }: Received) => event["event"] === removedEvent

describe("a webhook that takes the event about removals", () => {
  it("gets one event for each person who left, signed, with the hash and the external key only", async () => {
    const destination = await w.destination([person("stays"), person("leaves")], { eventTypes })
    await w.sql(
      `insert into identity_link (organization_id, kind, value, email_hash)
       values ($1, 'external_id', 'customer-7', $2)`,
      [w.organizationId, hash("leaves")],
    )
    await w.delivered(destination)
    const runId = await w.run(destination.audienceId, [person("stays"), person("joins")])

    const delivery = await w.delivered(destination)
    const later = await w.delivered(destination)

    expect(delivery).toMatchObject({
      status: "completed",
      sourceCount: 1,
      sentCount: 1,
      processedCount: 1,
      removedCount: 1,
    })
    expect(later).toMatchObject({ status: "completed", sourceCount: 0, removedCount: 0 })
    const [request] = requestsAbout(destination.path)
    verify(destination.secret, request!)
    expect(removals(destination.path)).toEqual([
      {
        id: expect.stringMatching(/^msg_[a-z2-7]{26}$/),
        event: removedEvent,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        apiVersion: "v1",
        organizationId: w.organizationId,
        data: {
          audience: { id: destination.audienceId, name: "Warehouse buyers" },
          delivery: { id: delivery.id, mode: "incremental", sequence: 2 },
          runId,
          dataDate: "2026-03-10",
          reason: "left",
          contact: { hashedEmail: hash("leaves"), externalKey: "customer-7" },
        },
      },
    ])
    expect(request!.headers["webhook-id"]).toBe(removals(destination.path)[0]!.id)
    expect((await w.destinationOf(destination)).stats).toMatchObject({
      totalSynced: 3,
      totalRemoved: 1,
    })
  })

  it("gets one for whoever was suppressed after the run, and for whoever left because of it", async () => {
    const found = [person("stays"), person("later"), person("before")]
    const destination = await w.destination(found, { eventTypes })
    await w.delivered(destination)
    await w.run(destination.audienceId, [person("stays"), person("later")])
    await w.suppress("later@harbor.example")
    await w.suppress("before@harbor.example")

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", removedCount: 2 })
    expect(told(destination.path)).toEqual(
      [`${hash("later")} suppressed`, `${hash("before")} suppressed`].toSorted(),
    )
  })

  it("gets someone who comes back as added, and another event when they leave again", async () => {
    const destination = await w.destination([person("back"), person("stays")], { eventTypes })
    await w.delivered(destination)
    for (const found of [["stays"], ["back", "stays"], ["stays"]]) {
      await w.run(
        destination.audienceId,
        found.map((name) => person(name)),
      )
      await w.delivered(destination)
    }

    const changes = w
      .contacts(destination.path)
      .filter(({ data }) => data.contact.hashedEmail === hash("back"))
      .map(({ data }) => data.change)
    expect(changes).toEqual(["added", "added"])
    expect(told(destination.path)).toEqual([`${hash("back")} left`, `${hash("back")} left`])
  })

  it("gets them from a full resync too, for people whom any earlier delivery sent", async () => {
    const destination = await w.destination([person("first")], { eventTypes })
    await w.delivered(destination)
    w.receiver.answer = (one, response) => status(isRemoval(one) ? 422 : 204)(one, response)
    await w.run(destination.audienceId, [person("second")])
    const refused = await w.delivered(destination)
    w.receiver.answer = status(204)
    await w.run(destination.audienceId, [person("third")])

    const delivery = await w.delivered(destination, "full_resync")

    expect(refused).toMatchObject({ status: "completed", removedCount: 0, failedCount: 0 })
    expect(delivery).toMatchObject({ status: "completed", sentCount: 1, removedCount: 2 })
  })

  it("is asked again about a removal that fails for a moment, which counts once", async () => {
    const destination = await w.destination([person("stays"), person("leaves")], { eventTypes })
    await w.delivered(destination)
    await w.run(destination.audienceId, [person("stays")])
    let failures = 0
    w.receiver.answer = (one, response) => {
      const isFailing = isRemoval(one) && failures++ < 2
      status(isFailing ? 503 : 204)(one, response)
    }

    const delivery = await w.ended(await w.sync(destination), 60_000)

    expect(delivery).toMatchObject({ status: "completed", removedCount: 1, failedCount: 0 })
    const requests = requestsAbout(destination.path)
    expect(requests.map(({ headers }) => headers["webhook-attempt"])).toEqual(["1", "2", "3"])
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
  }, 90_000)

  it("goes on after a wait where it was, without a second event for anyone", async () => {
    const destination = await w.destination([person("stays"), ...people(30, "gone")], {
      eventTypes,
    })
    await w.delivered(destination)
    await w.run(destination.audienceId, [person("stays")])
    let accepted = 0
    w.receiver.answer = (one, response) => {
      if (isRemoval(one) && accepted++ >= 12)
        return status(503, { "retry-after": "60" })(one, response)
      status(204)(one, response)
    }
    const parked = await w.parked(await w.sync(destination))
    w.receiver.answer = status(204)
    const before = accepted
    await w.wakeUp(parked)

    const delivery = await w.ended(parked)

    expect(parked.removedCount).toBe(12)
    expect(before).toBeGreaterThan(12)
    expect(delivery).toMatchObject({ status: "completed", removedCount: 30 })
    expect(new Set(told(destination.path)).size).toBe(30)
  })

  it("gets none from the retry of an older run", async () => {
    const destination = await w.destination([person("a")], { eventTypes })
    w.receiver.answer = status(422)
    const failed = await w.delivered(destination)
    w.receiver.answer = status(204)
    await w.run(destination.audienceId, [person("b")])
    await w.delivered(destination)

    const retried = await w.ended(await w.retry(failed))

    expect(retried).toMatchObject({ status: "completed", sentCount: 1, removedCount: 0 })
    expect(told(destination.path)).toEqual([])
  })
})

it("a webhook with a CloudEvents body gets removals as CloudEvents", async () => {
  const found = [person("stays"), person("clouded")]
  const destination = await w.destination(found, { eventTypes, body: "cloudevents" })
  await w.delivered(destination)
  await w.run(destination.audienceId, [person("stays")])

  const delivery = await w.delivered(destination)

  expect(delivery).toMatchObject({ status: "completed", removedCount: 1 })
  const request = w.received(destination.path).find(({ body }) => body.includes(removedEvent))!
  verify(destination.secret, request)
  expect(request.headers["content-type"]).toMatch(/^application\/cloudevents\+json/)
  expect(JSON.parse(request.body)).toMatchObject({
    specversion: "1.0",
    type: removedEvent,
    id: request.headers["webhook-id"],
    data: { reason: "left", contact: { hashedEmail: hash("clouded"), externalKey: null } },
  })
})

it("a webhook with a template for contacts gets removals in the standard body", async () => {
  const found = [person("stays"), person("templated")]
  const destination = await w.destination(found, {
    eventTypes,
    body: "template",
    template: { mail: "{{contact.email}}", list: "Audience {{audience.name}}" },
  })
  await w.delivered(destination)
  await w.run(destination.audienceId, [person("stays")])

  const delivery = await w.delivered(destination)

  expect(delivery).toMatchObject({ status: "completed", removedCount: 1 })
  const [first] = w.received(destination.path)
  expect(JSON.parse(first!.body)).toEqual({
    mail: "stays@harbor.example",
    list: "Audience Warehouse buyers",
  })
  const [request] = requestsAbout(destination.path)
  verify(destination.secret, request!)
  expect(removals(destination.path)).toMatchObject([
    { data: { reason: "left", contact: { hashedEmail: hash("templated"), externalKey: null } } },
  ])
})

it("a webhook that doesn't take the event gets none, and a later delivery catches up", async () => {
  const destination = await w.destination([person("stays"), person("leaves")])
  await w.delivered(destination)
  await w.run(destination.audienceId, [person("stays")])
  const silent = await w.delivered(destination)
  await w.world.changed(destination, { eventTypes, status: "active" })

  const delivery = await w.delivered(destination)

  expect(silent).toMatchObject({ status: "completed", removedCount: 0 })
  expect(delivery).toMatchObject({ status: "completed", removedCount: 1 })
  expect(told(destination.path)).toEqual([`${hash("leaves")} left`])
})

describe("a delivery that would remove more than half of more than 100 contacts", () => {
  const many = people(101, "many")

  /** Delivered to everyone, with a run that has only these. */
  const shrunk = async (found = many, left = found.slice(0, 50)) => {
    const destination = await w.destination(found, { eventTypes })
    await w.delivered(destination)
    await w.run(destination.audienceId, left)
    return destination
  }
  const waiting = async (destination: { readonly audienceId: string; readonly id: string }) =>
    w.until(await w.sync(destination), ({ errorCode }) => errorCode === "REMOVALS_NEED_APPROVAL")
  const approve = (
    delivery: { readonly audienceId: string; readonly id: string },
    token?: string,
  ) => w.world.ask(`POST ${w.pathOf(delivery)}/approve`, undefined, token)

  it("waits before it sends anything, and its destination needs attention", async () => {
    const destination = await shrunk()
    const before = w.received(destination.path).length

    const delivery = await waiting(destination)

    expect(delivery).toMatchObject({ status: "queued", attempts: 0, removedCount: 0 })
    expect(delivery.errorMessage).toContain("51 contacts")
    expect(await w.destinationOf(destination)).toMatchObject({
      status: "needs_attention",
      stats: { lastErrorCode: "REMOVALS_NEED_APPROVAL" },
    })
    expect(w.received(destination.path)).toHaveLength(before)
  })

  it("goes on once it is approved, for this delivery only", async () => {
    const destination = await shrunk()
    const delivery = await waiting(destination)

    const approved = await approve(delivery)
    const ended = await w.ended(delivery)
    const again = await approve(delivery)

    expect(approved.status).toBe(200)
    expect(approved.body.data).toMatchObject({ delivery: { id: delivery.id, errorCode: null } })
    expect(ended).toMatchObject({ status: "completed", removedCount: 51, errorCode: null })
    expect(told(destination.path)).toHaveLength(51)
    expect(await w.destinationOf(destination)).toMatchObject({ status: "active" })
    expect([again.status, again.body.error.code]).toEqual([409, "CONFLICT"])
    const entries = await w.sql(
      "select from audit_entry where action = 'delivery.removals_approved' and target_id = $1",
      [delivery.id],
    )
    expect(entries).toHaveLength(1)
    const listed: Array<string> = []
    for (let query: string | null = "?outcome=removed&limit=20"; query !== null;) {
      const answer = await w.world.ask(`GET ${w.pathOf(delivery)}/contacts${query}`)
      const { data, meta } = answer.body as unknown as {
        readonly data: { readonly contacts: ReadonlyArray<{ readonly hashedEmail: string }> }
        readonly meta: { readonly nextCursor: string | null }
      }
      const { nextCursor } = meta
      expect(data.contacts.length).toBeGreaterThan(0)
      listed.push(...data.contacts.map(({ hashedEmail }) => `${hashedEmail} left`))
      query = nextCursor === null ? null : `?outcome=removed&limit=20&cursor=${nextCursor}`
    }
    expect(listed).toEqual(told(destination.path))
  })

  it("waits again if its destination is activated without an approval", async () => {
    const destination = await shrunk()
    const delivery = await waiting(destination)

    await w.world.changed(destination, { status: "active" })

    await expect
      .poll(async () => (await w.destinationOf(destination)).status, { timeout: 20_000 })
      .toBe("needs_attention")
    expect(await w.read(delivery)).toMatchObject({ status: "queued", removedCount: 0 })
    expect(told(destination.path)).toEqual([])
  })

  it("can be cancelled, which forgets whom it would have removed", async () => {
    const destination = await shrunk()
    const delivery = await waiting(destination)

    await w.world.get(`POST ${w.pathOf(delivery)}/cancel`)

    const [row] = await w.sql(
      "select count(*)::int as n from delivery_removal where delivery_id = $1",
      [delivery.id],
    )
    expect(row).toEqual({ n: 0 })
    expect((await approve(delivery)).status).toBe(409)
  })

  it("is approved by members, and not by viewers", async () => {
    const destination = await shrunk()
    const delivery = await waiting(destination)
    const viewer = await w.world.server.makeUser("viewer")

    expect((await approve(delivery, viewer.accessToken)).status).toBe(403)
    expect(await w.read(delivery)).toMatchObject({ errorCode: "REMOVALS_NEED_APPROVAL" })
  })

  it.each([
    ["half of them", people(102, "half"), 51],
    ["all of 100", people(100, "all"), 0],
  ])("is not one that removes %s", async (_, found, left) => {
    const destination = await shrunk(found, found.slice(0, left))

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", removedCount: found.length - left })
  })
})

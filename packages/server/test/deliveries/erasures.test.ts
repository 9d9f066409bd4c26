// An erasure at destinations (spec 2.16.10): a webhook gets its event without a delivery, and an attempt that fails is
// repeated for 7 days. The tests end waits in the rows.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { DeliveryWorld, person, type Received, status, verify } from "./support.ts"

const removedEvent = "intent.audience.contact.removed"
const eventTypes = ["intent.audience.contact.upserted", removedEvent] as const

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())
afterEach(() => {
  w.receiver.answer = status(204)
})

const removals = (path: string): ReadonlyArray<Received> =>
  w.received(path).filter(({ event }) => event["event"] === removedEvent)

const erase = (name: string) => w.world.server.sdk.visitors.erase(person(name).hashedEmail)

/** Erased while the receiver fails, once its first attempt is over. */
const failing = async (name: string) => {
  const destination = await w.destination([person(name), person("stays")], { eventTypes })
  await w.delivered(destination)
  w.receiver.answer = (one, response) =>
    status(one.event["event"] === removedEvent ? 500 : 204)(one, response)
  await erase(name)
  const pending = () =>
    w.sql(
      `select status, error_code, attempts from destination_erasure where destination_id = $1`,
      [destination.id],
    )
  await expect
    .poll(pending)
    .toEqual([expect.objectContaining({ status: "waiting", error_code: expect.any(String) })])
  return {
    destination,
    pending,
    /** Ends its wait, as if it had begun so long ago. */
    wakeUp: (age: string) =>
      w.sql(
        `update destination_erasure set next_attempt_at = clock_timestamp(),
           created_at = clock_timestamp() - $2::interval
         where destination_id = $1`,
        [destination.id, age],
      ),
  }
}

it("a webhook gets the event of an erased person at once, without a delivery and a run", async () => {
  const destination = await w.destination([person("erased"), person("stays")], { eventTypes })
  await w.delivered(destination)

  await erase("erased")

  await expect.poll(() => removals(destination.path).length).toBe(1)
  const [request] = removals(destination.path)
  verify(destination.secret, request!)
  const body = JSON.parse(request!.body)
  expect(body).toMatchObject({
    event: removedEvent,
    data: {
      audience: { id: destination.audienceId },
      delivery: null,
      runId: null,
      dataDate: null,
      reason: "erased",
      contact: { hashedEmail: person("erased").hashedEmail, externalKey: null },
    },
  })
  expect(request!.headers["webhook-id"]).toBe(body.id)
  expect(request!.body).not.toContain("harbor.example")
  await expect
    .poll(() =>
      w.sql("select from destination_erasure where destination_id = $1", [destination.id]),
    )
    .toEqual([])
})

it("a webhook without the event gets none", async () => {
  const destination = await w.destination([person("quiet"), person("stays")])
  await w.delivered(destination)

  await erase("quiet")

  expect(
    await w.sql("select from destination_erasure where destination_id = $1", [destination.id]),
  ).toEqual([])
  expect(removals(destination.path)).toEqual([])
})

it("a failed attempt is repeated with the same id until the receiver takes it", async () => {
  const { destination, pending, wakeUp } = await failing("again")
  w.receiver.answer = status(204)

  await wakeUp("6 days 23 hours")

  await expect.poll(pending).toEqual([])
  const ids = removals(destination.path).map(({ headers }) => headers["webhook-id"])
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1)
})

it("after 7 days it is given up, the person is forgotten, and the destination has the last error", async () => {
  const { destination, pending, wakeUp } = await failing("never")
  const asked = removals(destination.path).length

  await wakeUp("7 days 1 minute")

  await expect.poll(pending).toEqual([])
  expect(removals(destination.path)).toHaveLength(asked)
  expect((await w.destinationOf(destination)).stats).toMatchObject({
    lastErrorCode: expect.stringMatching(/^ENDPOINT_/),
  })
})

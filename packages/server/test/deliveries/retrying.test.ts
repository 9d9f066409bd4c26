// A destination says that it is being retried from its first attempt that fails until its next success (spec 2.15.11).
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { DeliveryWorld, people, person, status } from "./support.ts"
import { type Destination } from "../destinations/support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())
beforeEach(() => {
  w.receiver.answer = status(204)
})

interface Retrying {
  readonly count: number
  readonly errorCode: string
  readonly errorMessage: string
  readonly at: string
}
const retrying = async (destination: Pick<Destination, "audienceId" | "id">) =>
  ((await w.destinationOf(destination)) as unknown as { readonly retrying: Retrying | null })
    .retrying

const isContact = (one: { readonly event: Record<string, unknown> }) =>
  one.event["event"] === "intent.audience.contact.upserted"

it("shows with the first failed attempt, while its contact still waits for the second", async () => {
  let hold = () => {}
  const held = new Promise<void>((resolve) => (hold = resolve))
  let contacts = 0
  w.receiver.answer = (one, response) => {
    if (!isContact(one)) return status(204)(one, response)
    if (++contacts === 1) return status(503)(one, response)
    void held.then(() => status(204)(one, response))
  }
  const destination = await w.destination([person("jane")])
  const delivery = await w.sync(destination)

  await expect
    .poll(() => retrying(destination), { timeout: 30_000 })
    .toEqual({
      count: 1,
      errorCode: "ENDPOINT_ERROR",
      errorMessage: "Expected a 2xx response, received 503.",
      at: expect.stringMatching(/Z$/),
    })
  expect(await w.read(delivery)).toMatchObject({ status: "processing", failedCount: 0 })
  hold()

  expect(await w.ended(delivery)).toMatchObject({ status: "completed", sentCount: 1 })
  expect(await retrying(destination)).toBeNull()
})

it("counts the attempts that failed since the last success, also across postponements", async () => {
  w.receiver.answer = status(404)
  const destination = await w.destination([person("jane")], {
    eventTypes: ["intent.audience.contact.upserted"],
  })
  const delivery = await w.parked(await w.sync(destination))
  const first = await retrying(destination)
  await w.wakeUp(delivery)
  await w.until(delivery, ({ attempts, nextAttemptAt }) => attempts === 2 && nextAttemptAt !== null)

  expect(first).toMatchObject({ count: 1, errorCode: "ENDPOINT_NOT_FOUND" })
  expect(await retrying(destination)).toMatchObject({ count: 2 })
  w.receiver.answer = status(204)
  await w.wakeUp(delivery)
  await w.ended(delivery)
  expect(await retrying(destination)).toBeNull()
})

it("shows that the started event does not arrive, and no longer once everything has", async () => {
  w.receiver.answer = status(404)
  const destination = await w.destination(people(1), { validationPolicy: "valid_or_catchall" })
  await w.sql("update run_result set email_status = 'invalid' where run_id = $1", [
    destination.runId,
  ])
  const delivery = await w.parked(await w.sync(destination))

  expect(await retrying(destination)).toMatchObject({ count: 1, errorCode: "ENDPOINT_NOT_FOUND" })
  w.receiver.answer = status(204)
  await w.wakeUp(delivery)

  expect(await w.ended(delivery)).toMatchObject({ status: "completed", skippedCount: 1 })
  expect(await retrying(destination)).toBeNull()
})

it("stays after a contact that failed for good, until the next success", async () => {
  w.receiver.answer = (one, response) => status(isContact(one) ? 422 : 204)(one, response)
  const destination = await w.destination([person("jane")])
  await w.delivered(destination)
  const after = await retrying(destination)
  w.receiver.answer = status(204)
  await w.delivered(destination)

  expect(after).toMatchObject({ count: 1, errorCode: "ENDPOINT_REJECTED" })
  expect(await retrying(destination)).toBeNull()
})

it("starts from zero with a success of a delivery in which others fail", async () => {
  w.receiver.answer = (one, response) => status(isContact(one) ? 422 : 204)(one, response)
  const destination = await w.destination([person("jane"), person("john")])
  await w.delivered(destination)
  const after = await retrying(destination)
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  w.receiver.answer = (one, response) => {
    const { contact } = one.event["data"] as { readonly contact?: { readonly email: string } }
    if (contact?.email === "jane@harbor.example") {
      return void arrived.then(() => setTimeout(() => status(422)(one, response), 200))
    }
    status(204)(one, response)
    if (contact !== undefined) arrive()
  }

  expect(await w.delivered(destination)).toMatchObject({ sentCount: 1, failedCount: 1 })
  expect(after).toMatchObject({ count: 2 })
  expect(await retrying(destination)).toMatchObject({ count: 1 })
})

it("is not shown while the destination sends nothing, and a new URL starts without it", async () => {
  w.receiver.answer = (one, response) => status(isContact(one) ? 422 : 204)(one, response)
  const destination = await w.destination([person("jane")])
  await w.delivered(destination)
  await w.world.changed(destination, { status: "paused" })
  const paused = await retrying(destination)
  await w.world.changed(destination, { url: `${w.receiver.url}/new`, status: "active" })

  expect(paused).toBeNull()
  expect(await retrying(destination)).toBeNull()
})

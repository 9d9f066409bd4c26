// The deliveries of one organization never delay those of another, neither through a slow endpoint nor through their
// number. Times are compared with others on the same machine.
import { afterAll, beforeAll, expect, it } from "vitest"
import { type QueuedDelivery, queueDelivery } from "./queued-delivery.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { DeliveryWorld } from "./support.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const normals = 20
/** More than one process works on, so one organization could take all places. */
const slowDeliveries = 70
const manyContacts = isSoak ? 100_000 : 3_000
/** Allows for slower machines. */
const factorMax = 5

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

const sql = (text: string, values: ReadonlyArray<unknown>) => w.sql(text, values)

const statusOf = async ({ deliveryId }: QueuedDelivery): Promise<unknown> =>
  (await w.sql("select status from delivery where id = $1", [deliveryId]))[0]!["status"]

/** The time from when all of them are due until the first contact of each. Returns the 19th of 20. */
const firstPosts = async (name: string): Promise<number> => {
  const later = "update delivery set next_attempt_at = now() + interval '1 hour' where id = $1"
  const queued = []
  for (let place = 0; place < normals; place++) {
    const url = `${w.receiver.url}/${name}/${place}`
    const one = await queueDelivery(
      // Not due before all of them exist.
      async (text, values) => {
        const rows = await w.sql(text, values)
        if (text.includes("insert into delivery ")) await w.sql(later, [values[1]])
        return rows
      },
      { url, contacts: 10 },
    )
    queued.push(one.deliveryId)
  }
  const before = Date.now()
  await w.sql(
    "update delivery set next_attempt_at = null where id = any ($1) and status = 'queued'",
    [queued],
  )
  const times = await Promise.all(
    queued.map(async (_, place) => {
      const [first] = await w.receiver.waitFor(1, `/${name}/${place}`)
      return first!.at - before
    }),
  )
  return times.toSorted((a, b) => a - b)[Math.ceil(normals * 0.95) - 1]!
}

it("one organization's slow endpoints do not delay twenty others (B8)", async () => {
  // Another origin, because the number of concurrent requests per origin is limited (outbound/kept-connections.ts).
  const slowReceiver = await startReceiver()
  slowReceiver.answer = () => undefined
  const held = slowReceiver.received
  await firstPosts("warm")
  const alone = await firstPosts("alone")
  let slow: QueuedDelivery | undefined
  for (let place = 0; place < slowDeliveries; place++) {
    slow = await queueDelivery(sql, {
      url: `${slowReceiver.url}/${place}`,
      contacts: 20,
      timeoutMs: 30_000,
      ...(slow === undefined ? {} : { organizationId: slow.organizationId }),
    })
  }
  await expect.poll(() => held.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(50)

  const beside = await firstPosts("beside")

  expect(beside).toBeLessThanOrEqual(factorMax * alone)
  expect(held.length).toBeGreaterThan(0)
  await w.sql("delete from delivery where organization_id = $1", [slow!.organizationId])
  await slowReceiver.close()
})

it("ten contacts do not wait behind thousands of another organization (B15)", async () => {
  // The thousands take some seconds on the fastest machine.
  w.receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5)
  const many = await queueDelivery(sql, { url: `${w.receiver.url}/many`, contacts: manyContacts })
  await w.receiver.waitFor(5, "/many")
  const few = await queueDelivery(sql, { url: `${w.receiver.url}/few`, contacts: 10 })

  await expect.poll(() => statusOf(few), { timeout: 30_000, interval: 10 }).toBe("completed")

  expect(w.received("/few").length).toBe(10)
  expect(await statusOf(many)).toBe("processing")
  await expect
    .poll(() => statusOf(many), { timeout: isSoak ? 300_000 : 60_000, interval: 100 })
    .toBe("completed")
  expect(w.received("/many").length).toBe(manyContacts)
}, 360_000)

// An organization that has much to send does not hold up those that have little (reliability.md B15).
// FOOTFALL_SOAK=1 for the full size.
import { afterAll, beforeAll, expect, it } from "vitest"
import { type QueuedDelivery, queueDelivery } from "./queued-delivery.ts"
import { DeliveryWorld } from "./support.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const manyContacts = isSoak ? 100_000 : 3_000

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

const sql = (text: string, values: ReadonlyArray<unknown>) => w.sql(text, values)

const statusOf = async ({ deliveryId }: QueuedDelivery): Promise<unknown> =>
  (await w.sql("select status from delivery where id = $1", [deliveryId]))[0]!["status"]

it("ten contacts are not behind thousands of another organization (B15)", async () => {
  const many = await queueDelivery(sql, { url: `${w.receiver.url}/many`, contacts: manyContacts })
  await w.receiver.waitFor(5, "/many")
  const few = await queueDelivery(sql, { url: `${w.receiver.url}/few`, contacts: 10 })

  await expect.poll(() => statusOf(few), { timeout: 20_000, interval: 10 }).toBe("completed")

  expect(w.received("/few").length).toBe(10)
  expect(await statusOf(many)).toBe("processing")
  await expect
    .poll(() => statusOf(many), { timeout: isSoak ? 300_000 : 30_000, interval: 100 })
    .toBe("completed")
  expect(w.received("/many").length).toBe(manyContacts)
}, 360_000)

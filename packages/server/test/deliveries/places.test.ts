// A process has a limited number of places for deliveries. A delivery that has held its place for long gives it to a
// waiting organization and continues later where it was (spec 4.4).
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { DeliveryWorker } from "../../src/activation/deliveries/layer.ts"
import { DeliveryPlaces } from "../../src/activation/deliveries/work/deliverer.ts"
import { onServices } from "../runs/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status } from "../webhooks/receiver.ts"
import { queueDelivery } from "./queued-delivery.ts"

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "true")
  server = await startServer({ workers: false })
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const statusesOf = async (ids: ReadonlyArray<string>) =>
  (
    await server.sql(
      `select status, attempts, error_code as "errorCode" from delivery
       where id = any ($1) order by id`,
      [ids],
    )
  ).map(({ attempts, errorCode, status }) => [status, attempts, errorCode])

it("a long delivery gives its place to a waiting organization, and continues where it was", async () => {
  const ids: Array<string> = []
  const queue = async (name: string, contacts: number) => {
    const queued = await queueDelivery(server.sql, { url: `${receiver.url}/${name}`, contacts })
    ids.push(queued.deliveryId)
  }
  await queue("long", 300)
  let isQueued = false
  receiver.answer = (one, response) => {
    if (isQueued || receiver.received.length < 50) return status(204)(one, response)
    isQueued = true
    void queue("short", 1).then(() => status(204)(one, response))
  }
  const worker = Layer.launch(DeliveryWorker).pipe(
    Effect.provideService(DeliveryPlaces, { places: 1, turnMs: 0, lookMs: 10 }),
  )
  const isOver = Effect.promise(async () => {
    await expect
      .poll(() => statusesOf(ids), { timeout: 30_000 })
      .toEqual([
        ["completed", 1, null],
        ["completed", 1, null],
      ])
  })

  await onServices(server, Effect.raceFirst(isOver, worker))

  const paths = receiver.received.map(({ path }) => path)
  expect(paths.filter((path) => path === "/long").length).toBe(300)
  expect(paths.indexOf("/short")).toBeLessThan(200)
})

// Endpoints that hang never take the places of other people's deliveries, however many organizations their owner has
// and however many such people there are (spec 4.4.6, 10.4).
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { DeliveryWorker } from "../../src/activation/deliveries/layer.ts"
import type { ClaimRoom } from "../../src/activation/deliveries/sql/queue.ts"
import { DeliveryStore } from "../../src/activation/deliveries/store.ts"
import { DeliveryPlaces } from "../../src/activation/deliveries/work/deliverer.ts"
import { onServices } from "../runs/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Receiver, startReceiver } from "../webhooks/receiver.ts"
import { anyRoom, queueDelivery } from "./queued-delivery.ts"

let server: TestServer
let receiver: Receiver
let hanging: Receiver
beforeAll(async () => {
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "true")
  server = await startServer({ workers: false })
  receiver = await startReceiver()
  hanging = await startReceiver()
  hanging.answer = () => undefined
})
beforeEach(async () => {
  await server.sql("delete from delivery_batch")
  await server.sql("delete from delivery")
})
afterAll(async () => {
  await server.close()
  await receiver.close()
  await hanging.close()
  vi.unstubAllEnvs()
})

const creator = async (): Promise<string> => (await server.makeUser("owner")).userId

/** Deliveries to endpoints that hang, half of them in one organization of this person, half in another. */
const queueHanging = async (count: number) => {
  const createdBy = await creator()
  const options = { url: hanging.url, contacts: 20, timeoutMs: 30_000, createdBy }
  for (let organization = 0; organization < 2; organization++) {
    const { organizationId } = await queueDelivery(server.sql, options)
    for (let more = 1; more < count / 2; more++) {
      await queueDelivery(server.sql, { ...options, organizationId })
    }
  }
}

/** How long the first contact of a new neighbor waits while a worker runs. Units: milliseconds. */
const waitsOf = async (neighbors: number): Promise<ReadonlyArray<number>> => {
  const waits: Array<number> = []
  for (let place = 0; place < neighbors; place++) {
    const path = `/${crypto.randomUUID()}`
    await queueDelivery(server.sql, { url: receiver.url + path, contacts: 1 })
    const before = Date.now()
    const [first] = await receiver.waitFor(1, path)
    waits.push(first!.at - before)
  }
  return waits
}

const working = <A>(
  body: () => Promise<A>,
  places: { readonly places: number; readonly turnMs: number; readonly lookMs: number },
) =>
  onServices(
    server,
    Effect.raceFirst(
      Effect.promise(body),
      Layer.launch(DeliveryWorker).pipe(Effect.provideService(DeliveryPlaces, places)),
    ),
  )

describe("a claim", () => {
  const claimedWith = async (room: Partial<ClaimRoom>) => {
    const claims = await onServices(
      server,
      Effect.flatMap(DeliveryStore, ({ jobs }) =>
        Effect.tap(jobs.claim({ ...anyRoom, ...room }), Effect.forEach(jobs.release)),
      ),
    )
    return claims.map(({ id }) => id)
  }

  it("takes nothing of a party that holds as many places as are free, and nothing slow without room for it", async () => {
    const createdBy = await creator()
    const url = hanging.url
    const { deliveryId, destinationId } = await queueDelivery(server.sql, {
      url,
      contacts: 1,
      createdBy,
    })
    const prompt = [destinationId]

    expect(await claimedWith({})).toEqual([deliveryId])
    expect(await claimedWith({ parties: [createdBy] })).toEqual([])
    expect(await claimedWith({ partiesOfSlow: [createdBy] })).toEqual([])
    expect(await claimedWith({ hasRoomForSlow: false })).toEqual([])
    expect(
      await claimedWith({
        hasRoomForSlow: false,
        partiesOfSlow: [createdBy],
        prompt,
      }),
    ).toEqual([deliveryId])
  })
})

it("a neighbor's first contact is sent at once while four people's endpoints hang", async () => {
  for (let person = 0; person < 4; person++) await queueHanging(20)

  const waits = await working(
    async () => {
      await expect.poll(() => hanging.received.length, { timeout: 30_000 }).toBeGreaterThan(40)
      return await waitsOf(5)
    },
    { places: 60, turnMs: 3_000, lookMs: 1_000 },
  )

  expect(Math.max(...waits)).toBeLessThan(10_000)
}, 120_000)

it("when others hold every place, the one that holds the most gives way after the contact in progress", async () => {
  // Slow enough that one delivery takes longer than the test.
  receiver.answer = ({ path }, response) => {
    setTimeout(() => response.writeHead(204).end(), path === "/long" ? 600 : 0)
  }
  const held = []
  for (let person = 0; person < 4; person++) {
    const createdBy = await creator()
    held.push(
      await queueDelivery(server.sql, { url: `${receiver.url}/long`, contacts: 5_000, createdBy }),
    )
  }

  const waits = await working(
    async () => {
      await receiver.waitFor(15, "/long")
      return await waitsOf(2)
    },
    { places: 3, turnMs: 500, lookMs: 100 },
  )

  // A whole batch takes 12 seconds.
  expect(Math.max(...waits)).toBeLessThan(10_000)
  const left = await server.sql(
    "select distinct status, attempts from delivery where id = any ($1)",
    [held.map(({ deliveryId }) => deliveryId)],
  )
  expect(left).toEqual([{ status: "queued", attempts: 0 }])
}, 120_000)

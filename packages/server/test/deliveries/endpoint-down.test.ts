// An endpoint that is down temporarily or permanently (spec 4.4, 8.4), and one with an untrusted certificate. The rows
// contain the waits, and the tests end them there.
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import type { Delivery } from "../../src/activation/deliveries/delivery.ts"
import { contactEvent, DeliveryWorld, people, status } from "./support.ts"

/** Minutes. spec 4.4. */
const waits = [1, 5, 30, 120, 360]
const attemptsMax = 6
/** Long enough for the worker to look for work several times. */
const severalLooksMs = 1_300

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())
beforeEach(() => {
  w.receiver.answer = status(204)
})

const waitMinutes = async ({ id }: Delivery): Promise<number> => {
  const [row] = await w.sql(
    `select extract(epoch from next_attempt_at - updated_at)::float8 / 60 as minutes
     from delivery where id = $1`,
    [id],
  )
  return row!["minutes"] as number
}

it("gets one request per attempt and none in between; after the sixth the delivery has failed (B5)", async () => {
  const destination = await w.destination(people(30))
  w.receiver.answer = status(404)
  let delivery = await w.sync(destination)

  for (const [place, minutes] of waits.entries()) {
    const attempts = place + 1
    delivery = await w.until(
      delivery,
      (one) => one.attempts === attempts && one.nextAttemptAt !== null,
    )
    const wait = await waitMinutes(delivery)
    expect(wait).toBeGreaterThanOrEqual(minutes * 0.8)
    expect(wait).toBeLessThanOrEqual(minutes * 1.2)
    expect(w.received(destination.path).length).toBe(attempts)
    if (place === 0) {
      await sleep(severalLooksMs)
      expect(w.received(destination.path).length).toBe(attempts)
      expect(await w.read(delivery)).toMatchObject({ attempts, status: "queued" })
    }
    await w.wakeUp(delivery)
  }
  delivery = await w.ended(delivery)

  expect(delivery).toMatchObject({
    status: "failed",
    attempts: attemptsMax,
    errorCode: "ENDPOINT_NOT_FOUND",
    processedCount: 0,
    nextAttemptAt: null,
  })
  const after = await w.destinationOf(destination)
  expect(after).toMatchObject({
    status: "needs_attention",
    stats: { lastErrorCode: "ENDPOINT_NOT_FOUND" },
  })
  await sleep(severalLooksMs)
  expect(w.received(destination.path).length).toBe(attemptsMax)
})

it("that responds 410 gets no more requests, and its destination needs attention at once (B6)", async () => {
  const destination = await w.destination(people(250))
  w.receiver.answer = (one, response) =>
    status(one.event["event"] === contactEvent ? 410 : 204)(one, response)
  const delivery = await w.sync(destination)
  await w.receiver.waitFor(2, destination.path)

  await expect
    .poll(async () => (await w.destinationOf(destination)).status, { interval: 20 })
    .toBe("needs_attention")

  expect(await w.ended(delivery)).toMatchObject({
    status: "failed",
    errorCode: "ENDPOINT_GONE",
    attempts: 1,
    nextAttemptAt: null,
  })
  const requested = w.received(destination.path).length
  // The started event, and contacts in progress at the same time as the first.
  expect(requested).toBeLessThanOrEqual(6)
  const again = await w.world.ask(w.syncOperation(destination), {})
  expect([again.status, again.body.error.code]).toEqual([409, "DESTINATION_NOT_ACTIVE"])
  await sleep(severalLooksMs)
  expect(w.received(destination.path).length).toBe(requested)
})

it("with an untrusted certificate is TLS_ERROR, and gets nothing (8.4)", async () => {
  const pem = (name: string) =>
    readFileSync(new URL(`../outbound/certificates/${name}.pem`, import.meta.url))
  let requests = 0
  const server = createServer({ key: pem("key"), cert: pem("valid") }, (_, response) => {
    requests += 1
    response.writeHead(204).end()
  })
  server.on("tlsClientError", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const destination = await w.destination(people(3), { url: `https://127.0.0.1:${port}/hook` })

  const parked = await w.parked(await w.sync(destination))
  const during = await w.destinationOf(destination)
  await w.sql("update delivery set attempts = $2 where id = $1", [parked.id, attemptsMax - 1])
  await w.wakeUp(parked)
  const failed = await w.ended(parked)

  expect(parked).toMatchObject({ errorCode: "TLS_ERROR", attempts: 1, processedCount: 0 })
  expect(during).toMatchObject({ status: "active", stats: { lastErrorCode: "TLS_ERROR" } })
  expect(failed).toMatchObject({ status: "failed", errorCode: "TLS_ERROR", attempts: attemptsMax })
  expect((await w.destinationOf(destination)).status).toBe("needs_attention")
  expect(requests).toBe(0)
  server.close()
  server.closeAllConnections()
})

// A server that stops in the middle of a delivery (spec 1.2.7): contacts in progress finish and are recorded, no other
// one starts, and the next server sends the rest. So a restart sends no contact twice.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { startServer } from "../support/server.ts"
import { contactEvent, DeliveryWorld, nameOf, people, status } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start({ workers: false })
})
afterAll(() => w.close())

afterEach(() => {
  w.receiver.answer = status(204)
})

const startWorker = () => startServer({ beside: w.world.server, allowPrivateWebhooks: true })

describe("a server that stops", () => {
  it("waits for contacts in progress, and the next server sends only the others", async () => {
    const destination = await w.destination(people(20))
    const answers: Array<() => void> = []
    w.receiver.answer = ({ event }, response) => {
      const answer = () => void response.writeHead(204).end()
      if (event["event"] === contactEvent) answers.push(answer)
      else answer()
    }
    const first = await startWorker()
    const delivery = await w.sync(destination)
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(5)

    let isClosed = false
    const closed = first.close().then(() => (isClosed = true))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(isClosed).toBe(false)
    w.receiver.answer = status(204)
    for (const answer of answers) answer()
    await closed

    expect(await w.read(delivery)).toMatchObject({ status: "queued", sentCount: 5 })
    const second = await startWorker()
    expect(await w.ended(delivery)).toMatchObject({ status: "completed", sentCount: 20 })
    await second.close()
    const names = w.contacts(destination.path).map(nameOf)
    expect(names).toHaveLength(20)
    expect(new Set(names).size).toBe(20)
  })
})

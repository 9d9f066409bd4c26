// A delivery from the request to the last event (spec 4.4, 5.10, 8.3).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, eventTypes, nameOf, people, verify } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

describe("a first sync", () => {
  it("is initial, sends every contact once between started and completed, and completes", async () => {
    const destination = await w.destination(people(250))

    const queued = await w.sync(destination)
    const delivery = await w.ended(queued)

    expect(queued).toMatchObject({ status: "queued", mode: "initial", sourceCount: 0, attempts: 0 })
    expect(delivery).toMatchObject({
      status: "completed",
      sourceCount: 250,
      processedCount: 250,
      sentCount: 250,
      skippedCount: 0,
      failedCount: 0,
      batchIndex: 3,
      attempts: 1,
      errorCode: null,
    })
    const received = w.received(destination.path)
    const events = received.map(({ event }) => event["event"])
    expect(events.length).toBe(252)
    expect([events[0], events.at(-1)]).toEqual([eventTypes[0], eventTypes[2]])
    for (const one of received) verify(destination.secret, one)
    const contacts = w.contacts(destination.path)
    expect(new Set(contacts.map(nameOf)).size).toBe(250)
    expect(new Set(contacts.map(({ data }) => data.change))).toEqual(new Set(["added"]))
    expect(contacts.map(({ data }) => data.delivery.sequence).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, place) => place + 1),
    )
  })
})

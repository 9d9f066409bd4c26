// Receipts of erasures (spec 2.26): what was deleted, what destinations answered, and nothing about the person.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, hashOf, person, status } from "../deliveries/support.ts"
import { putPerson, putPlace, putSessions } from "../visitors/sessions/person.ts"

const removedEvent = "intent.audience.contact.removed"
const takesRemovals = { eventTypes: ["intent.audience.contact.upserted", removedEvent] }

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

const address = (name: string) => `${name}@harbor.example`
const erase = async (name: string) => {
  const { receipt } = await w.world.server.sdk.visitors.erase(hashOf(address(name)))
  return receipt
}
const read = (id: string) => w.world.server.sdk.erasures.get(id)
const completed = async (id: string) => {
  await expect.poll(async () => (await read(id)).completedAt, { timeout: 30_000 }).not.toBeNull()
}

it("says what was deleted, and nothing about the person", async () => {
  const { server } = w.world
  const nora = await putPerson(server, server, address("nora"))
  const startedAt = new Date(Date.now() - 60_000).toISOString()
  await putSessions(server, server, { person: nora, startedAt, count: 3 })
  await putPlace(server, server, nora)
  await server.sdk.visitors.notes.create(nora.visitorId, "Call Nora on Monday")

  const receipt = await erase("nora")

  expect(receipt).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    completedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    kinds: [
      { kind: "profile", count: 1 },
      { kind: "addresses", count: 1 },
      { kind: "sites", count: 1 },
      { kind: "scores", count: 1 },
      { kind: "sessions", count: 3 },
      { kind: "notes", count: 1 },
    ],
    destinations: [],
  })
  expect(await read(receipt.id)).toEqual(receipt)
  const stored = await server.sql(
    "select e::text as erasure, d::text as told from erasure e left join erasure_destination d on d.erasure_id = e.id where e.id = $1",
    [receipt.id],
  )
  const text = JSON.stringify([stored, receipt])
  expect(text).not.toContain(nora.visitorId)
  expect(text).not.toContain(nora.id)
  expect(text).not.toMatch(/nora|Monday/i)
})

it("lists receipts newest first, page by page", async () => {
  const made: Array<string> = []
  for (const name of ["first", "second", "third"]) {
    await putPerson(w.world.server, w.world.server, address(name))
    made.push((await erase(name)).id)
  }

  const listed: Array<string> = []
  for await (const { id } of w.world.server.sdk.erasures.list({ limit: 1 })) listed.push(id)

  expect(listed.slice(0, 3)).toEqual(made.toReversed())
})

it("a person who is unknown gets no receipt", async () => {
  const before = await w.sql("select count(*) from erasure")

  await expect(erase("no-one-here")).rejects.toMatchObject({ code: "NOT_FOUND" })

  expect(await w.sql("select count(*) from erasure")).toEqual(before)
})

describe("what webhooks answer", () => {
  it("told: it takes the event, and got it, also while it is paused", async () => {
    const active = await w.destination([person("told")], takesRemovals)
    const paused = await w.destination([person("told")], takesRemovals)
    await w.delivered(active)
    await w.delivered(paused)
    await w.world.changed(paused, { status: "paused" })

    const { destinations, id } = await erase("told")

    expect(destinations.map(({ outcome }) => outcome)).toEqual(["pending", "pending"])
    await completed(id)
    const receipt = await read(id)
    expect(receipt.destinations).toEqual(
      expect.arrayContaining(
        [active, paused].map((one) =>
          expect.objectContaining({ destinationId: one.id, outcome: "told" }),
        ),
      ),
    )
    expect(w.received(paused.path).at(-1)!.event["event"]).toBe(removedEvent)
  })

  it("kept: it doesn't take the event, and the erasure is complete at once", async () => {
    const destination = await w.destination([person("kept")])
    await w.delivered(destination)

    const receipt = await erase("kept")

    expect(receipt.completedAt).not.toBeNull()
    expect(receipt.destinations).toEqual([
      {
        destinationId: destination.id,
        name: expect.any(String),
        outcome: "kept",
        at: expect.any(String),
      },
    ])
    expect(receipt.kinds).toContainEqual({ kind: "destinations", count: 1 })
  })

  it("failed: only after 7 days of failed attempts; until then it is pending", async () => {
    const destination = await w.destination([person("stuck")], takesRemovals)
    await w.delivered(destination)
    w.receiver.answer = status(500)

    const { id } = await erase("stuck")
    await expect
      .poll(
        () => w.sql("select from destination_erasure where erasure_id = $1 and attempts > 0", [id]),
        {
          timeout: 30_000,
        },
      )
      .toHaveLength(1)
    expect(await read(id)).toMatchObject({
      completedAt: null,
      destinations: [{ outcome: "pending" }],
    })
    await w.sql(
      `update destination_erasure set created_at = created_at - interval '8 days',
         next_attempt_at = now() where erasure_id = $1`,
      [id],
    )

    await completed(id)
    w.receiver.answer = status(204)
    expect((await read(id)).destinations).toMatchObject([{ outcome: "failed" }])
    expect(await w.sql("select from destination_erasure where erasure_id = $1", [id])).toEqual([])
  })

  it("a deleted destination can't be asked: failed", async () => {
    const destination = await w.destination([person("gone")], takesRemovals)
    await w.delivered(destination)
    w.receiver.answer = status(500)
    const { id } = await erase("gone")
    const path = `/v1/intent/audiences/${destination.audienceId}/destinations/${destination.id}`
    await w.world.get(`DELETE ${path}`)
    await w.sql("update destination_erasure set next_attempt_at = now() where erasure_id = $1", [
      id,
    ])

    await completed(id)
    w.receiver.answer = status(204)
    expect((await read(id)).destinations).toMatchObject([{ outcome: "failed" }])
  })
})

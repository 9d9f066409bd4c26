// A user id that strangers share must not make one person of them (spec 15.2.12).
import { NotFoundError } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { type Json, makeSource } from "./source.ts"

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await makeSource(server)
})

const userId = "demo-account"
const identify = (change: Json = {}): Json => ({
  type: "identify",
  userId,
  anonymousId: randomUUID(),
  ...change,
})
const named = (index: number) => ({ traits: { email: `person-${index}@acme.example` } })
const times = (count: number, make: (index: number) => Json) =>
  Array.from({ length: count }, (_, index) => make(index))
const people = async () =>
  (await source.visitors()).map(({ email, sessions }) => [email, sessions]).toSorted()
/** What reveals a shared id: 4 addresses, and the last of 21 browsers. */
const reveal = () =>
  source.batch(...times(4, (index) => identify(named(index))), ...times(17, () => identify()))

describe("a user id of more than 20 browsers with more than 3 addresses", () => {
  it("stops joining browsers, in the batch that shows it and afterwards", async () => {
    await reveal()
    // The 21st browser is not joined, the 17 before it went to the last person.
    expect(await people()).toEqual([
      ["person-0@acme.example", 1],
      ["person-1@acme.example", 1],
      ["person-2@acme.example", 1],
      ["person-3@acme.example", 17],
    ])

    const stranger = randomUUID()
    await source.batch(
      source.page({ anonymousId: stranger }),
      identify({ anonymousId: stranger }),
      identify(named(5)),
      identify(),
    )
    expect(await people()).toEqual([
      ["person-0@acme.example", 1],
      ["person-1@acme.example", 1],
      ["person-2@acme.example", 1],
      ["person-3@acme.example", 17],
      ["person-5@acme.example", 1],
    ])
  })

  it("joins no browser by an alias either", async () => {
    await reveal()
    await server.drain()
    const browser = randomUUID()
    await source.batch(
      { type: "identify", anonymousId: browser, traits: { email: "jane@acme.example" } },
      { type: "alias", previousId: browser, userId },
      { type: "alias", previousId: userId, userId: "another" },
      { type: "track", userId, event: "Paid" },
      { type: "track", userId: "another", event: "Paid" },
    )

    expect(await people()).toContainEqual(["jane@acme.example", 1])
    const joins = await server.sql("select from browser_join where organization_id = $1", [
      source.organizationId,
    ])
    expect(joins).toEqual([])
  })

  it("is found by aliases too", async () => {
    await source.batch(
      ...times(4, (index) => identify({ ...named(index), anonymousId: undefined })),
    )
    await server.drain()
    await source.batch(...times(21, () => ({ type: "alias", previousId: randomUUID(), userId })))
    await server.drain()

    const joins = await server.sql("select from browser_join where organization_id = $1", [
      source.organizationId,
    ])
    expect(joins).toHaveLength(40)
    expect(await source.sdk.pixels.sharedUserIds.list(source.pixelId)).toHaveLength(1)
  })

  it("is listed by its name, and joins browsers again once it is released", async () => {
    expect(await source.sdk.pixels.sharedUserIds.list(source.pixelId)).toEqual([])
    await reveal()
    await server.drain()

    const [shared, ...others] = await source.sdk.pixels.sharedUserIds.list(source.pixelId)
    expect(others).toEqual([])
    expect(shared).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId,
      sharedAt: expect.stringMatching(/Z$/),
    })

    await source.sdk.pixels.sharedUserIds.release(source.pixelId, shared!.id)
    expect(await source.sdk.pixels.sharedUserIds.list(source.pixelId)).toEqual([])
    await expect(
      source.sdk.pixels.sharedUserIds.release(source.pixelId, shared!.id),
    ).rejects.toThrow(NotFoundError)
    await source.batch(identify())
    expect(await people()).toContainEqual(["person-3@acme.example", 18])
  })

  it("is listed without its text if that is an address", async () => {
    const address = { userId: "shop@acme.example" }
    await source.batch(
      ...times(4, (index) => identify({ ...address, ...named(index) })),
      ...times(17, () => identify(address)),
    )
    await server.drain()

    expect(await source.sdk.pixels.sharedUserIds.list(source.pixelId)).toMatchObject([
      { userId: null },
    ])
  })
})

describe("a user id", () => {
  it("of many browsers of few people, or of many people in few browsers, joins as before", async () => {
    const browser = randomUUID()
    await source.batch(
      ...times(30, (index) => identify({ ...named(index % 3), userId: "household" })),
      ...times(10, (index) => identify({ ...named(index), anonymousId: browser, userId: "kiosk" })),
    )
    await server.drain()
    expect(await source.sdk.pixels.sharedUserIds.list(source.pixelId)).toEqual([])
  })

  it("that a server linked can't be ended by a stranger with a browser key", async () => {
    await source.batch(identify(named(0)))
    await server.drain()
    await source.fromBrowser(...times(50, (index) => identify(named(index + 1))))
    await source.fromBrowser(identify())
    expect(await source.sdk.pixels.sharedUserIds.list(source.pixelId)).toEqual([])
    expect(await people()).toContainEqual(["person-0@acme.example", 2])
  })

  it("is not stored as text, unless strangers share it", async () => {
    await source.batch(identify(), { type: "alias", previousId: "b", userId })
    const kept = (await source.events()).filter(({ payload }) =>
      Object.hasOwn(payload as Json, "yt"),
    )
    expect(kept).toEqual([])
    expect(
      await server.sql("select text, shared_at from user_id_use where organization_id = $1", [
        source.organizationId,
      ]),
    ).toEqual([{ text: null, shared_at: null }])
  })

  it("that was not used for 7 days is forgotten when another is used", async () => {
    await source.batch(identify(named(0)))
    await server.drain()
    await server.sql(
      "update user_id_use set used_at = now() - interval '8 days' where organization_id = $1",
      [source.organizationId],
    )
    await source.batch(identify({ userId: "another" }))
    await server.drain()

    const rows = await server.sql("select from user_id_use where organization_id = $1", [
      source.organizationId,
    ])
    expect(rows).toHaveLength(1)
  })
})

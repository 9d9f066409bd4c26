// Ids that clients send in place of one they don't have (spec 15.2.10): they make no one a person of someone else.
import { Footfall } from "@footfall/sdk"
import { hash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { presentBatch, presentEvent, send } from "../visits/send.ts"
import { makeSource } from "./source.ts"

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await makeSource(server)
})

const zeroUuid = "00000000-0000-0000-0000-000000000000"
const first = { email: "first@quayside.example" }

const seen = async () =>
  (await source.visitors()).map(({ email, pageviews }) => [email, pageviews]).toSorted()

describe("a message of a source", () => {
  it.each(["Undefined", " none ", "NOT_AUTHENTICATED", "-----", zeroUuid, 0])(
    "with the user id %j leads to no one, and its page stays anonymous",
    async (userId) => {
      const stranger = randomUUID()
      const { body } = await source.batch(
        { type: "identify", userId, anonymousId: randomUUID(), traits: first },
        source.page({ anonymousId: stranger, userId }),
        { type: "identify", anonymousId: stranger, userId, traits: { plan: "free" } },
      )

      expect(body.rejected).toEqual([])
      expect(await seen()).toEqual([["first@quayside.example", 0]])
    },
  )

  it("whose only id is a placeholder is rejected, and the others of its batch are kept", async () => {
    const { body } = await source.batch(
      source.page({ anonymousId: "NaN" }),
      { type: "track", userId: "[object Object]", anonymousId: " ", event: "Opened" },
      { type: "identify", userId: hash("md5", ""), traits: first },
      source.page(),
    )

    expect(body.rejected).toMatchObject([
      {
        index: 0,
        reason: "placeholder_id",
        message: 'Expected anonymousId to be an id, received the placeholder "NaN".',
      },
      { index: 1, reason: "placeholder_id" },
      { index: 2, reason: "placeholder_id" },
    ])
    expect(await source.events()).toHaveLength(1)
  })

  it("with a placeholder as browser id and a browser key is rejected, whatever its user id", async () => {
    const { body } = await source.fromBrowser({
      type: "identify",
      anonymousId: "guest",
      userId: "u_204",
      traits: first,
    })

    expect(body.rejected).toMatchObject([{ reason: "placeholder_id" }])
    expect(await seen()).toEqual([])
  })

  it.each([
    ["previousId", { userId: "u_ida", previousId: "Anon" }],
    ["userId", { userId: "distinct_id", previousId: "u_ida" }],
  ])("that aliases a placeholder as %s is rejected", async (_, ids) => {
    for (const name of ["ida", "ole"]) {
      await source.batch({
        type: "identify",
        userId: `u_${name}`,
        traits: { email: `${name}@quayside.example` },
      })
    }
    const { body } = await source.batch(
      { type: "alias", ...ids },
      {
        type: "alias",
        ...ids,
        ...(ids.userId === "u_ida" ? { userId: "u_ole" } : { previousId: "u_ole" }),
      },
      source.page({ anonymousId: undefined, userId: "u_ida" }),
    )

    expect(body.rejected?.map(({ reason }) => reason)).toEqual(["placeholder_id", "placeholder_id"])
    expect(await seen()).toEqual([
      ["ida@quayside.example", 1],
      ["ole@quayside.example", 0],
    ])
  })

  it("with a placeholder as messageId is no repeat of another one", async () => {
    await source.batch(
      source.page({ messageId: "undefined" }),
      source.page({ messageId: "undefined" }),
    )

    expect(await source.events()).toHaveLength(2)
  })

  it.each([undefined, 0, "777"])(
    "keeps a number as a user id unless it is zero: %j",
    async (userId) => {
      await source.batch({ type: "identify", userId, anonymousId: randomUUID(), traits: first })

      const [visitor] = await source.visitors()
      expect(visitor!.customAttribution["external_id"]).toBe(userId === "777" ? "777" : undefined)
    },
  )
})

it("an imported link with a placeholder as value, or a hash of nothing, is rejected", async () => {
  const { accessToken } = await server.makeUser("owner", source.organizationId)
  const sdk = new Footfall({ baseUrl: server.url, accessToken })
  const emailHash = hash("sha256", first.email)
  const links = [
    { kind: "external_id", value: "N/A", emailHash },
    { kind: "anonymous_id", value: zeroUuid, emailHash },
    { kind: "email", value: hash("sha256", "null"), emailHash },
    { kind: "external_id", value: "crm-88", emailHash: hash("sha256", "") },
    { kind: "external_id", value: "crm-88", emailHash },
  ]
  const lines = links.map((link) => `${JSON.stringify(link)}\n`).join("")

  const result = await sdk.imports.run("identity-links", lines, { format: "ndjson" })

  expect(result).toMatchObject({ inserted: 1, rejectedCount: 4 })
  expect(result.rejected.map(({ row, field }) => [row, field])).toEqual([
    [1, "value"],
    [2, "value"],
    [3, "value"],
    [4, "emailHash"],
  ])
})

describe("a pixel's event", () => {
  it("of a browser with the UUID of zeros is kept as anonymous", async () => {
    const target = { url: server.url, pixelId: source.pixelId }
    const url = `https://${source.domain}/pricing`
    const batch = presentBatch({ anonymousId: zeroUuid, events: [presentEvent({ url })] })
    expect((await send(target, JSON.stringify(batch))).status).toBe(204)

    expect(await source.events()).toMatchObject([{ type: "page", anonymous_id: null }])
  })

  it("that identifies by the hash of the empty text or of a placeholder names no one", async () => {
    const target = { url: server.url, pixelId: source.pixelId }
    const url = `https://${source.domain}/pricing`
    for (const text of ["", "anonymous", "None"]) {
      const identify = presentEvent({ type: "identify", url, emailHash: hash("sha256", text) })
      await send(
        target,
        JSON.stringify(presentBatch({ events: [presentEvent({ url }), identify] })),
      )
    }

    expect(await source.visitors()).toEqual([])
    expect(await source.events()).toHaveLength(3)
  })
})

// visitors.erase of the SDK, once against the real server (spec 5.1). test/erasure tests what an erasure leaves behind.
import { NotFoundError } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

const email = "cleo@acme.example"
const visitorId = createHash("sha256").update(email).digest("hex")
let server: TestServer

beforeAll(async () => {
  server = await startServer()
  const sentAt = new Date().toISOString()
  const url = "https://tidewater.example/"
  await server.collect({
    v: 1,
    sentAt,
    anonymousId: crypto.randomUUID(),
    consent: "granted",
    timeZone: null,
    events: [{ id: crypto.randomUUID(), type: "identify", time: sentAt, url, email }],
  })
  await server.drain()
})
afterAll(() => server.close())

it("an erased visitor is no longer in any response", async () => {
  const { visitors } = server.sdk
  expect(await visitors.get({ email })).toMatchObject({ emailHash: visitorId })

  expect(await visitors.erase(visitorId, { suppress: true })).toMatchObject({ deleted: true })

  await expect(visitors.get({ email })).rejects.toThrow(NotFoundError)
  await expect(visitors.erase(visitorId)).rejects.toThrow(NotFoundError)
})

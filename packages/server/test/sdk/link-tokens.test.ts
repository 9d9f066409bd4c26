// linkTokens.create of the SDK, once against the real server (spec 5.1). test/people tests that a token identifies
// whoever follows the link.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

it("a token is created for each person, by address or by hash, in order", async () => {
  const email = "jane@acme.example"
  const emailHash = createHash("sha256").update("ben@acme.example").digest("hex")

  const { tokens, expiresAt } = await server.sdk.linkTokens.create({
    people: [{ email }, { emailHash }],
    expiresInDays: 30,
  })

  expect(tokens.map((token) => token.emailHash)).toEqual([
    createHash("sha256").update(email).digest("hex"),
    emailHash,
  ])
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(2)
  expect(new Date(expiresAt).toISOString()).toBe(expiresAt)
})

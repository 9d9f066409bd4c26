// A list of an object that doesn't exist: invalid parameters are reported before the missing object (spec 1.4, order of
// checks).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let accessToken: string

beforeAll(async () => {
  server = await startServer({ workers: false })
  accessToken = (await server.makeUser("member")).accessToken
})
afterAll(() => server.close())

const audience = `/v1/intent/audiences/${randomUUID()}`

it.each([
  `${audience}/runs`,
  `${audience}/runs/${randomUUID()}/results`,
  `${audience}/runs/${randomUUID()}/exports`,
  `${audience}/deliveries`,
  `${audience}/deliveries/${randomUUID()}/failures`,
  `/v1/data/webhooks/${randomUUID()}/deliveries`,
  `/v1/data/visitors/${"a".repeat(64)}/sessions/${"0".repeat(32)}/events`,
  `/v1/data/companies/acme.example/sessions/${"0".repeat(32)}/events`,
])("%s is 404, and 400 with an invalid cursor", async (path) => {
  const ask = async (query: string) => {
    const answer = await fetch(server.url + path + query, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    const { error } = (await answer.json()) as { readonly error: { readonly code: string } }
    return [answer.status, error.code]
  }

  expect(await ask("")).toEqual([404, "NOT_FOUND"])
  expect(await ask("?cursor=none")).toEqual([400, "INVALID_CURSOR"])
})

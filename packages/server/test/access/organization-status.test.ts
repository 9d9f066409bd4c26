// What each status of an organization permits (spec 2.21, 4.6 and 9).
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

it.each(["active", "trial"] as const)(
  "a key of an organization that is %s is accepted",
  async (status) => {
    const { apiKey } = await server.makeOrganization(status)

    expect((await server.get("/v1/data", { "x-api-key": apiKey })).status).toBe(200)
    expect((await server.get("/v1/data/pixels", { "x-api-key": apiKey })).status).toBe(200)
  },
)

it.each(["suspended", "expired"] as const)(
  "a key of an organization that is %s is 403 ORGANIZATION_INACTIVE",
  async (status) => {
    const { apiKey } = await server.makeOrganization(status)

    for (const path of ["/v1/data", "/v1/data/pixels", "/v1/data?email=a@b.example"]) {
      const response = await server.get(path, { "x-api-key": apiKey })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({
        error: { code: "ORGANIZATION_INACTIVE", details: { status } },
      })
    }
  },
)

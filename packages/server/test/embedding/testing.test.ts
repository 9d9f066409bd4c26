// The throwaway server for tests of applications.
import { Footfall } from "@footfall/sdk"
import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { startTestServer } from "../../src/app/testing.ts"
import "../support/database-setup.ts"

/** A separate working folder, because the run's folder may be the user's repository. */
const before = process.cwd()
const folder = temporaryFolder("working")
beforeAll(() => process.chdir(folder))
afterAll(() => process.chdir(before))

const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"

describe("startTestServer", () => {
  it("is a real server: an event from a page becomes a visitor a moment later", async () => {
    await using server = await startTestServer({ domain: "tidewater.example" })
    const event = (type: string, more: object) => ({
      id: crypto.randomUUID(),
      type,
      time: new Date().toISOString(),
      url: "https://tidewater.example/pricing",
      ...more,
    })
    const batch = {
      v: 1,
      sentAt: new Date().toISOString(),
      anonymousId: crypto.randomUUID(),
      consent: "granted",
      events: [
        event("page", { referrer: null, title: null }),
        event("identify", { email: "jane@acme.example" }),
      ],
    }
    await fetch(`${server.url}/p/${server.pixelId}/e`, {
      method: "POST",
      headers: { "content-type": "text/plain", "user-agent": userAgent },
      body: JSON.stringify(batch),
    })
    await server.identified()

    const byNetwork = new Footfall({ baseUrl: server.url, apiKey: server.apiKey })
    const inProcess = new Footfall({ apiKey: server.apiKey, fetch: server.fetch })
    const [visitor] = (await byNetwork.visitors.list()).data
    expect(visitor).toMatchObject({ email: "jane@acme.example", pricingPageViews: 1 })
    expect((await inProcess.visitors.list()).data).toEqual([visitor])
  })

  it("has an owner who can sign in, and whose token works", async () => {
    await using server = await startTestServer()
    const { accessToken, email, password } = server.owner

    const client = new Footfall({ baseUrl: server.url, accessToken })
    const session = await new Footfall({ baseUrl: server.url }).auth.login({ email, password })

    expect(session.tokenType).toBe("Bearer")
    expect(await client.auth.me()).toMatchObject({ role: "owner", user: { email } })
  })

  it("two of them share nothing, and leave nothing behind", async () => {
    const [one, other] = await Promise.all([startTestServer(), startTestServer()])
    expect(readdirSync(tmpdir())).toHaveLength(2)
    const stranger = new Footfall({ baseUrl: other.url, apiKey: one.apiKey })

    await expect(stranger.pixels.list()).rejects.toMatchObject({ code: "AUTHENTICATION_ERROR" })
    await Promise.all([one.close(), other.close()])
    await one.close()

    await expect(fetch(`${one.url}/healthz`)).rejects.toThrow()
    expect(readdirSync(tmpdir())).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  it("does not touch the database in the environment", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:1/nothing-there")
    await using server = await startTestServer()
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })
})

it("a domain with sample data is refused, because the sample's pixel has its own", async () => {
  await expect(startTestServer({ domain: "fjord.example", sample: true })).rejects.toThrow(
    "domain cannot be combined with sample",
  )
})

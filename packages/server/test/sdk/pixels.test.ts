// Every method of the SDK for pixels, once against the real server (spec 5.2). test/pixels tests the rest.
import { ConflictError, type Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let sdk: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false })
  sdk = server.sdk
})
afterAll(() => server.close())

describe("pixels", () => {
  it("are created, listed, read, changed, verified and deleted", async () => {
    const made = await sdk.pixels.create({
      domain: "https://WWW.harbor.example/",
      settings: { spa: "hash" },
    })
    const changed = await sdk.pixels.update(made.id, {
      status: "paused",
      excludedPaths: ["/internal"],
      settings: { spa: null },
    })

    expect(made).toMatchObject({ domain: "harbor.example", settings: { spa: "hash" } })
    expect(made.code).toContain(made.id)
    expect(changed).toMatchObject({ status: "paused", pausedReason: "manual" })
    expect(changed).toMatchObject({ excludedPaths: ["/internal"], settings: { spa: null } })
    expect(await sdk.pixels.get(made.id)).toMatchObject(changed)
    expect((await sdk.pixels.list()).map(({ id }) => id)).toContain(made.id)
    expect(await sdk.pixels.verify(made.id)).toMatchObject({ verified: false, reason: "paused" })
    expect(await sdk.pixels.delete(made.id)).toEqual({ deleted: true })
  })

  it("a second one for a domain is a conflict that names the first", async () => {
    const refused = sdk.pixels.create({ domain: "tidewater.example" })

    await expect(refused).rejects.toThrow(ConflictError)
    await expect(refused).rejects.toMatchObject({
      code: "PIXEL_EXISTS",
      pixelId: server.pixelId,
    })
  })
})

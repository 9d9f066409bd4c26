// The URL of a script with its hash (spec 2.3): as long as the pixel exists, it returns the same bytes, so the SRI
// value on a page remains valid.
import { Footfall } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

let server: TestServer
let organization: TestOrganization
let sdk: Footfall
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  sdk = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
})

const embed = async () => (await sdk.pixels.get(organization.pixelId)).embed.immutable
const textOf = async (url: string) => (await fetch(url)).text()
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest()

it("returns 200 with the documented headers; hash, SRI value and tag match its bytes", async () => {
  const { code, integrity, url } = await embed()

  const response = await fetch(url)
  const body = await response.text()

  expect(response.status).toBe(200)
  const {
    "x-request-id": _,
    date: __,
    connection: ___,
    "keep-alive": ____,
    "content-length": _____,
    "content-encoding": ______,
    ...headers
  } = Object.fromEntries(response.headers)
  const hash = digest("sha256", body).toString("hex").slice(0, 16)
  expect(headers).toEqual({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
    etag: `W/"${hash}"`,
    vary: "cookie, Accept-Encoding",
  })
  expect(url).toBe(`${server.url}/p/${organization.pixelId}.${hash}.js`)
  expect(integrity).toBe(`sha384-${digest("sha384", body).toString("base64")}`)
  expect(code).toBe(
    `<script async src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
  )
})

it("has the same bytes as the plain script", async () => {
  const { url } = await embed()

  expect(await textOf(url)).toBe(await textOf(`${server.url}/p/${organization.pixelId}.js`))
})

it("a known ETag gets a 304 without a body", async () => {
  const { url } = await embed()
  const etag = (await fetch(url)).headers.get("etag") ?? ""

  const response = await fetch(url, { headers: { "if-none-match": etag } })

  expect(response.status).toBe(304)
  expect(await response.text()).toBe("")
})

it("is the same for the same state, and different after a change of settings", async () => {
  const first = await embed()
  const again = await embed()
  await sdk.pixels.update(organization.pixelId, { settings: { consent: "required" } })
  const changed = await embed()

  expect(again).toEqual(first)
  expect(changed.url).not.toBe(first.url)
  expect(await textOf(changed.url)).toContain('"consent":"required"')
})

describe("the full script, which the current one may load by its hash", () => {
  /** The settings in a script. */
  const settingsOf = (body: string): Readonly<Record<string, string>> =>
    JSON.parse(/\{"id":[^}]*\}/.exec(body)?.[0] ?? "{}")
  const plain = () => textOf(`${server.url}/p/${organization.pixelId}.js`)
  const fullOf = (body: string) =>
    `${server.url}/p/${organization.pixelId}.${settingsOf(body)["full"]}.js`

  it("exists as soon as the plain script is served, with the hash of its bytes", async () => {
    const url = fullOf(await plain())
    const body = await textOf(url)

    expect(url).toContain(`.${digest("sha256", body).toString("hex").slice(0, 16)}.js`)
    expect(settingsOf(body)).toEqual({ id: organization.pixelId })
  })

  it("exists as soon as a pinned script is returned", async () => {
    const pinnedBody = await textOf((await embed()).url)

    expect((await fetch(fullOf(pinnedBody))).status).toBe(200)
  })

  it("stays after a change of settings: a browser may keep the old script for five minutes", async () => {
    const url = fullOf(await plain())
    const before = await textOf(url)
    await sdk.pixels.update(organization.pixelId, { settings: { emailCapture: "off" } })
    const after = fullOf(await plain())

    expect(after).not.toBe(url)
    expect(await textOf(url)).toBe(before)
    expect((await fetch(after)).status).toBe(200)
  })

  it("is written once, no matter how often the script is requested", async () => {
    await plain()
    await server.sql("delete from pixel_script where pixel_id = $1", [organization.pixelId])
    await Promise.all(Array.from({ length: 20 }, plain))

    const rows = await server.sql("select 1 from pixel_script where pixel_id = $1", [
      organization.pixelId,
    ])
    expect(rows).toEqual([])
  })

  it("is not written for a paused pixel, whose script does nothing", async () => {
    await sdk.pixels.update(organization.pixelId, { status: "paused" })
    await plain()

    const rows = await server.sql("select 1 from pixel_script where pixel_id = $1", [
      organization.pixelId,
    ])
    expect(rows).toEqual([])
  })
})

describe("a pinned URL keeps returning the same bytes", () => {
  it("after a change of settings", async () => {
    const { url } = await embed()
    const before = await textOf(url)

    await sdk.pixels.update(organization.pixelId, { settings: { consent: "denied" } })

    expect(await textOf(url)).toBe(before)
  })

  it("on another server with another build of the script", async () => {
    const { url } = await embed()
    const before = await textOf(url)
    // An upgrade leaves a script from a template that no running server has.
    await server.sql(
      "insert into script_template (digest, body) values ('old', 'old(__FOOTFALL_SETTINGS__)')",
    )
    await server.sql(
      `insert into pixel_script (organization_id, pixel_id, hash, template_digest, settings)
       values ($1, $2, '0123456789abcdef', 'old', '{"id":"$&"}')`,
      [organization.organizationId, organization.pixelId],
    )
    const other = await startServer({ workers: false, beside: server })

    const path = `/p/${organization.pixelId}.0123456789abcdef.js`
    expect(await textOf(other.url + path)).toBe('old({"id":"$&"})')
    expect(await textOf(other.url + new URL(url).pathname)).toBe(before)
    await other.close()
  })

  it("while the pixel is paused, and one published then is not the no-op", async () => {
    const { url } = await embed()
    const before = await textOf(url)
    await sdk.pixels.update(organization.pixelId, { status: "paused" })

    expect(await textOf(`${server.url}/p/${organization.pixelId}.js`)).toContain("console.debug")
    expect(await embed()).toMatchObject({ url })
    expect(await textOf(url)).toBe(before)
  })

  it("and returns 404 after the pixel is deleted", async () => {
    const { url } = await embed()
    await fetch(url)

    await sdk.pixels.delete(organization.pixelId)

    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([404, "// Pixel not found"])
    expect(response.headers.get("cache-control")).toBe("no-store")
  })
})

it.each(["0000000000000000", "0", "0123456789ABCDEF", "0123456789abcdef0", "..", "%2e%2e"])(
  "a hash that was never published gets a 404: %s",
  async (hash) => {
    const response = await fetch(`${server.url}/p/${organization.pixelId}.${hash}.js`)

    expect([response.status, await response.text()]).toEqual([404, "// Pixel not found"])
  },
)

it("one pixel's hash does not work for another", async () => {
  const { url } = await embed()
  const other = await server.makeOrganization()

  const response = await fetch(url.replace(organization.pixelId, other.pixelId))

  expect(response.status).toBe(404)
})

it("is stored as a template, once for all pixels, and each pixel's settings", async () => {
  const templates = async () => {
    const [count] = await server.sql("select count(*)::int as n from script_template")
    return count
  }
  await embed()
  const before = await templates()

  await sdk.pixels.create({ domain: "harbor.example" })

  expect(await templates()).toEqual(before)
})

describe("a change reaches the pixel host of this process immediately", () => {
  const path = () => `${server.url}/p/${organization.pixelId}.js`

  it("of settings, status and existence", async () => {
    await textOf(path())

    await sdk.pixels.update(organization.pixelId, { settings: { consent: "required" } })
    expect(await textOf(path())).toContain('"consent":"required"')
    await sdk.pixels.update(organization.pixelId, { status: "paused" })
    expect(await textOf(path())).toContain("paused")
    await sdk.pixels.update(organization.pixelId, { status: "active" })
    expect(await textOf(path())).not.toContain("paused")
    await sdk.pixels.delete(organization.pixelId)
    expect(await textOf(path())).toBe("// Pixel not found")
  })
})

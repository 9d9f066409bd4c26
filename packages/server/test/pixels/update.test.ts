// Changing a pixel (spec 2.3, 2.4, 4.6, 5.2), through the SDK and the socket of the real server.
import { BadRequestError, ConflictError, type Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { issues, makeRequests, unset } from "./requests.ts"

let server: TestServer
let organization: TestOrganization
let requests: ReturnType<typeof makeRequests>
let sdk: Footfall
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  requests = makeRequests(server, organization)
  sdk = requests.sdk
})

describe("PATCH /v1/data/pixels/{id}", () => {
  it("changes only what is sent, and responds without the tag", async () => {
    const before = (await sdk.pixels.list())[0]!

    const after = await sdk.pixels.update(organization.pixelId, { name: " Tidewater " })

    expect(after).toEqual({ ...before, name: "Tidewater", updatedAt: after.updatedAt })
    expect(after.updatedAt > before.updatedAt).toBe(true)
    expect((await sdk.pixels.list())[0]).toEqual(after)
  })

  it("without a change leaves the pixel unchanged, and no audit entry", async () => {
    const before = (await sdk.pixels.list())[0]!

    expect(await sdk.pixels.update(organization.pixelId, {})).toEqual(before)
    expect(await sdk.pixels.update(organization.pixelId, { status: "active" })).toEqual(before)
    expect(await requests.entries()).toEqual([])
  })

  it("merges settings key by key; null unsets one", async () => {
    const change = (settings: Parameters<typeof sdk.pixels.update>[1]["settings"]) =>
      sdk.pixels.update(organization.pixelId, { settings })

    await change({ consent: "required", cookies: "none", respectDnt: true })
    const { settings } = await change({
      consent: null,
      spa: "hash",
      cookieDomain: ".tidewater.example",
    })

    expect(settings).toEqual({
      ...unset,
      cookies: "none",
      respectDnt: true,
      spa: "hash",
      cookieDomain: ".tidewater.example",
    })
  })

  it("keeps both of two concurrent changes to different keys", async () => {
    const keys = ["consent", "spa", "emailCapture", "cookies"] as const
    const values = { consent: "denied", spa: "off", emailCapture: "all", cookies: "none" } as const

    await Promise.all(
      keys.map((key) =>
        sdk.pixels.update(organization.pixelId, { settings: { [key]: values[key] } }),
      ),
    )

    const { settings } = await sdk.pixels.get(organization.pixelId)
    expect(settings).toEqual({ ...unset, ...values })
  })

  it.each([
    ["consent", "maybe", "enum"],
    ["spa", "on", "enum"],
    ["emailCapture", "some", "enum"],
    ["cookies", "third-party", "enum"],
    ["cookieDomain", "not a host", "format"],
    ["cookieDomain", "https://tidewater.example", "format"],
    ["cookieDomain", `${"a.".repeat(127)}aa`, "max_length"],
    ["respectDnt", "true", "type"],
    ["pricingPaths", "/pricing", "type"],
    ["topicRules", {}, "type"],
    ["keyPages", "/docs", "type"],
  ])("settings.%s %j is %s", async (key, value, code) => {
    expect(await issues(await requests.patch({ settings: { [key]: value } }))).toEqual([
      `/body/settings/${key} ${code}`,
    ])
  })

  it.each(["excludedPaths", "includedPaths", "settings/pricingPaths", "settings/demoPaths"])(
    "%s has at most 50 paths of 2 to 500 characters that start with /",
    async (pointer) => {
      const body = (list: unknown) =>
        pointer.startsWith("settings/")
          ? { settings: { [pointer.slice(9)]: list } }
          : { [pointer]: list }
      const paths = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`)
      const sized = (length: number) => [`/${"💧".repeat(length - 1)}`]
      const status = async (list: unknown) => (await requests.patch(body(list))).status

      expect(await status(paths(49))).toBe(200)
      expect(await status(paths(50))).toBe(200)
      expect(await issues(await requests.patch(body(paths(51))))).toEqual([
        `/body/${pointer} max_items`,
      ])
      expect(await status(sized(2))).toBe(200)
      expect(await status(sized(499))).toBe(200)
      expect(await status(sized(500))).toBe(200)
      expect(await issues(await requests.patch(body(sized(501))))).toEqual([
        `/body/${pointer}/0 max_length`,
      ])
      expect(await issues(await requests.patch(body(["/"])))).toEqual([
        `/body/${pointer}/0 min_length`,
      ])
      expect(await issues(await requests.patch(body(["/a", "blog"])))).toEqual([
        `/body/${pointer}/1 format`,
      ])
      expect(await status(null)).toBe(200)
    },
  )

  it("has at most one of the two lists: the second one is rejected by name", async () => {
    await sdk.pixels.update(organization.pixelId, { excludedPaths: ["/app"] })

    expect(await issues(await requests.patch({ includedPaths: ["/shop"] }))).toEqual([
      "/body/includedPaths mutually_exclusive",
    ])
    expect(
      await issues(await requests.patch({ excludedPaths: ["/app"], includedPaths: ["/shop"] })),
    ).toEqual(["/body/includedPaths mutually_exclusive"])
    const swapped = await sdk.pixels.update(organization.pixelId, {
      excludedPaths: null,
      includedPaths: ["/shop"],
    })
    expect([swapped.excludedPaths, swapped.includedPaths]).toEqual([null, ["/shop"]])
    expect(await issues(await requests.patch({ excludedPaths: ["/app"] }))).toEqual([
      "/body/excludedPaths mutually_exclusive",
    ])
  })

  it("an empty list counts as no list: it excludes and includes nothing", async () => {
    await sdk.pixels.update(organization.pixelId, { excludedPaths: ["/app"] })
    const pixel = await sdk.pixels.update(organization.pixelId, {
      excludedPaths: [],
      includedPaths: [],
    })

    expect([pixel.excludedPaths, pixel.includedPaths]).toEqual([null, null])
  })

  it("an unknown topic gets a 400 with its id, on creation too", async () => {
    const topicRules = [
      { path: "/pricing", topicId: 1204 },
      { path: "/demo", topicId: 7 },
      { path: "/plans", topicId: 1204 },
    ]
    const attempts = [
      () => sdk.pixels.update(organization.pixelId, { settings: { topicRules } }),
      () => sdk.pixels.create({ domain: "harbor.example", settings: { topicRules } }),
    ]

    for (const attempt of attempts) {
      const error = await attempt().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(BadRequestError)
      expect(error).toMatchObject({
        code: "VALIDATION_ERROR",
        details: {
          unknownTopicIds: [1204, 7],
          issues: [0, 1, 2].map((place) => ({
            path: `/body/settings/topicRules/${place}/topicId`,
            code: "unknown_topic",
          })),
        },
      })
    }
    expect(
      await sdk.pixels.update(organization.pixelId, { settings: { topicRules: [] } }),
    ).toMatchObject({
      settings: { topicRules: [] },
    })
    expect(await requests.entries()).toEqual([])
  })

  it.each([
    [[{ path: "pricing", topicId: 1 }], "/0/path format"],
    [[{ path: "/pricing", topicId: 0 }], "/0/topicId min"],
    [[{ path: "/pricing", topicId: 1.5 }], "/0/topicId type"],
    [[{ path: "/pricing" }], "/0/topicId required"],
    [[{ path: "/pricing", topicId: 1, score: 3 }], "/0/score unknown_field"],
    [Array.from({ length: 51 }, () => ({ path: "/pricing", topicId: 1 })), " max_items"],
  ])("topic rules %j are rejected", async (topicRules, expected) => {
    expect(await issues(await requests.patch({ settings: { topicRules } }))).toEqual([
      `/body/settings/topicRules${expected}`,
    ])
  })
})

describe("key pages", () => {
  it.each([
    [[{ path: "docs", name: "Docs" }], "/0/path format"],
    [[{ path: "/docs", name: " " }], "/0/name min_length"],
    [[{ path: "/docs", name: "x".repeat(81) }], "/0/name max_length"],
    [[{ path: "/docs" }], "/0/name required"],
    [[{ path: "/docs", name: "Docs", topicId: 1 }], "/0/topicId unknown_field"],
    [Array.from({ length: 51 }, () => ({ path: "/docs", name: "Docs" })), " max_items"],
  ])("%j are rejected", async (keyPages, expected) => {
    expect(await issues(await requests.patch({ settings: { keyPages } }))).toEqual([
      `/body/settings/keyPages${expected}`,
    ])
  })

  it("are kept in order, and an empty list is unset", async () => {
    const keyPages = [
      { path: "/docs/*", name: "Docs" },
      { path: "/über", name: "Über uns" },
    ]
    const { settings } = await sdk.pixels.update(organization.pixelId, { settings: { keyPages } })
    expect(settings.keyPages).toEqual(keyPages)

    await sdk.pixels.update(organization.pixelId, { settings: { keyPages: [] } })
    const [row] = await server.sql("select settings from pixel where id = $1", [
      organization.pixelId,
    ])
    expect(row).toEqual({ settings: {} })
  })
})

describe("the status of a pixel (spec 4.6)", () => {
  const set = async (status: "active" | "paused") => {
    const pixel = await sdk.pixels.update(organization.pixelId, { status })
    return [pixel.status, pixel.pausedReason]
  }
  const pauseWithOrganization = () =>
    server.sql(
      "update pixel set status = 'paused', paused_reason = 'organization_inactive' where id = $1",
      [organization.pixelId],
    )

  it("active, PATCH paused: paused (manual), and active again", async () => {
    expect(await set("paused")).toEqual(["paused", "manual"])
    expect(await set("paused")).toEqual(["paused", "manual"])
    expect(await set("active")).toEqual(["active", null])
  })

  it("paused with its organization, PATCH active: 409, it resumes with the organization", async () => {
    await pauseWithOrganization()

    const error = await set("active").catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({ code: "CONFLICT", details: { status: "paused" } })
  })

  it("paused with its organization, PATCH paused: paused by the request, and remains paused", async () => {
    await pauseWithOrganization()

    expect(await set("paused")).toEqual(["paused", "manual"])
  })

  it("paused with its organization, any other change: stored, and still paused", async () => {
    await pauseWithOrganization()

    const pixel = await sdk.pixels.update(organization.pixelId, { name: "Tidewater" })

    expect([pixel.name, pixel.pausedReason]).toEqual(["Tidewater", "organization_inactive"])
  })

  it.each(["deleted", "", null, 1])("%j is not a status", async (status) => {
    expect(await issues(await requests.patch({ status }))).toHaveLength(1)
  })
})

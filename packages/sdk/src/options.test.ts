// Options override the environment, which overrides the defaults. Each option has bounds.

import { describe, expect, it } from "vitest"
import { accessToken, apiKey } from "../test/support/credentials.ts"
import { ConfigurationError } from "./errors/footfall-error.ts"
import { Footfall } from "./index.ts"
import { resolveOptions } from "./options.ts"

describe("where a value comes from", () => {
  it("the defaults match the documentation", () => {
    expect(resolveOptions({}, {})).toMatchObject({
      baseUrl: "http://127.0.0.1:4100",
      timeoutMs: 30_000,
      maxRetries: 2,
      retryAfterMaxSeconds: 60,
    })
  })

  it("the environment sets key, token and URL", async () => {
    const settings = resolveOptions(
      {},
      {
        FOOTFALL_API_KEY: apiKey,
        FOOTFALL_ACCESS_TOKEN: accessToken,
        FOOTFALL_BASE_URL: "https://footfall.example/",
      },
    )

    expect(settings.baseUrl).toBe("https://footfall.example")
    expect(await settings.credentials.header("apiKey")).toMatchObject({ value: apiKey })
    expect(await settings.credentials.header("accessToken")).toMatchObject({
      value: `Bearer ${accessToken}`,
    })
  })

  it("an option takes precedence over the environment", async () => {
    const other = `sk_${"b".repeat(43)}`
    const settings = resolveOptions(
      { apiKey: other, baseUrl: "http://localhost:1" },
      { FOOTFALL_API_KEY: apiKey, FOOTFALL_BASE_URL: "http://localhost:2" },
    )

    expect(await settings.credentials.header("apiKey")).toMatchObject({ value: other })
    expect(settings.baseUrl).toBe("http://localhost:1")
  })

  it("an empty variable is ignored", () => {
    const empty = { FOOTFALL_API_KEY: "", FOOTFALL_ACCESS_TOKEN: "", FOOTFALL_BASE_URL: "" }
    expect(resolveOptions({}, empty).baseUrl).toBe("http://127.0.0.1:4100")
  })
})

it("the old name of maxRetries is rejected, naming the new one", async () => {
  const old: object = { retriesMax: 0 }

  expect(() => resolveOptions(old, {})).toThrow(
    "retriesMax was renamed to maxRetries: rename the option",
  )
  const footfall = new Footfall({ apiKey, fetch: async () => Response.json({}) })
  await expect(footfall.pixels.list(old)).rejects.toThrow(ConfigurationError)
})

describe("baseUrl", () => {
  it("keeps a path prefix and removes trailing slashes", () => {
    expect(resolveOptions({ baseUrl: "https://host.example/footfall//" }, {}).baseUrl).toBe(
      "https://host.example/footfall",
    )
  })

  it.each([
    "host.example",
    "ftp://host.example",
    "http://jane:hunter2@host.example",
    "http://host.example/?key=hunter2",
    "http://host.example/#hunter2",
  ])("%s is rejected and not quoted in the error", (baseUrl) => {
    expect(() => resolveOptions({ baseUrl }, {})).toThrow(ConfigurationError)
    expect(() => resolveOptions({ baseUrl }, {})).not.toThrow(/hunter2/)
  })
})

describe("bounds", () => {
  it.each([
    ["timeoutMs", 1, 300_000],
    ["maxRetries", 0, 10],
    ["retryAfterMaxSeconds", 0, 3_600],
    ["maxStalenessSeconds", 0, 3_600],
  ])("%s must be a whole number from %d to %d", (name, min, max) => {
    for (const value of [min, max]) {
      expect(resolveOptions({ [name]: value }, {})).toHaveProperty(name, value)
    }
    for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) {
      expect(() => resolveOptions({ [name]: value }, {})).toThrow(`${name} must be`)
    }
  })
})

it.each(["https://a.example/v1", "https://a.example/footfall/v1/"])(
  "a base URL with the version at its end (%s) is refused, because the client adds it",
  (baseUrl) => {
    expect(() => resolveOptions({ baseUrl }, {})).toThrow(ConfigurationError)
    expect(() => resolveOptions({}, { FOOTFALL_BASE_URL: baseUrl })).toThrow("must not end in /v1")
  },
)

it("fetch and dispatcher cannot be used together: set one of them", async () => {
  const { MockAgent } = await import("undici")
  const options = { fetch: async () => new Response(), dispatcher: new MockAgent() }
  expect(() => resolveOptions(options, {})).toThrow(ConfigurationError)
})

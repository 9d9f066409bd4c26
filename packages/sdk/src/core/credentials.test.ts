// API keys and access tokens: their format, where they are sent, and that they are never printed.

import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { AbortedError, ConfigurationError } from "../errors/footfall-error.ts"
import { accessToken, apiKey } from "../../test/support/credentials.ts"
import { Credentials } from "./credentials.ts"

const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}

describe("form", () => {
  const characters = "a".repeat(43)

  it("a key of sk_ and 43 letters or digits is accepted", async () => {
    const key = `sk_${characters}`
    expect(await new Credentials({ apiKey: key, accessToken: undefined }).header("apiKey")).toEqual(
      { name: "x-api-key", value: key, secret: key },
    )
  })

  it.each([
    ["42 characters", `sk_${characters.slice(1)}`],
    ["44 characters", `sk_${characters}a`],
    ["another prefix", `pk_${characters}`],
    ["another character", `sk_${characters.slice(1)}-`],
    ["a line break at the end", `sk_${characters}\n`],
    ["nothing", ""],
  ])("a key with %s is rejected and not quoted in the error", (_name, wrong) => {
    const error = thrown(() => new Credentials({ apiKey: wrong, accessToken: undefined }))

    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toHaveProperty("code", "CONFIGURATION_INVALID")
    expect(wrong !== "" && String(error).includes(wrong.trim())).toBe(false)
  })

  it.each(["a.b", "a.b.c.d", "a b.c.d", "a.b.c\n", ""])("a token %j is rejected", (wrong) => {
    expect(() => new Credentials({ apiKey: undefined, accessToken: wrong })).toThrow(
      ConfigurationError,
    )
  })
})

describe("which one is sent", () => {
  const both = new Credentials({ apiKey, accessToken })
  const keyOnly = new Credentials({ apiKey, accessToken: undefined })
  const tokenOnly = new Credentials({ apiKey: undefined, accessToken })

  it("an endpoint for keys gets the key, even if there is a token", async () => {
    expect(await both.header("apiKey")).toMatchObject({ name: "x-api-key", value: apiKey })
  })

  it("an endpoint for tokens gets the token, even if there is a key", async () => {
    expect(await both.header("accessToken")).toEqual({
      name: "authorization",
      value: `Bearer ${accessToken}`,
      secret: accessToken,
    })
  })

  it("an endpoint that takes either gets the key, or the token if there is no key", async () => {
    expect(await both.header("either")).toMatchObject({ name: "x-api-key" })
    expect(await keyOnly.header("either")).toMatchObject({ name: "x-api-key" })
    expect(await tokenOnly.header("either")).toMatchObject({ name: "authorization" })
  })

  it("an endpoint without credentials gets neither, even if both exist", async () => {
    expect(await both.header("none")).toBeUndefined()
  })

  const nothing = new Credentials({ apiKey: undefined, accessToken: undefined })

  it("a public endpoint gets the key, the token, or nothing, in that order", async () => {
    expect(await both.header("optional")).toMatchObject({ name: "x-api-key" })
    expect(await tokenOnly.header("optional")).toMatchObject({ name: "authorization" })
    expect(await nothing.header("optional")).toBeUndefined()
  })

  it.each([
    ["a token where a key is required", tokenOnly, "apiKey" as const, "FOOTFALL_API_KEY"],
    ["a key where a token is required", keyOnly, "accessToken" as const, "FOOTFALL_ACCESS_TOKEN"],
    ["nothing where either would do", nothing, "either" as const, "FOOTFALL_ACCESS_TOKEN"],
  ])("%s: the error names the variable to set", (_name, given, kind, variable) => {
    expect(() => given.header(kind)).toThrow(
      expect.objectContaining({
        name: "ConfigurationError",
        code: "CREDENTIALS_MISSING",
        message: expect.stringContaining(variable),
      }),
    )
  })
})

describe("a token from a function", () => {
  const from = (give: () => string | Promise<string>) =>
    new Credentials({ apiKey: undefined, accessToken: give })

  it("is called for each request, so it can renew the token", async () => {
    const tokens = ["a.b.c", "d.e.f"]
    const credentials = from(async () => tokens.shift() ?? "")

    expect(await credentials.header("accessToken")).toMatchObject({ value: "Bearer a.b.c" })
    expect(await credentials.header("either")).toMatchObject({ value: "Bearer d.e.f" })
  })

  it("is not requested when a key is sent", async () => {
    const credentials = new Credentials({
      apiKey,
      accessToken: () => {
        throw new Error("asked")
      },
    })

    expect(await credentials.header("either")).toMatchObject({ name: "x-api-key" })
  })

  it("in another format is rejected without quoting it", async () => {
    const failed = from(() => "hunter2").header("accessToken")

    await expect(failed).rejects.toThrow(ConfigurationError)
    await expect(failed).rejects.not.toThrow(/hunter2/)
  })

  it("is reported as missing, with the reason, if the function fails", async () => {
    const failed = from(() => Promise.reject(new Error("logged out"))).header("accessToken")

    await expect(failed).rejects.toMatchObject({
      code: "CREDENTIALS_MISSING",
      message: "accessToken() failed: logged out",
    })
  })

  it("passes through an SDK error from its renewal", async () => {
    const refused = new AbortedError("x")

    await expect(from(() => Promise.reject(refused)).header("accessToken")).rejects.toBe(refused)
  })
})

it("printing them reveals nothing", () => {
  const credentials = new Credentials({ apiKey, accessToken })
  const text = inspect(credentials, { showHidden: true }) + JSON.stringify(credentials)

  expect(text).not.toContain(apiKey)
  expect(text).not.toContain(accessToken)
})

describe("in a browser", () => {
  afterEach(() => vi.unstubAllGlobals())

  beforeEach(() => {
    vi.stubGlobal("window", {})
    vi.stubGlobal("document", {})
  })

  it("a key is rejected", () => {
    expect(() => new Credentials({ apiKey, accessToken: undefined })).toThrow(/browser/)
  })

  it("an endpoint for keys gets the token", async () => {
    const credentials = new Credentials({ apiKey: undefined, accessToken })

    expect(await credentials.header("apiKey")).toMatchObject({ value: `Bearer ${accessToken}` })
  })

  it("without a token, an endpoint for keys asks for a token", () => {
    const nothing = new Credentials({ apiKey: undefined, accessToken: undefined })

    expect(() => nothing.header("apiKey")).toThrow(/set accessToken/)
  })
})

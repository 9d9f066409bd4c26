// Keys and tokens: their form, where they go, and that they are never repeated.

import { inspect } from "node:util"
import { afterEach, describe, expect, it, vi } from "vitest"
import { ConfigurationError } from "../errors/configuration-error.ts"
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

  it("a key of sk_ and 43 letters or digits is taken", () => {
    expect(
      new Credentials({ apiKey: `sk_${characters}`, accessToken: undefined }).header("apiKey"),
    ).toEqual(["x-api-key", `sk_${characters}`])
  })

  it.each([
    ["42 characters", `sk_${characters.slice(1)}`],
    ["44 characters", `sk_${characters}a`],
    ["another prefix", `pk_${characters}`],
    ["another character", `sk_${characters.slice(1)}-`],
    ["a line break at the end", `sk_${characters}\n`],
    ["nothing", ""],
  ])("a key with %s is refused, and not repeated", (_name, wrong) => {
    const error = thrown(() => new Credentials({ apiKey: wrong, accessToken: undefined }))

    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toHaveProperty("code", "CONFIGURATION_INVALID")
    expect(wrong !== "" && String(error).includes(wrong.trim())).toBe(false)
  })

  it.each(["a.b", "a.b.c.d", "a b.c.d", "a.b.c\n", ""])("a token %j is refused", (wrong) => {
    expect(() => new Credentials({ apiKey: undefined, accessToken: wrong })).toThrow(
      ConfigurationError,
    )
  })
})

describe("which one is sent", () => {
  const both = new Credentials({ apiKey, accessToken })
  const keyOnly = new Credentials({ apiKey, accessToken: undefined })
  const tokenOnly = new Credentials({ apiKey: undefined, accessToken })

  it("an endpoint for keys gets the key, also when there is a token", () => {
    expect(both.header("apiKey")).toEqual(["x-api-key", apiKey])
  })

  it("an endpoint for tokens gets the token, also when there is a key", () => {
    expect(both.header("accessToken")).toEqual(["authorization", `Bearer ${accessToken}`])
  })

  it("an endpoint for either gets the token first, else the key", () => {
    expect(both.header("either")[0]).toBe("authorization")
    expect(keyOnly.header("either")[0]).toBe("x-api-key")
  })

  it.each([
    ["a token where a key is needed", tokenOnly, "apiKey" as const],
    ["a key where a token is needed", keyOnly, "accessToken" as const],
  ])("%s is not sent but reported missing", (_name, credentials, kind) => {
    expect(thrown(() => credentials.header(kind))).toMatchObject({ code: "CREDENTIALS_MISSING" })
  })
})

it("printed, they show nothing", () => {
  const credentials = new Credentials({ apiKey, accessToken })
  const text = inspect(credentials, { showHidden: true }) + JSON.stringify(credentials)

  expect(text).not.toContain(apiKey)
  expect(text).not.toContain(accessToken)
})

describe("in a browser", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("a key is refused", () => {
    vi.stubGlobal("window", {})
    vi.stubGlobal("document", {})

    expect(() => new Credentials({ apiKey, accessToken: undefined })).toThrow(/browser/)
  })
})

import { Redacted } from "effect"
import fc from "fast-check"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { apiKeyDigest, isApiKey, makeApiKey } from "./api-key.ts"

/** The example in spec 7. */
const example = "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

describe("an API key (spec 7)", () => {
  it("has the checksum and the digest of the documented example", () => {
    expect(isApiKey(example)).toBe(true)
    expect(Buffer.from(apiKeyDigest(Redacted.make(example))).toString("hex")).toBe(
      "c2ac4c35927af790838436015effb58e6641734b68095fa33095ab6084d18173",
    )
  })

  it("is generated in the documented form, and is never the same twice", () => {
    const keys = Array.from({ length: 1000 }, () => Redacted.value(makeApiKey()))

    for (const key of keys) {
      expect(key).toMatch(/^sk_[0-9A-Za-z]{43}$/)
      expect(isApiKey(key)).toBe(true)
    }
    expect(new Set(keys).size).toBe(1000)
  })

  it("is rejected with any one character changed", () => {
    const position = fc.integer({ min: 3, max: 45 })
    fc.assert(
      fc.property(position, fc.constantFrom(...digits), (at, digit) => {
        fc.pre(example[at] !== digit)
        expect(isApiKey(example.slice(0, at) + digit + example.slice(at + 1))).toBe(false)
      }),
    )
  })

  it.each([
    "",
    "sk_",
    example.slice(0, -1),
    `${example}0`,
    `${example}\n`,
    ` ${example}`,
    example.replace("sk_", "SK_"),
    example.replace("sk_", "pk_"),
    example.replace("a33EDWO", "-33EDWO"),
    `sk_${"0".repeat(43)}`,
  ])("is rejected in another form: %j", (text) => {
    expect(isApiKey(text)).toBe(false)
  })

  it("is not shown when it is printed", () => {
    const key = makeApiKey()

    expect(`${key} ${JSON.stringify({ key })} ${inspect({ key })}`).not.toContain(
      Redacted.value(key),
    )
  })
})

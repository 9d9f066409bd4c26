import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { domainLengthMax, normalizeDomain } from "./pixel.ts"

describe("the normal form of a domain (spec 1.5)", () => {
  it.each([
    ["tidewater.example", "tidewater.example"],
    ["Tidewater.EXAMPLE", "tidewater.example"],
    ["  tidewater.example\n", "tidewater.example"],
    ["https://tidewater.example", "tidewater.example"],
    ["HTTPS://WWW.Tidewater.example:8443/pricing?a=b#c", "tidewater.example"],
    ["https://user:secret@tidewater.example/", "tidewater.example"],
    ["www.tidewater.example.", "tidewater.example"],
    ["tidewater.example:443", "tidewater.example"],
    ["tidewater.example?a=/b@c", "tidewater.example"],
    ["shop.tidewater.example", "shop.tidewater.example"],
    ["www2.tidewater.example", "www2.tidewater.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["tidewater。example", "tidewater.example"],
    ["localhost", "localhost"],
    ["http://localhost:3000/", "localhost"],
    [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  ])("for %j is %j", (text, domain) => {
    expect(normalizeDomain(text)).toBe(domain)
  })

  it.each([
    "",
    " ",
    "https://",
    "tidewater",
    "www.example", // `www.` is always removed, and `example` is not a public name
    "tide water.example",
    "tide_water.example",
    "-tidewater.example",
    "tidewater-.example",
    "tidewater..example",
    ".tidewater.example",
    "203.0.113.9",
    "[2001:db8::1]",
    "mailto:someone",
    `${"a".repeat(64)}.example`,
    "tidewater.example\0",
  ])("%j is not a host name", (text) => {
    expect(normalizeDomain(text)).toBeUndefined()
  })

  it("has at most 255 characters", () => {
    const label = "a".repeat(49)
    const name = (length: number) => `${`${label}.`.repeat(5)}${"b".repeat(length - 250)}`

    expect(domainLengthMax).toBe(255)
    expect(normalizeDomain(name(254))).toBe(name(254))
    expect(normalizeDomain(name(255))).toBe(name(255))
    expect(normalizeDomain(name(256))).toBeUndefined()
  })

  it("is idempotent", () => {
    const text = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.domain(),
      fc.domain().map((domain) => `www.www.${domain}.`),
      fc.string({ unit: "grapheme" }).map((label) => `${label}.example`),
      fc.string(),
    )
    fc.assert(
      fc.property(text, (input) => {
        const normal = normalizeDomain(input)
        if (normal !== undefined) expect(normalizeDomain(normal)).toBe(normal)
      }),
      { numRuns: 1000 },
    )
  })
})

// How a row is normalized, and why it is rejected (spec 2.6).
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normalizeRule, ruleTypes } from "./suppression-rule.ts"

const domainOf = (value: unknown) => normalizeRule({ type: "domain", value })

describe("the value of a rule", () => {
  it.each([
    ["email", " Ops@Tidewater.example ", "ops@tidewater.example"],
    ["email", "Jane+Tag@Bücher.example", "jane+tag@xn--bcher-kva.example"],
    ["email", "jane@acme.example.", "jane@acme.example"],
    ["email", "İ@tidewater.example", "i̇@tidewater.example"],
    ["domain", "https://www.Rival-Freight.example/about", "rival-freight.example"],
    ["domain", "WWW.rival-freight.example", "rival-freight.example"],
    ["domain", "rival-freight.example.", "rival-freight.example"],
    ["domain", "rival-freight.example:8443", "rival-freight.example"],
    ["domain", "rival-freight.example/path?a=b#c", "rival-freight.example"],
    ["domain", "https://user:secret@rival-freight.example/", "rival-freight.example"],
    ["domain", "//rival-freight.example/x", undefined],
    ["domain", "bücher.example", "xn--bcher-kva.example"],
    ["domain", "BÜCHER.example", "xn--bcher-kva.example"],
    ["domain", "shop.rival-freight.example", "shop.rival-freight.example"],
    ["domain", "gmail.com", "gmail.com"],
    ["domain", "rival.unlisted-suffix", "rival.unlisted-suffix"],
    ["domain", "blogspot.com", "blogspot.com"],
    ["company_domain", "Www.Www.Acme.Example", "acme.example"],
    ["industry", "  Staffing and Recruiting ", "staffing and recruiting"],
    ["industry", "ÉDUCATION", "éducation"],
  ] as const)("of %s %j is %j", (type, value, normal) => {
    expect(normalizeRule({ type, value })).toEqual(
      normal === undefined ? "empty_value" : { type, value: normal },
    )
  })

  it("does not change when normalized again", () => {
    const text = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.domain(),
      fc.domain().map((domain) => ` HTTPS://www.www.${domain}.:80/ `),
      fc.emailAddress(),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "grapheme" }).map((label) => `${label}.example`),
      fc.string({ unit: "binary" }).map((local) => `${local}@tidewater.example`),
    )
    fc.assert(
      fc.property(fc.constantFrom(...ruleTypes), text, (type, value) => {
        const rule = normalizeRule({ type, value })
        if (typeof rule !== "string") expect(normalizeRule(rule)).toEqual(rule)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe("an invalid row", () => {
  it.each([
    ["not_an_object", null],
    ["not_an_object", "ops@tidewater.example"],
    ["not_an_object", [{ type: "email", value: "ops@tidewater.example" }]],
    ["invalid_type", {}],
    ["invalid_type", { value: "ops@tidewater.example" }],
    ["invalid_type", { type: "Email", value: "ops@tidewater.example" }],
    ["invalid_type", { type: "constructor", value: "ops@tidewater.example" }],
    ["empty_value", { type: "email" }],
    ["empty_value", { type: "email", value: null }],
    ["empty_value", { type: "email", value: 7 }],
    ["empty_value", { type: "industry", value: " \t" }],
    ["empty_value", { type: "domain", value: "https://" }],
    ["invalid_email", { type: "email", value: "ops" }],
    ["invalid_email", { type: "email", value: "ops@tidewater" }],
    ["invalid_email", { type: "email", value: "ops@@tidewater.example" }],
    ["invalid_email", { type: "email", value: "o ps@tidewater.example" }],
  ] as const)("is rejected as %s: %j", (reason, row) => {
    expect(normalizeRule(row)).toBe(reason)
  })

  it.each([
    "ops@tidewater.example",
    "203.0.113.9",
    "http://0x7f.1/",
    "[2001:db8::1]",
    "tidewater",
    "localhost",
    "tide_water.example",
    "tide water.example",
    "-tidewater.example",
    "tidewater..example",
    "tidewater.example\0",
    "mailto:ops@tidewater.example",
  ])("is rejected as invalid_domain: %j", (value) => {
    expect(domainOf(value)).toBe("invalid_domain")
  })

  it.each(["co.uk", "https://www.co.uk/", "com.au", "foo.ck", "公司.cn"])(
    "is rejected as public_suffix: %j",
    (value) => {
      expect(domainOf(value)).toBe("public_suffix")
    },
  )

  it("is rejected for its type first if a replacement is limited to types", () => {
    expect(normalizeRule({ type: "email", value: "" }, ["industry"])).toBe("type_not_in_types")
    expect(normalizeRule({ type: "industry", value: "Retail" }, ["industry"])).toEqual({
      type: "industry",
      value: "retail",
    })
  })
})

describe("the length of a value, in code points after normalization", () => {
  const email = (length: number) => `${"a".repeat(60)}@${"b.".repeat((length - 61 - 7) / 2)}example`
  const host = (length: number) => `${"a.".repeat((length - 7) / 2)}example`

  it.each([
    ["email", email(320), email(322)],
    ["domain", host(253), host(255)],
    ["company_domain", ` https://www.${host(253)}/path `, `https://www.${host(255)}/`],
    ["industry", "é".repeat(255), "é".repeat(256)],
    ["industry", "😀".repeat(255), "😀".repeat(256)],
  ] as const)("of %s has a limit", (type, fits, isTooLong) => {
    expect(normalizeRule({ type, value: fits })).toMatchObject({ type })
    expect(normalizeRule({ type, value: isTooLong })).toBe("value_too_long")
  })

  it("holds for values of many million characters", () => {
    const labels = `${"a".repeat(60)}.`.repeat(130_000)
    for (const type of ["domain", "company_domain"] as const) {
      expect(normalizeRule({ type, value: `${labels}example` })).toBe("value_too_long")
      expect(normalizeRule({ type, value: `${"www.".repeat(2_000_000)}a.example` })).toBe(
        "value_too_long",
      )
    }
  })

  it("is checked before the format", () => {
    expect(normalizeRule({ type: "email", value: "x".repeat(321) })).toBe("value_too_long")
    expect(domainOf("_".repeat(254))).toBe("value_too_long")
  })
})

it("a long text of any kind is checked in time linear in its length", () => {
  const hostile = ["a", "a.", "@", "www.", "-", "//", "\\", "xn--", "%", "é"]
  for (const part of hostile) {
    const value = part.repeat(65_536 / part.length)
    for (const type of ruleTypes) expect(typeof normalizeRule({ type, value })).toBe("string")
  }
})

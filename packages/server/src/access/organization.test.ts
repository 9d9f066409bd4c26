import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mayBecome, mayUse, slugOf } from "./organization.ts"

describe("the slug of an organization (spec 2.21)", () => {
  it.each([
    ["Tidewater", "tidewater"],
    ["Tidewater & Sons, Ltd.", "tidewater-sons-ltd"],
    ["Café Zürich", "cafe-zurich"],
    ["  --  A1B  --  ", "a1b"],
    ["AB", "org-ab"],
    ["", "org-new"],
    ["株式会社", "org-new"],
  ])("for %j is %j", (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  it("for any name is 3 to 63 of a-z, 0-9 and hyphen, not beginning or ending with a hyphen", () => {
    const name = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
    )
    fc.assert(
      fc.property(name, (text) => {
        expect(slugOf(text)).toMatch(/^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/)
      }),
    )
  })

  it("does not end with a hyphen when it is cut", () => {
    expect(slugOf(`${"a".repeat(62)} b`)).toBe("a".repeat(62))
    expect(slugOf("a".repeat(64))).toBe("a".repeat(63))
  })

  it("for a slug is the slug itself", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        expect(slugOf(slugOf(text))).toBe(slugOf(text))
      }),
    )
  })
})

it("active and trial organizations may use the service, suspended and expired ones may not", () => {
  expect(mayUse("active")).toBe(true)
  expect(mayUse("trial")).toBe(true)
  expect(mayUse("suspended")).toBe(false)
  expect(mayUse("expired")).toBe(false)
})

describe("the status of an organization (spec 4.6)", () => {
  it.each([
    ["active", "suspended", true],
    ["trial", "expired", true],
    ["suspended", "active", true],
    ["expired", "active", true],
    ["suspended", "trial", false],
    ["suspended", "expired", false],
    ["expired", "trial", false],
  ] as const)("from %s to %s may be changed by an operator: %s", (from, to, may) => {
    expect(mayBecome(from, to)).toBe(may)
  })
})

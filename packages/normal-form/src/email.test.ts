// One form for every spelling of an address.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normalizeEmail } from "./email.ts"

const normal = (text: string) => normalizeEmail(text, 254)

describe("an address", () => {
  it.each([
    ["ida@Blåbær.example", "ida@xn--blbr-roah.example"],
    ["IDA@xn--BLBR-roah.example", "ida@xn--blbr-roah.example"],
    ["ida@bla\u030abær.example", "ida@xn--blbr-roah.example"],
    ["ida@ｑｕａｙ．example", "ida@quay.example"],
    ["ida@quay。example", "ida@quay.example"],
    ["Jose\u0301@quay.example", "jos\u00e9@quay.example"],
    ["JOSÉ@quay.example", "jos\u00e9@quay.example"],
    ["ida@भारत.example", "ida@xn--h2brj9c.example"],
    ["ida@straße.example.", "ida@xn--strae-oqa.example"],
    [" Ida@Quay.example. ", "ida@quay.example"],
  ])("%s is %s", (text, expected) => {
    expect(normal(text)).toBe(expected)
  })

  it.each([
    "bo\u212ae@quay.example",
    "ida@１９２.１６８.１.１",
    "ida@quay.例/x.example",
    "ida@%71uay.例",
    "ida@a\u200bb.例",
    "a\ud800b@quay.example",
    "é\udc00@quay.example",
    ".ida@quay.example",
    "ida.@quay.example",
    "@例.example",
    `ida@${"例".repeat(70)}.example`,
    `ida@${"例".repeat(5_000)}.example`,
  ])("%j is none", (text) => {
    expect(normal(text)).toBeUndefined()
  })

  it("in normal form is its own normal form", () => {
    const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(part, part, (local, label) => {
        const email = normal(`${local}@${label}.example`)
        if (email !== undefined) expect(normal(email)).toBe(email)
      }),
      { numRuns: 20_000 },
    )
  })
})

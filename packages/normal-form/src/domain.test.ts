// The fast path of `normalizeDomain` returns the same as the slow one.
import fc from "fast-check"
import { expect, it } from "vitest"
import { normalizeDomain } from "./domain.ts"

/** A scheme forces the slow path. */
const parsed = (domain: string) => normalizeDomain(`http://${domain}/`, 253)

const label = fc.oneof(
  fc.constantFrom("www", "xn--", "xn--bcher-kva", "xn--a", "0x1", "1", "com", "ab--cd", "-", "a-"),
  fc.string({ unit: fc.constantFrom(..."abcxz019-"), minLength: 0, maxLength: 5 }),
  fc.string({ unit: fc.constantFrom("a", "1", "-"), minLength: 60, maxLength: 66 }),
)

it("a domain on the fast path equals the parser's result", () => {
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 5 }), (labels) => {
      const domain = labels.join(".")
      expect(normalizeDomain(domain, 253)).toBe(parsed(domain))
    }),
    { numRuns: 5_000 },
  )
})

it.each([
  ["rival-freight.example", "rival-freight.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["www.acme.example", "acme.example"],
  ["www.www.acme.example", "acme.example"],
  ["wwww.example", "wwww.example"],
  ["a.0x1", undefined],
  ["a.1", undefined],
  ["10.0.0.1", undefined],
  ["acme.example.", "acme.example"],
  ["acme.example:8080", "acme.example"],
  ["https://jane:pw@www.Acme.example:443/about?x#y", "acme.example"],
  [`${"a.".repeat(123)}example`, `${"a.".repeat(123)}example`],
  [`${"a.".repeat(124)}example`, undefined],
])("%j is %j", (text, normal) => {
  expect(normalizeDomain(text, 253)).toBe(normal)
})

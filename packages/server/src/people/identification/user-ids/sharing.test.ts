import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addressesMax, browsersMax, isShared, type Use, withUse } from "./sharing.ts"

const empty: Use = { browsers: [], addresses: [] }
const day = 86_400_000
const user = "5e0c2f7a-3f5b-8a0e-9a55-2b7d1f7f9a01"

const many = (browsers: number, addresses: number, at: (index: number) => number = (i) => i) => {
  let use = empty
  for (let index = 0; index < Math.max(browsers, addresses); index++) {
    const browser = index < browsers ? `browser ${index}` : undefined
    const address = index < addresses ? `address ${index}` : undefined
    use = withUse(use, user, { browser, address }, at(index))
  }
  return use
}

describe("a user id", () => {
  it("is shared once it had more than 20 browsers with more than 3 addresses", () => {
    expect(isShared(many(21, 4))).toBe(true)
    expect(isShared(many(20, 4))).toBe(false)
    expect(isShared(many(21, 3))).toBe(false)
    expect(isShared(many(500, 1))).toBe(false)
  })

  it("is not shared if its browsers are spread over more than 7 days", () => {
    expect(isShared(many(21, 4, (index) => index * day))).toBe(false)
    expect(isShared(many(21, 4, (index) => index * (day / 4)))).toBe(true)
  })

  it("counts a browser that comes back once, however often it comes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: browsersMax - 1 }), fc.nat({ max: 30 * day }))),
        (visits) => {
          const use = visits.reduce(
            (all, [browser, at]) =>
              withUse(all, user, { browser: `b${browser}`, address: `a${at}` }, at),
            empty,
          )
          expect(isShared(use)).toBe(false)
          expect(new Set(use.browsers.map(([what]) => what)).size).toBe(use.browsers.length)
          expect(use.addresses.length).toBeLessThanOrEqual(addressesMax + 1)
        },
      ),
    )
  })

  it("is written once a day for a browser it is always used in", () => {
    const first = withUse(empty, user, { browser: "b", address: "a" }, 0)

    expect(withUse(first, user, { browser: "b", address: "a" }, day - 1)).toBe(first)
    expect(withUse(first, user, { browser: "b" }, day)).not.toBe(first)
  })

  it("keeps no more of an address than a number that other user ids don't share", () => {
    const other = "6e0c2f7a-3f5b-8a0e-9a55-2b7d1f7f9a01"
    const [[one]] = withUse(empty, user, { address: "same" }, 0).addresses as [[number, number]]
    const [[two]] = withUse(empty, other, { address: "same" }, 0).addresses as [[number, number]]

    expect(one).toBeLessThan(2 ** 32)
    expect(one).not.toBe(two)
  })
})

// Whose a browser was at each moment (spec 2.1, "Two addresses identified in one browser").
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type Identifications,
  identificationsMax,
  identified,
  ownerAt,
  tenures,
} from "./ownership.ts"

const told = (...words: ReadonlyArray<readonly [number, string]>): Identifications =>
  words.reduce<Identifications>((all, [at, visitor]) => identified(all, at, visitor), [])

describe("ownership", () => {
  it("belongs to no one before anyone was identified", () => {
    assert.isNull(ownerAt([], 5))
    assert.deepStrictEqual(tenures([]), [])
  })

  it("everything before the first identification belongs to the first person", () => {
    assert.strictEqual(ownerAt(told([10, "jane"]), 0), "jane")
  })

  it("from the second identification on it belongs to the second, not a millisecond before", () => {
    const all = told([10, "jane"], [20, "tom"])
    assert.deepStrictEqual(
      [0, 19, 20, 99].map((at) => ownerAt(all, at)),
      ["jane", "jane", "tom", "tom"],
    )
  })

  it("the first person may come back", () => {
    assert.deepStrictEqual(tenures(told([10, "jane"], [20, "tom"], [30, "jane"])), [
      { visitorId: "jane", from: null, until: 20 },
      { visitorId: "tom", from: 20, until: 30 },
      { visitorId: "jane", from: 30, until: null },
    ])
  })

  it("a late word between two of one person leaves them the time after the later one", () => {
    const all = told([10, "jane"], [30, "jane"], [20, "tom"])
    assert.deepStrictEqual(
      [15, 25, 35].map((at) => ownerAt(all, at)),
      ["jane", "tom", "jane"],
    )
  })

  it("of a row of one person the first and the last are kept", () => {
    assert.deepStrictEqual(told([1, "jane"], [2, "jane"], [3, "jane"], [4, "jane"]), [
      [1, "jane"],
      [4, "jane"],
    ])
  })

  it("keeps at most 50, the first and the latest among them", () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, at): [number, string] => [at, `p${at}`])
    assert.lengthOf(told(...words(identificationsMax)), identificationsMax)
    const all = told(...words(identificationsMax + 1))
    assert.lengthOf(all, identificationsMax)
    assert.deepStrictEqual(
      [all[0], all[1], all.at(-1)],
      [
        [0, "p0"],
        [2, "p2"],
        [identificationsMax, `p${identificationsMax}`],
      ],
    )
  })

  it("identified in order of time, each moment belongs to the person identified last before it", () => {
    const words = fc
      .array(fc.tuple(fc.nat(100), fc.constantFrom("a", "b", "c")), { minLength: 1, maxLength: 20 })
      .map((all) => all.toSorted(([one], [two]) => one - two))
    fc.assert(
      fc.property(words, fc.nat(110), (all, at) => {
        const expected = all.findLast(([from]) => from <= at) ?? all[0]
        assert.strictEqual(ownerAt(told(...all), at), expected?.[1])
        const tenure = tenures(told(...all)).find(
          ({ from, until }) => (from ?? -1) <= at && at < (until ?? Infinity),
        )
        assert.strictEqual(tenure?.visitorId, expected?.[1])
      }),
    )
  })
})

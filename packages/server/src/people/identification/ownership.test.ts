// Who had a browser at each moment (spec 2.1, "Two addresses identified in one browser").
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type Identifications,
  identificationsMax,
  identified,
  ownerAt,
  tenures,
} from "./ownership.ts"

const history = (...words: ReadonlyArray<readonly [number, string]>): Identifications =>
  words.reduce<Identifications>((all, [at, visitor]) => identified(all, at, visitor), [])

describe("ownership", () => {
  it("belongs to no one before anyone was identified", () => {
    assert.isNull(ownerAt([], 5))
    assert.deepStrictEqual(tenures([]), [])
  })

  it("everything before the first identification belongs to the first person", () => {
    assert.strictEqual(ownerAt(history([10, "jane"]), 0), "jane")
  })

  it("from the second identification on it belongs to the second, not a millisecond before", () => {
    const all = history([10, "jane"], [20, "tom"])
    assert.deepStrictEqual(
      [0, 19, 20, 99].map((at) => ownerAt(all, at)),
      ["jane", "jane", "tom", "tom"],
    )
  })

  it("the first person can return", () => {
    assert.deepStrictEqual(tenures(history([10, "jane"], [20, "tom"], [30, "jane"])), [
      { visitorId: "jane", from: null, until: 20 },
      { visitorId: "tom", from: 20, until: 30 },
      { visitorId: "jane", from: 30, until: null },
    ])
  })

  it("a late identification between two of another person leaves that person the time after the later one", () => {
    const all = history([10, "jane"], [30, "jane"], [20, "tom"])
    assert.deepStrictEqual(
      [15, 25, 35].map((at) => ownerAt(all, at)),
      ["jane", "tom", "jane"],
    )
  })

  it("of consecutive identifications of one person, the first and the last are kept", () => {
    assert.deepStrictEqual(history([1, "jane"], [2, "jane"], [3, "jane"], [4, "jane"]), [
      [1, "jane"],
      [4, "jane"],
    ])
  })

  it("keeps at most 50, the first and the latest among them", () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, at): [number, string] => [at, `p${at}`])
    assert.lengthOf(history(...words(identificationsMax)), identificationsMax)
    const all = history(...words(identificationsMax + 1))
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
        assert.strictEqual(ownerAt(history(...all), at), expected?.[1])
        const tenure = tenures(history(...all)).find(
          ({ from, until }) => (from ?? -1) <= at && at < (until ?? Infinity),
        )
        assert.strictEqual(tenure?.visitorId, expected?.[1])
      }),
    )
  })
})

import * as fc from "fast-check"
import { expect, it } from "vitest"
import { distinctHashes } from "./person-register.ts"
import { hashWords, SignalColumns } from "./signal-columns.ts"

it("the hashes of some rows are each named once, in the order of their bytes", () => {
  const word = fc.constantFrom("00000000", "00000001", "7fffffff", "80000000", "ffffffff")
  const hash = fc
    .tuple(word, fc.integer({ min: 1, max: hashWords - 1 }), word)
    .map(([first, place, other]) =>
      Array.from({ length: hashWords }, (_, at) =>
        at === 0 ? first : at === place ? other : "00000000",
      ).join(""),
    )
  fc.assert(
    fc.property(fc.array(fc.tuple(hash, fc.boolean()), { maxLength: 200 }), (said) => {
      const columns = new SignalColumns()
      const signal = { topicId: 1, score: 1, date: 0, number: 1 }
      for (const [emailHash] of said) columns.add({ ...signal, emailHash })
      const asked = said.flatMap(([, isAsked], row) => (isAsked ? [row] : []))
      const hashOf = (row: number) => said[row]![0]

      const { places, rows } = distinctHashes(columns.hashes, Int32Array.from(asked))

      expect(Array.from(rows, hashOf)).toEqual([...new Set(asked.map(hashOf))].toSorted())
      expect([...places].map((place) => hashOf(rows[place]!))).toEqual(asked.map(hashOf))
    }),
  )
})

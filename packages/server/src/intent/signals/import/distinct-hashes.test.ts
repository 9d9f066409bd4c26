import * as fc from "fast-check"
import { expect, it } from "vitest"
import { distinctHashes } from "./person-register.ts"
import { hashWords, SignalColumns } from "./signal-columns.ts"

it("the distinct hashes of some rows are listed once each, in the order of their bytes", () => {
  const word = fc.constantFrom("00000000", "00000001", "7fffffff", "80000000", "ffffffff")
  const hash = fc
    .tuple(word, fc.integer({ min: 1, max: hashWords - 1 }), word)
    .map(([first, place, other]) =>
      Array.from({ length: hashWords }, (_, at) =>
        at === 0 ? first : at === place ? other : "00000000",
      ).join(""),
    )
  fc.assert(
    fc.property(fc.array(fc.tuple(hash, fc.boolean()), { maxLength: 200 }), (entries) => {
      const columns = new SignalColumns()
      const signal = { topicId: 1, score: 1, date: 0, number: 1 }
      for (const [emailHash] of entries) columns.add({ ...signal, emailHash })
      const selected = entries.flatMap(([, isSelected], row) => (isSelected ? [row] : []))
      const hashOf = (row: number) => entries[row]![0]

      const { places, rows } = distinctHashes(columns.hashes, Int32Array.from(selected))

      expect(Array.from(rows, hashOf)).toEqual([...new Set(selected.map(hashOf))].toSorted())
      expect([...places].map((place) => hashOf(rows[place]!))).toEqual(selected.map(hashOf))
    }),
  )
})

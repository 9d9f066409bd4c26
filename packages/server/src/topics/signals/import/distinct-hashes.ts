// The hashes that some rows have between them, each once and ascending: what is asked and written in the
// order of an index finds its pages in memory.
import { columnsMax, hashWords } from "./signal-columns.ts"

export interface DistinctHashes {
  /** One row of each hash, by ascending hash. */
  readonly rows: ReadonlyArray<number>
  /** At which of these the hash of each given row is, in the order given. */
  readonly places: Int32Array
}

/** `rows`: at most as many as one step has. */
export const distinctHashes = (hashes: Int32Array, rows: ReadonlyArray<number>): DistinctHashes => {
  const distinct: Array<number> = []
  const places = new Int32Array(rows.length)
  for (const index of ascending(hashes, rows)) {
    const row = rows[index]!
    const last = distinct.at(-1)
    if (last === undefined || compare(hashes, last, row) !== 0) distinct.push(row)
    places[index] = distinct.length - 1
  }
  return { rows: distinct, places }
}

/** Places in `rows` by ascending hash. */
const ascending = (hashes: Int32Array, rows: ReadonlyArray<number>): Uint32Array => {
  // One number each: the first word of the hash above, the place below.
  const keys = Float64Array.from(
    rows,
    (row, index) => (hashes[row * hashWords]! >>> 0) * columnsMax + index,
  ).sort()
  const indexes = Uint32Array.from(keys, (key) => key % columnsMax)
  const wordOf = (at: number) => hashes[rows[indexes[at]!]! * hashWords]
  for (let from = 0, to = 0; from < indexes.length; from = to) {
    while (to < indexes.length && wordOf(to) === wordOf(from)) to++
    if (to - from === 1) continue
    indexes.subarray(from, to).sort((one, other) => compare(hashes, rows[one]!, rows[other]!))
  }
  return indexes
}

/** As Postgres compares them: by their bytes. */
const compare = (hashes: Int32Array, one: number, other: number): number => {
  for (let word = 0; word < hashWords; word++) {
    const a = hashes[one * hashWords + word]! >>> 0
    const b = hashes[other * hashWords + word]! >>> 0
    if (a !== b) return a - b
  }
  return 0
}

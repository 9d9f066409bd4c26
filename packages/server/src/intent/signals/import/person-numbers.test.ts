import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PersonNumbers } from "./person-numbers.ts"
import { hashWords } from "./signal-columns.ts"

/** Hashes that differ in one word only. SHA-256 never produces these, but an attacker could send them. */
const hashes = (words: ReadonlyArray<readonly [place: number, value: number]>): Int32Array => {
  const all = new Int32Array(words.length * hashWords)
  words.forEach(([place, value], row) => (all[row * hashWords + place] = value))
  return all
}

describe("numbers of people", () => {
  it("are the ones set last, or unknown", () => {
    const word = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: -3, max: 300 }))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 300 }), (words) => {
        const all = hashes(words)
        const numbers = new PersonNumbers()
        const expected = new Map<string, number>()
        const textOf = (row: number) => all.slice(row * hashWords, (row + 1) * hashWords).join()
        words.forEach((_, row) => {
          numbers.set(all, row, row + 1)
          expected.set(textOf(row), row + 1)
        })
        words.forEach((_, row) => {
          const number = numbers.get(all, row)
          if (number !== 0) expect(number).toBe(expected.get(textOf(row)))
        })
        expect(numbers.get(all, words.length - 1)).toBe(words.length)
      }),
    )
  })

  it("are kept when the table grows", () => {
    const count = 20_000
    const all = Int32Array.from({ length: count * hashWords }, (_, word) =>
      Math.imul(word + 1, 0x9e3779b1),
    )
    const numbers = new PersonNumbers()
    for (let row = 0; row < count; row++) numbers.set(all, row, row + 1)
    const known = Array.from({ length: count }, (_, row) => numbers.get(all, row))

    expect(known.filter((number) => number !== 0).length).toBeGreaterThan(count * 0.99)
    expect(known.every((number, row) => number === 0 || number === row + 1)).toBe(true)
  })

  it("are forgotten", () => {
    const all = hashes([[0, 5]])
    const numbers = new PersonNumbers()
    numbers.set(all, 0, 9)
    numbers.forget()
    expect(numbers.get(all, 0)).toBe(0)
  })
})

// Sentences on a screen: lines start and end with words, and take the expected number of lines.

import fc from "fast-check"
import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { textWidth } from "./column-widths.ts"
import { drawn } from "./drawn.ts"
import { Facts } from "./facts.tsx"
import { Prose, proseLines } from "./prose.tsx"

const lines = (sentence: string, columns: number): ReadonlyArray<string> =>
  stripVTControlCharacters(drawn(Prose, { children: sentence }, columns))
    .trimEnd()
    .split("\n")

test("a line neither starts nor ends with a space, and a dot stays with the word before it", () => {
  expect(lines("visits 0 · runs 0 · ready mails 0", 20)).toEqual([
    "visits 0 · runs 0 ·",
    "ready mails 0",
  ])
})

test("a long value wraps within its column", () => {
  const text = drawn(Facts, { facts: [["Revenue", "250 million to 500 million"]] }, 26)

  expect(stripVTControlCharacters(text)).toBe("Revenue  250 million to\n         500 million\n")
})

test("a word longer than the line is broken without losing text", () => {
  const shown = lines(`hash ${"0123456789abcdef".repeat(4)}`, 40)

  expect(shown.join("").replaceAll(" ", "")).toBe(`hash${"0123456789abcdef".repeat(4)}`)
  expect(Math.max(...shown.map(textWidth))).toBeLessThanOrEqual(40)
})

test("takes as many lines as proseLines counts", () => {
  const word = fc.stringMatching(/^[a-z0-9,.]{1,12}$/)
  const words = fc.array(fc.oneof(word, fc.constant("·")), { minLength: 1, maxLength: 20 })

  fc.assert(
    fc.property(words, fc.integer({ min: 30, max: 80 }), (given, columns) => {
      const sentence = `a ${given.join(" ")}`

      expect(lines(sentence, columns)).toHaveLength(proseLines(sentence, columns))
    }),
    { numRuns: 60 },
  )
})

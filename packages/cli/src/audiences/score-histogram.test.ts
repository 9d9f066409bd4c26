// Scores in buckets of five.

import fc from "fast-check"
import { expect, test } from "vitest"
import { scoreHistogram } from "./words.ts"

const onePersonEach = (scores: ReadonlyArray<number>) =>
  scores.map((score) => ({ score, people: 1 }))

test("buckets go from the highest score to the lowest, empty ones included", () => {
  expect(scoreHistogram(onePersonEach([100, 99, 95, 94, 81]))).toEqual([
    { from: 95, to: 100, count: 3 },
    { from: 90, to: 94, count: 1 },
    { from: 85, to: 89, count: 0 },
    { from: 80, to: 84, count: 1 },
  ])
})

test("several people have one score", () => {
  expect(
    scoreHistogram([
      { score: 90, people: 3 },
      { score: 92, people: 2 },
    ]),
  ).toEqual([{ from: 90, to: 94, count: 5 }])
})

test("without scores there is no histogram", () => {
  expect(scoreHistogram([])).toEqual([])
})

test("every score is in one bucket", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1 }), (scores) => {
      const buckets = scoreHistogram(onePersonEach(scores))

      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(scores.length)
      for (const { from, to, count } of buckets) {
        expect(scores.filter((score) => score >= from && score <= to)).toHaveLength(count)
      }
    }),
  )
})

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Predicate } from "../visitors/query/predicate.ts"
import { defaultScore } from "./default-score.ts"
import { companyScoreOf, countedEntries, heldOf, type ScoreConfig, scoreOf } from "./score.ts"

const rule: Predicate = { field: "behavior.sessions", op: "gte", value: 1 }
const points = fc.integer({ min: -100, max: 100 })
const config: fc.Arbitrary<ScoreConfig> = fc.record({
  fit: fc.array(
    points.map((each) => ({ name: "fit", rule, points: each })),
    { maxLength: 12 },
  ),
  interest: fc.array(
    fc.record({
      name: fc.constant("interest"),
      rule: fc.constant(rule),
      points,
      halfLifeDays: fc.double({ min: 1, max: 365, noNaN: true }),
    }),
    { maxLength: 13 },
  ),
  weights: fc.record({
    fit: fc.double({ min: 0, max: 1, noNaN: true }),
    interest: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  threshold: fc.integer({ min: 1, max: 100 }),
})
const held = fc.record({ fit: fc.nat(2 ** 25 - 1), interest: fc.nat(2 ** 25 - 1) })
const days = fc.double({ min: 0, max: 90, noNaN: true })

const one = (each: number, halfLifeDays: number): ScoreConfig => ({
  ...defaultScore,
  fit: [],
  interest: [{ name: "Visited", rule, points: each, halfLifeDays }],
})
const interestAfter = (each: number, halfLifeDays: number, after: number) =>
  scoreOf(one(each, halfLifeDays), { fit: 0, interest: 1 }, after).interest

describe("a score", () => {
  it("is whole and from 0 to 100 in all its parts, whatever the points", () => {
    fc.assert(
      fc.property(config, held, days, (settings, which, after) => {
        const { fit, hot, interest, total } = scoreOf(settings, which, after)
        for (const part of [fit, interest, total]) {
          expect(Number.isInteger(part) && part >= 0 && part <= 100).toBe(true)
          expect(Object.is(part, -0)).toBe(false)
        }
        expect(hot).toBe(total >= settings.threshold)
      }),
    )
  })

  it("has fit and interest that are the clamped sums of the entries that explain it", () => {
    fc.assert(
      fc.property(config, held, days, (settings, which, after) => {
        const score = scoreOf(settings, which, after)
        const entries = countedEntries(settings, which.fit, [
          { held: which.interest, days: after, seenMs: 0 },
        ])
        for (const part of ["fit", "interest"] as const) {
          const sum = entries
            .filter((entry) => entry.part === part)
            .reduce((all, entry) => all + entry.points, 0)
          expect(score[part]).toBe(Math.min(100, Math.max(0, sum)))
        }
        expect(entries.every((entry) => entry.points !== 0)).toBe(true)
      }),
    )
  })

  it("halves its interest with every half-life, in fractions of days", () => {
    expect(interestAfter(80, 14, 0)).toBe(80)
    expect(interestAfter(80, 14, 14)).toBe(40)
    expect(interestAfter(80, 14, 7)).toBe(57)
    expect(interestAfter(80, 14, 0.5)).toBe(78)
    expect(interestAfter(80, 14, 140)).toBe(0)
  })

  it("never gains interest while no one visits, if no points are negative", () => {
    fc.assert(
      fc.property(config, held, days, days, (settings, which, one, other) => {
        const positive = {
          ...settings,
          interest: settings.interest.filter((entry) => entry.points > 0),
        }
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)]
        expect(scoreOf(positive, which, later).interest).toBeLessThanOrEqual(
          scoreOf(positive, which, sooner).interest,
        )
      }),
    )
  })

  it("weighs fit and interest", () => {
    const settings = {
      ...one(50, 14),
      fit: [{ name: "Right", rule, points: 90 }],
      weights: { fit: 0.2, interest: 0.7 },
    }
    expect(scoreOf(settings, { fit: 1, interest: 1 }, 0)).toMatchObject({
      fit: 90,
      interest: 50,
      total: 53,
    })
  })

  it("counts exactly the entries that hold, up to the 25th", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), (each) => {
        const fit = each.map((_, entry) => ({ name: String(entry), rule, points: 1 }))
        const settings = { ...defaultScore, fit, interest: [] }
        const entries = countedEntries(settings, heldOf(each), [])
        expect(entries.map(({ entry }) => Number(entry.name))).toEqual(
          each.flatMap((isHeld, entry) => (isHeld ? [entry] : [])),
        )
      }),
    )
  })
})

describe("the score of a company", () => {
  it("adds at most 40 for each of its people, and clamps the sum", () => {
    expect(companyScoreOf(defaultScore, 0, [90, 10])).toMatchObject({ interest: 50 })
    expect(companyScoreOf(defaultScore, 0, [90, 90, 90])).toMatchObject({ interest: 100 })
    expect(companyScoreOf(defaultScore, 0, [])).toMatchObject({ interest: 0, total: 0 })
  })

  it("keeps how far its interest is above 100, which orders those with the same score", () => {
    expect(companyScoreOf(defaultScore, 0, [90, 90])).toMatchObject({ interest: 80, surplus: 0 })
    expect(companyScoreOf(defaultScore, 0, [90, 90, 90])).toMatchObject({ surplus: 20 })
    expect(companyScoreOf(defaultScore, 0, Array(101).fill(100))).toMatchObject({ surplus: 3940 })
  })
})

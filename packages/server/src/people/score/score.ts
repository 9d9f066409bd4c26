// How a score follows from its settings and from which entries hold (spec 2.23). Pure.
import { predicatesMax } from "../visitors/query/rule.ts"
import type { RuleNode } from "../visitors/query/rule.ts"

/** Maximum entries of both parts together. */ // spec 10.3
export const entriesMax = 25
/** Maximum predicates of all entries together. */ // spec 10.3
export const predicatesOfAllMax = 2 * predicatesMax
/** The most that one person's interest adds to that of their company. */ // spec 2.23
const interestInCompanyMax = 40

export interface FitEntry {
  readonly name: string
  readonly rule: RuleNode
  /** -100 to 100. */
  readonly points: number
}

export interface InterestEntry extends FitEntry {
  /** Days after the last visit in which the points halve. */
  readonly halfLifeDays: number
}

export interface ScoreConfig {
  readonly fit: ReadonlyArray<FitEntry>
  readonly interest: ReadonlyArray<InterestEntry>
  /** 0 to 1 each. */
  readonly weights: { readonly fit: number; readonly interest: number }
  /** Who has at least this total is hot. */
  readonly threshold: number
}

/** Which entries hold: bit n is entry n of the part. */
export interface Held {
  readonly fit: number
  readonly interest: number
}

/** Interest as it was computed: of a person, or of everyone unknown at a company. */
export interface HeldInterest {
  readonly held: number
  /** Since the last visit, with fractions, when it was computed. */
  readonly days: number
  /** The last visit. Milliseconds since 1970, with fractions. */
  readonly seenMs: number
}

/** An entry that counted. */
export interface CountedEntry {
  readonly part: "fit" | "interest"
  readonly entry: FitEntry
  readonly points: number
  /** The last visit of anyone for whom it holds, in milliseconds since 1970; null for fit. */
  readonly seenMs: number | null
}

export interface Score {
  readonly total: number
  readonly fit: number
  readonly interest: number
  readonly hot: boolean
}

export const holds = (held: number, entry: number): boolean => (held & (1 << entry)) !== 0

export const heldOf = (each: ReadonlyArray<boolean>): number =>
  each.reduce((held, isHeld, entry) => (isHeld ? held | (1 << entry) : held), 0)

/**
 * Every entry that holds and adds something, in the order of the settings. Of several interests, an entry has the sum of
 * their points.
 */
export const countedEntries = (
  { fit, interest }: ScoreConfig,
  fitHeld: number,
  interests: ReadonlyArray<HeldInterest>,
): ReadonlyArray<CountedEntry> => {
  const ofFit = fit
    .filter((_, index) => holds(fitHeld, index))
    .map((entry) => ({ part: "fit" as const, entry, points: entry.points, seenMs: null }))
  const ofInterest = interest.flatMap((entry, index) => {
    const holding = interests.filter(({ held }) => holds(held, index))
    if (holding.length === 0) return []
    const points = holding.reduce((sum, { days }) => sum + decayed(entry, days), 0)
    const seenMs = Math.max(...holding.map((each) => each.seenMs))
    return [{ part: "interest" as const, entry, points, seenMs }]
  })
  return [...ofFit, ...ofInterest].filter(({ points }) => points !== 0)
}

const decayed = ({ halfLifeDays, points }: InterestEntry, days: number): number =>
  rounded(points * 2 ** (-Math.max(0, days) / halfLifeDays))

/** The score of a person. */
export const scoreOf = (config: ScoreConfig, held: Held, daysSinceVisit: number): Score => {
  const counted = countedEntries(config, held.fit, [
    { held: held.interest, days: daysSinceVisit, seenMs: 0 },
  ])
  const sum = (part: CountedEntry["part"]) =>
    counted.reduce((all, entry) => (entry.part === part ? all + entry.points : all), 0)
  return totalOf(config, sum("fit"), sum("interest"))
}

export interface CompanyScore extends Score {
  /** How far the sum of its interest is above 100: the order of companies with the same total. */ // spec 1.6.14
  readonly surplus: number
}

/** The score of a company. `interests`: of each of its people, and of its anonymous sessions together. */
export const companyScoreOf = (
  config: ScoreConfig,
  fitHeld: number,
  interests: ReadonlyArray<number>,
): CompanyScore => {
  const { fit } = scoreOf(config, { fit: fitHeld, interest: 0 }, 0)
  const sum = interests.reduce((all, each) => all + Math.min(each, interestInCompanyMax), 0)
  return { ...totalOf(config, fit, sum), surplus: Math.max(0, sum - 100) }
}

const totalOf = (
  { threshold, weights }: ScoreConfig,
  fitSum: number,
  interestSum: number,
): Score => {
  const fit = clamped(fitSum)
  const interest = clamped(interestSum)
  const total = clamped(rounded(weights.fit * fit + weights.interest * interest))
  return { total, fit, interest, hot: total >= threshold }
}

const clamped = (sum: number): number => Math.min(100, Math.max(0, sum))

/** Halves up; never -0. */
const rounded = (value: number): number => Math.round(value) + 0

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

/** An entry that counted. */
export interface CountedEntry {
  readonly part: "fit" | "interest"
  readonly name: string
  readonly points: number
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

/** Every entry that holds and adds something, in the order of the settings. */
export const countedEntries = (
  { fit, interest }: ScoreConfig,
  held: Held,
  daysSinceVisit: number,
): ReadonlyArray<CountedEntry> =>
  [
    ...fit
      .filter((_, entry) => holds(held.fit, entry))
      .map(({ name, points }) => ({ part: "fit" as const, name, points })),
    ...interest
      .filter((_, entry) => holds(held.interest, entry))
      .map((entry) => ({
        part: "interest" as const,
        name: entry.name,
        points: decayed(entry, daysSinceVisit),
      })),
  ].filter(({ points }) => points !== 0)

const decayed = ({ halfLifeDays, points }: InterestEntry, days: number): number =>
  rounded(points * 2 ** (-Math.max(0, days) / halfLifeDays))

/** The score of a person. */
export const scoreOf = (config: ScoreConfig, held: Held, daysSinceVisit: number): Score => {
  const counted = countedEntries(config, held, daysSinceVisit)
  const sum = (part: CountedEntry["part"]) =>
    counted.reduce((all, entry) => (entry.part === part ? all + entry.points : all), 0)
  return totalOf(config, sum("fit"), sum("interest"))
}

/** The score of a company. `interests`: of each of its people, and of its anonymous sessions together. */
export const companyScoreOf = (
  config: ScoreConfig,
  fitHeld: number,
  interests: ReadonlyArray<number>,
): Score => {
  const { fit } = scoreOf(config, { fit: fitHeld, interest: 0 }, 0)
  const capped = interests.map((interest) => Math.min(interest, interestInCompanyMax))
  return totalOf(
    config,
    fit,
    capped.reduce((all, interest) => all + interest, 0),
  )
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

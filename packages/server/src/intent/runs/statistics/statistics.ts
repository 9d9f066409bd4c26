// A run's statistics (spec 2.12). They are computed from tallies: integers stored with the run, from which an erased
// person's share can be subtracted.
import { Schema } from "effect"

/** Paths of a result row, in the order of an answer. */ // spec 12.10
export const fillPaths = [
  "businessEmail",
  "personalEmail",
  "firstName",
  "lastName",
  "fullName",
  "email",
  "primaryContactEmail",
  "emailStatus",
  "phone",
  "linkedinUrl",
  "headline",
  "jobTitle",
  "seniority",
  "department",
  "company.name",
  "company.domain",
  "company.industry",
  "company.industryGroup",
  "company.revenueRange",
  "company.size",
  "company.linkedinUrl",
  "geo.city",
  "geo.state",
  "geo.country",
  "demographics.ageRange",
  "demographics.gender",
  "isB2b",
] as const
export type FillPath = (typeof fillPaths)[number]

/** Least and most score of each. */ // spec 2.12
export const scoreBuckets = {
  "50-69": [50, 69],
  "70-89": [70, 89],
  // The last bucket includes 100. spec 2.12.
  "90-99": [90, 100],
} as const
export type ScoreBucket = keyof typeof scoreBuckets

/** The people who have a value, the people in each bucket, and sums over all people. */
export type Tallies = Readonly<
  Record<FillPath | ScoreBucket | "intent.score" | "intent.topicOverlap", number>
>

const share = { count: Schema.Int, percent: Schema.Finite }
const Share = Schema.Struct(share)

export class RunStatistics extends Schema.Opaque<RunStatistics>()(
  Schema.Struct({
    total: Schema.Int,
    fillRates: Schema.Struct(
      // The keys are those of the list.
      Object.fromEntries(fillPaths.map((path) => [path, Share])) as Record<FillPath, typeof Share>,
    ),
    scoreHistogram: Schema.Array(
      Schema.Struct({ bucket: Schema.Literals(["50-69", "70-89", "90-99"]), ...share }),
    ),
    averages: Schema.Struct({
      score: Schema.NullOr(Schema.Finite),
      topicOverlap: Schema.NullOr(Schema.Finite),
    }),
  }).annotate({ identifier: "RunStatistics" }),
) {}

/** `hasScores`: false for an audience without topics. */
export const statisticsOf = (
  total: number,
  tallies: Tallies,
  hasScores: boolean,
): RunStatistics => {
  const shareOf = (count: number) => ({ count, percent: average(100 * count, total) ?? 0 })
  const scored = hasScores ? total : 0
  return {
    total,
    // The keys are those of the list.
    fillRates: Object.fromEntries(
      fillPaths.map((path) => [path, shareOf(tallies[path])]),
    ) as RunStatistics["fillRates"],
    scoreHistogram: (hasScores
      ? (Object.keys(scoreBuckets) as ReadonlyArray<ScoreBucket>)
      : []
    ).map((bucket) => ({ bucket, ...shareOf(tallies[bucket]) })),
    averages: {
      score: average(tallies["intent.score"], scored),
      topicOverlap: average(tallies["intent.topicOverlap"], scored),
    },
  }
}

/**
 * With two decimals, rounding half away from zero. The inputs are non-negative integers and the quotient of a half is
 * exact. Null without people.
 */
const average = (sum: number, total: number): number | null =>
  total === 0 ? null : Math.round((100 * sum) / total) / 100

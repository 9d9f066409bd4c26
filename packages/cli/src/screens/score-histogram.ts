// How the scores of a sample lie. Pure.

/** Scores from one to another, both included, and how many there are. */
export interface ScoreBucket {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Scores of one bucket. */
const BUCKET_WIDTH = 5

/** Source: spec 2.8. */
const SCORE_MAX = 100

/**
 * Buckets of five scores, the highest first, from the highest score that occurs to the lowest. The
 * score 100 belongs to the bucket below it.
 */
export const scoreHistogram = (scores: ReadonlyArray<number>): ReadonlyArray<ScoreBucket> => {
  if (scores.length === 0) return []
  const bucketOf = (score: number): number =>
    Math.floor(Math.min(score, SCORE_MAX - 1) / BUCKET_WIDTH)
  const buckets = scores.map(bucketOf)
  const highest = Math.max(...buckets)
  return Array.from({ length: highest - Math.min(...buckets) + 1 }, (_, index) => {
    const bucket = highest - index
    const from = bucket * BUCKET_WIDTH
    const isLast = from + BUCKET_WIDTH === SCORE_MAX
    return {
      from,
      to: isLast ? SCORE_MAX : from + BUCKET_WIDTH - 1,
      count: buckets.filter((each) => each === bucket).length,
    }
  })
}

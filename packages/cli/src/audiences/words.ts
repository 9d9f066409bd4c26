// Audiences as text: their status, their configuration, and how scores are spread. Pure.

import type {
  Audience,
  AudienceConfigParams,
  AudienceFilter,
  AudienceScoreCount,
} from "@footfall/sdk"
import type { Fact } from "../ui/facts.tsx"

/** Source: spec 2.8. */
const MIN_SCORE_DEFAULT = 70

const MAX_SCORE_DEFAULT = 100

/** What each filter is called. */
export const filterWords: Readonly<Record<AudienceFilter, string>> = {
  companyIndustry: "Industry",
  seniority: "Seniority",
  companySize: "Company size",
  department: "Department",
  state: "State",
  companyRevenueRange: "Revenue",
  ageRange: "Age",
  gender: "Gender",
  isB2b: "B2B",
  jobTitle: "Job title",
  hasBusinessEmail: "Business email",
  hasPersonalEmail: "Personal email",
  hasLinkedin: "LinkedIn",
  hasPhone: "Phone",
  companyDomain: "Company domain",
  companyName: "Company name",
}

/** `active once` without a slot: for one run. */
export const audienceStatusText = ({
  accessType,
  status,
}: Pick<Audience, "accessType" | "status">): string =>
  status === "active" && accessType === "one_shot" ? "active once" : status

/** When an audience runs by itself: one without topics depends on no data of intent. */
export const runDays = ({ topicIds }: Audience["config"]): string =>
  topicIds.length === 0 ? "every day" : "for every new day of data"

/** What a configuration names by id, as far as it is known. */
export interface AudienceNames {
  readonly segment?: string | undefined
  readonly topics: ReadonlyMap<number, string>
}

/** Segment, topics, scores, overlap and the filters that are set, a line each. */
export const audienceFacts = (
  config: AudienceConfigParams,
  { segment, topics: names }: AudienceNames,
): ReadonlyArray<Fact> => {
  const {
    segmentId = null,
    topicIds = [],
    minScore,
    maxScore,
    minTopicOverlap = 1,
    filters,
  } = config
  const topics = topicIds.map((topicId) => {
    const name = names.get(topicId)
    return name === undefined ? `${topicId}` : `${name} (${topicId})`
  })
  const ofTopics: ReadonlyArray<Fact> = [
    [topics.length === 1 ? "Topic" : "Topics", topics.join(", ")],
    ["Score", `${minScore ?? MIN_SCORE_DEFAULT} to ${maxScore ?? MAX_SCORE_DEFAULT}`],
    ["Overlap", topics.length === 1 ? null : overlapText(minTopicOverlap, topics.length)],
  ]
  return [
    ["Segment", segment ?? segmentId],
    ...(topics.length === 0 ? [] : ofTopics),
    ...Object.entries(filters ?? {}).map(([name, value]): Fact => [wordOf(name), valueText(value)]),
  ]
}

export const overlapText = (overlap: number, topics: number): string =>
  overlap === topics ? `all ${topics} topics` : `at least ${overlap} of the ${topics} topics`

/** A newer server may have more filters. */
export const wordOf = (name: string): string =>
  new Map(Object.entries(filterWords)).get(name) ?? name

export const valueText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === "boolean") return value ? "must have one" : "must not have one"
  return Array.isArray(value) ? value.join(" or ") : String(value)
}

/** Scores from one value to another, inclusive, and their number. */
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
 * Buckets of five scores, highest first, from the highest score to the lowest. A score of 100 belongs to the bucket
 * below it.
 */
export const scoreHistogram = (
  scores: ReadonlyArray<AudienceScoreCount>,
): ReadonlyArray<ScoreBucket> => {
  if (scores.length === 0) return []
  const bucketOf = ({ score }: AudienceScoreCount): number =>
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
      count: scores.reduce(
        (total, each) => total + (bucketOf(each) === bucket ? each.people : 0),
        0,
      ),
    }
  })
}

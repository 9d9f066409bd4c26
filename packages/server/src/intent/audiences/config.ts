// An audience's configuration as a value: a segment, topics, scores, overlap and filters in normal form, and a hash that
// two configurations share exactly if they select the same people (spec 2.8, 2.9, 2.11).
import { foldCase } from "../../platform/database/case-folding.ts"
import { canonicalHash } from "../../platform/http/canonical.ts"
import type { Issue } from "../../platform/http/issues.ts"
import type { DataDate } from "../signals/signals.ts"
import { normalizeRegion } from "../../people/person/region.ts"

// spec 2.8
export const topicsMax = 10
export const scoreMin = 1
export const scoreMax = 100
const minScoreDefault = 70
const minTopicOverlapDefault = 1

/** Contains only active filters: no empty list and no empty text. */
export interface AudienceFilters {
  readonly companyIndustry?: ReadonlyArray<string>
  readonly seniority?: ReadonlyArray<string>
  readonly companySize?: ReadonlyArray<CompanySize>
  readonly department?: ReadonlyArray<string>
  readonly state?: string
  readonly companyRevenueRange?: ReadonlyArray<string>
  readonly ageRange?: ReadonlyArray<string>
  readonly gender?: string
  readonly isB2b?: string
  readonly jobTitle?: string
  readonly companyDomain?: string
  readonly companyName?: string
  readonly hasBusinessEmail?: boolean
  readonly hasPersonalEmail?: boolean
  readonly hasLinkedin?: boolean
  readonly hasPhone?: boolean
}

/** Filter lists are sorted and deduplicated; text is as typed; US states are postal codes. */
export interface AudienceConfig {
  /** A segment of people; left out without one. */
  readonly segmentId?: string
  /** As submitted, deduplicated. Empty for everyone in the segment. */
  readonly topicIds: ReadonlyArray<number>
  readonly minScore: number
  readonly maxScore: number
  readonly minTopicOverlap: number
  readonly filters: AudienceFilters
}

/** The date of the data that decides: of the signals, or today for a segment alone. */ // spec 2.8
export const basisOf = (config: Pick<AudienceConfig, "topicIds">, dataDate: DataDate): DataDate =>
  hasTopics(config) ? dataDate : { ...dataDate, date: dataDate.today, hasSignals: true }

type Nullable<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null }

/** As submitted: closed values in canonical spelling, everything else trimmed. */
export interface GivenConfig {
  readonly segmentId?: string | null
  readonly topicIds?: ReadonlyArray<number>
  readonly minScore?: number
  readonly maxScore?: number
  readonly minTopicOverlap?: number
  readonly filters?: Nullable<AudienceFilters> | null
}

/**
 * Scores and overlap are those of topics, so without topics they have their defaults.
 *
 * *Guarantee*: normalizing twice equals normalizing once.
 */
export const normalizeConfig = (given: GivenConfig): AudienceConfig => {
  const { segmentId = null } = given
  const topicIds = [...new Set(given.topicIds)]
  const { maxScore, minScore, minTopicOverlap } = topicIds.length > 0 ? given : {}
  return {
    ...(segmentId === null ? {} : { segmentId: segmentId.toLowerCase() }),
    topicIds,
    minScore: minScore ?? minScoreDefault,
    maxScore: maxScore ?? scoreMax,
    minTopicOverlap: minTopicOverlap ?? minTopicOverlapDefault,
    filters: normalizeFilters(given.filters ?? {}),
  }
}

/** Whether topics decide who is in the audience, and people have scores. */
export const hasTopics = ({ topicIds }: Pick<AudienceConfig, "topicIds">): boolean =>
  topicIds.length > 0

const normalizeFilters = (given: Nullable<AudienceFilters>): AudienceFilters =>
  Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, normalValue(name, value)] as const)
      .filter(([, value]) => value !== null && value !== "" && !isEmptyList(value))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

type FilterValue = string | boolean | ReadonlyArray<string> | null

const normalValue = (name: string, value: FilterValue): FilterValue => {
  if (typeof value === "string") return normalText(name, value)
  if (!Array.isArray(value)) return value
  const items = (value as ReadonlyArray<string>).map((item) => normalText(name, item))
  return [...new Set(items)].filter((item) => item !== "").toSorted(byCodeUnits)
}

/** Commas in these filters separate alternatives. spec 2.9. */
const listed: ReadonlySet<string> = new Set(["jobTitle", "companyName"])

const normalText = (name: string, text: string): string => {
  const typed = text.trim()
  if (name === "state") return normalizeRegion(typed, undefined)
  // Imports lower-case industries by Node's rules.
  if (name === "companyIndustry") return typed.toLowerCase()
  return listed.has(name) && /^[\s,]*$/.test(typed) ? "" : typed
}

const isEmptyList = (value: FilterValue): boolean => Array.isArray(value) && value.length === 0

/** The order of RFC 8785, independent of the locale. */
const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1)

/** The form that is hashed: topics ascending, texts as they are compared. */ // spec 2.11
export const hashedForm = ({ filters, topicIds, ...config }: AudienceConfig): AudienceConfig => ({
  ...config,
  topicIds: topicIds.toSorted((one, other) => one - other),
  filters: Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, comparedValue(name, value)]),
  ),
})

const comparedValue = (name: string, value: FilterValue): FilterValue => {
  if (typeof value !== "string") return value
  if (name === "state") return normalizeRegion(foldCase(value), undefined)
  return listed.has(name) ? foldCase(value) : value
}

/** SHA-256 of the RFC 8785 form, in lower-case hex. */
export const configHash = (config: AudienceConfig): string => canonicalHash(hashedForm(config))

/** Contradictions in the configuration; `path` is its JSON pointer. */ // spec 2.8.7
export const configIssues = (config: AudienceConfig, path: string): ReadonlyArray<Issue> => {
  const { maxScore, minScore, minTopicOverlap, segmentId, topicIds } = config
  if (!hasTopics(config)) return segmentId === undefined ? [noOne(path)] : []
  return [
    ...(minScore > maxScore
      ? [issue(`${path}/minScore`, `maxScore, which is ${maxScore}`, minScore)]
      : []),
    ...(minTopicOverlap > topicIds.length
      ? [
          issue(
            `${path}/minTopicOverlap`,
            `the number of topics, which is ${topicIds.length}`,
            minTopicOverlap,
          ),
        ]
      : []),
  ]
}

const noOne = (path: string): Issue => ({
  path: `${path}/topicIds`,
  code: "required",
  message: "Expected the ids of topics or a segmentId, received neither.",
})

const issue = (path: string, most: string, received: number): Issue => ({
  path,
  code: "max",
  message: `Expected at most ${most}, received ${received}.`,
})

// Company size bands. People have an employee count, so a band is a pair of bounds, never a label (spec 2.9).

/** Minimum and maximum employees per band; the last has no maximum. */
const bands = {
  "1-10": [1, 10],
  "11-50": [11, 50],
  "51-200": [51, 200],
  "201-500": [201, 500],
  "501-1000": [501, 1_000],
  "1001-5000": [1_001, 5_000],
  "5001-10000": [5_001, 10_000],
  "10001+": [10_001, 2_147_483_647],
} as const

type CompanySize = keyof typeof bands

// the keys of an object literal keep their order
export const companySizes = Object.keys(bands) as ReadonlyArray<CompanySize>

export const employeesOf = (size: CompanySize): readonly [least: number, most: number] =>
  bands[size]

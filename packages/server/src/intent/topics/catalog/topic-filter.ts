// Which topics a request selects (spec 5.7): `b2b` and `b2c` include topics of both types, industry and category match
// without case, `q` matches part of the name without case. A missing or empty filter matches every topic.
import { Schema } from "effect"
import { foldCase } from "../../../platform/database/case-folding.ts"
import { type Topic, TopicType } from "../topic.ts"

export interface TopicFilter {
  readonly type?: TopicType | undefined
  readonly industry?: string | undefined
  readonly category?: string | undefined
  readonly q?: string | undefined
}

/** A topic with its texts folded for comparison, once instead of per request. */
export interface FoldedTopic {
  readonly topic: Topic
  readonly name: string
  readonly industry: string
  readonly category: string
  /** Names besides its main one, as imported. */
  readonly words: ReadonlyArray<string>
}

export const foldTopic = (topic: Topic, words: ReadonlyArray<string> = []): FoldedTopic => ({
  topic,
  words,
  name: foldCase(topic.topicName),
  industry: foldCase(topic.industry),
  category: foldCase(topic.category),
})

/** The matching topics; all of them, without a scan, if there is no filter. */
export const passing = (
  topics: ReadonlyArray<FoldedTopic>,
  filter: TopicFilter,
): ReadonlyArray<FoldedTopic> =>
  filterKey(filter).every((part) => part === null) ? topics : topics.filter(topicFilter(filter))

/** Whether a topic matches. */
export const topicFilter = (filter: TopicFilter): ((topic: FoldedTopic) => boolean) => {
  const { type } = filter
  const [industry, category, q] = [filter.industry, filter.category, filter.q].map(folded)
  return (candidate) =>
    (type === undefined || hasType(candidate.topic.type, type)) &&
    (industry === undefined || candidate.industry === industry) &&
    (category === undefined || candidate.category === category) &&
    (q === undefined || candidate.name.includes(q))
}

/** Topics of both types match each type. */
const hasType = (type: TopicType, wanted: TopicType): boolean =>
  type === wanted || (type === "both" && wanted !== "both")

const folded = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : foldCase(text)

/** Equal for filters that match the same topics; binds a cursor. */
export const filterKey = ({ type, ...texts }: TopicFilter): ReadonlyArray<string | null> => [
  type ?? null,
  ...[texts.industry, texts.category, texts.q].map((text) => folded(text) ?? null),
]

// How many topics of the catalog have each type, industry and category (spec 2.18). Spellings that differ in case are
// one value, as in filters, shown in the most frequent spelling.
const facetOf = <Value extends Schema.Codec<string>>(value: Value) =>
  Schema.Array(Schema.Struct({ value, count: Schema.Int }))

export class TopicFacets extends Schema.Opaque<TopicFacets>()(
  Schema.Struct({
    types: facetOf(TopicType),
    industries: facetOf(Schema.String),
    categories: facetOf(Schema.String),
    /** Topics in the whole catalog. */
    total: Schema.Int,
  }).annotate({ identifier: "TopicFacets" }),
) {}

export const facetsOf = (topics: ReadonlyArray<FoldedTopic>): TopicFacets => ({
  types: facet(topics.map(({ topic: { type } }) => [type, type])),
  industries: facet(topics.map(({ industry, topic }) => [industry, topic.industry])),
  categories: facet(topics.map(({ category, topic }) => [category, topic.category])),
  total: topics.length,
})

/** Values with their counts, most frequent first, from pairs of folded and stored spelling. */
const facet = <Value extends string>(pairs: ReadonlyArray<readonly [string, Value]>) => {
  const spellings = new Map<string, Map<Value, number>>()
  for (const [key, value] of pairs) {
    const counts = spellings.get(key) ?? new Map<Value, number>()
    spellings.set(key, counts.set(value, (counts.get(value) ?? 0) + 1))
  }
  return [...spellings.values()]
    .map((counts) => {
      const [[value] = []] = [...counts].toSorted(byFrequency)
      const count = [...counts.values()].reduce((sum, each) => sum + each, 0)
      return [value!, count] as const // a spelling is counted at least once
    })
    .toSorted(byFrequency)
    .map(([value, count]) => ({ value, count }))
}

const byFrequency = (
  [aValue, aCount]: readonly [string, number],
  [bValue, bCount]: readonly [string, number],
): number => bCount - aCount || (aValue < bValue ? -1 : 1)

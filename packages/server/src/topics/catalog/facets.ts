// How many topics of the catalog have each type, industry and category (spec 2.18). Spellings that differ in case are
// one value, as in filters, shown in the most frequent spelling.
import { Schema } from "effect"
import { TopicType } from "../topic.ts"
import type { FoldedTopic } from "./topic-filter.ts"

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

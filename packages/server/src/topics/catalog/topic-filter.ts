// Which topics a request selects (spec 5.7): `b2b` and `b2c` include topics of both types, industry and category match
// without case, `q` matches part of the name without case. A missing or empty filter matches every topic.
import { foldCase } from "../../database/case-folding.ts"
import type { Topic, TopicType } from "../topic.ts"

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
    (type === undefined || isOfType(candidate.topic.type, type)) &&
    (industry === undefined || candidate.industry === industry) &&
    (category === undefined || candidate.category === category) &&
    (q === undefined || candidate.name.includes(q))
}

/** Topics of both types match each type. */
const isOfType = (type: TopicType, asked: TopicType): boolean =>
  type === asked || (type === "both" && asked !== "both")

const folded = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : foldCase(text)

/** Equal for filters that match the same topics; binds a cursor. */
export const filterKey = ({ type, ...texts }: TopicFilter): ReadonlyArray<string | null> => [
  type ?? null,
  ...[texts.industry, texts.category, texts.q].map((text) => folded(text) ?? null),
]

// How close each topic of the catalog is to a page: the share of the topic's name that the page covers. Words and pairs
// of neighboring words weigh more the rarer they are, with BM25's saturation. A topic with several names counts by the
// closest one; industry and category add a tenth. Deterministic.
import { Effect } from "effect"
import { inTurns } from "../in-turns.ts"
import { contentOf, pairOf, type PageTerms, type Term } from "./page-terms.ts"
import type { WordsOfTopics } from "../topic.ts"
import { type Word, wordsOf } from "./words.ts"

export interface RankedTopic<T> {
  readonly topic: T
  /** Above 0, at most 1, rounded to 4 decimals. */
  readonly similarity: number
  /** The page's words for the topic, as the page has them. */
  readonly matchedKeyword: string
}

/** The parts of a topic that are compared. */
export interface NamedTopic {
  readonly topicId: number
  readonly topicName: string
  readonly industry: string
  readonly category: string
}

interface Part {
  readonly stem: string
  readonly weight: number
}

interface IndexedTopic<T> {
  readonly topic: T
  /** Stem of the rarest word in its name. */
  readonly rarest: string
  readonly words: ReadonlyArray<Part>
  readonly pairs: ReadonlyArray<Part>
  /** Stems of industry and category. */
  readonly context: ReadonlyArray<string>
}

/** Topics by the rarest word of their names. */
export type TopicIndex<T> = ReadonlyMap<string, ReadonlyArray<IndexedTopic<T>>>

// spec 2.18
export const topicsMax = 20
/** Minimum for a result; below it, a page merely shares a word with the topic. */
const similarityMin = 0.3
const pairWeight = 2
const contextShare = 0.1

/** BM25: how soon repetitions stop adding, for a page of `usualWeight`. */
const saturation = 1.2
/** BM25: how much of that depends on the page's length. */
const lengthShare = 0.75
/** Total weight of the words on a page of usual length. */
const usualWeight = 500
/** Longer pages count as this many times the usual length. */
const lengthFactorMax = 4

export const indexTopics = Effect.fnUntraced(function* <T extends NamedTopic>(
  topics: ReadonlyArray<T>,
  stopWords: ReadonlySet<string>,
  otherNames: WordsOfTopics = new Map(),
): Effect.fn.Return<TopicIndex<T>> {
  const named: Array<{ readonly topic: T; readonly name: ReadonlyArray<Word> }> = []
  const wordCounts = new Counts()
  const pairCounts = new Counts()
  yield* inTurns(topics, (topic) => {
    for (const text of [topic.topicName, ...(otherNames.get(topic.topicId) ?? [])]) {
      const words = meaningfulWords(text, stopWords)
      named.push({ topic, name: words })
      wordCounts.add(words.map(({ stem }) => stem))
      pairCounts.add(pairsOf(words))
    }
  })
  const index = new Map<string, Array<IndexedTopic<T>>>()
  yield* inTurns(named, ({ name, topic }) => {
    const words = name.map(({ stem }) => ({ stem, weight: wordCounts.rarity(stem) }))
    const [rarest] = words.toSorted((one, other) => other.weight - one.weight)
    if (rarest === undefined) return
    const indexed = {
      topic,
      rarest: rarest.stem,
      words,
      pairs: pairsOf(name).map((stem) => ({ stem, weight: pairWeight * pairCounts.rarity(stem) })),
      context: meaningfulWords(`${topic.industry}. ${topic.category}`, stopWords).map(
        ({ stem }) => stem,
      ),
    }
    const known = index.get(rarest.stem)
    if (known === undefined) index.set(rarest.stem, [indexed])
    else known.push(indexed)
  })
  return index
})

/** At most 20, most similar first; ties by lower id. */
export const rankTopics = Effect.fnUntraced(function* <T extends NamedTopic>(
  index: TopicIndex<T>,
  page: PageTerms,
): Effect.fn.Return<ReadonlyArray<RankedTopic<T>>> {
  const saturated = saturationOf(page)
  const ranked = new Map<number, RankedTopic<T>>()
  yield* inTurns(page.words.keys(), (stem) => {
    for (const indexed of index.get(stem) ?? []) {
      const found = rank(indexed, page, saturated)
      const { topicId } = found.topic
      const known = ranked.get(topicId)?.similarity ?? 0
      if (found.similarity >= similarityMin && found.similarity > known) ranked.set(topicId, found)
    }
  })
  return [...ranked.values()]
    .toSorted(
      (one, other) => other.similarity - one.similarity || one.topic.topicId - other.topic.topicId,
    )
    .slice(0, topicsMax)
})

const rank = <T>(
  { context, pairs, rarest, topic, words }: IndexedTopic<T>,
  page: PageTerms,
  saturated: (term: Term | undefined) => number,
): RankedTopic<T> => {
  const reached =
    sumOf(words, ({ stem, weight }) => weight * saturated(page.words.get(stem))) +
    sumOf(pairs, ({ stem, weight }) => weight * saturated(page.pairs.get(stem)))
  const possible = sumOf(words, ({ weight }) => weight) + sumOf(pairs, ({ weight }) => weight)
  const near =
    sumOf(context, (stem) => saturated(page.words.get(stem))) / Math.max(1, context.length)
  const similarity = (1 - contextShare) * (reached / possible) + contextShare * near
  const pair = pairs.find(({ stem }) => page.pairs.has(stem) && stem.split(" ").includes(rarest))
  const term = pair === undefined ? page.words.get(rarest) : page.pairs.get(pair.stem)
  return {
    topic,
    similarity: Math.round(similarity * 10_000) / 10_000,
    matchedKeyword: term?.surface ?? rarest,
  }
}

const sumOf = <A>(items: ReadonlyArray<A>, of: (item: A) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** From 0, for words not on the page, towards 1. */
const saturationOf = ({ weight }: PageTerms) => {
  const length = Math.min(weight / usualWeight, lengthFactorMax)
  const half = saturation * (1 - lengthShare + lengthShare * length)
  return (term: Term | undefined): number =>
    term === undefined ? 0 : term.weight / (term.weight + half)
}

/** The meaningful words of a name; all of them if none is. */
const meaningfulWords = (name: string, stopWords: ReadonlySet<string>): ReadonlyArray<Word> => {
  const words = wordsOf(name).flat()
  const meaningful = contentOf(words, stopWords)
  return meaningful.length === 0 ? words : meaningful
}

const pairsOf = (words: ReadonlyArray<Word>): ReadonlyArray<string> =>
  words.slice(1).map((word, place) => pairOf(words[place]!, word))

/** How many names contain each term. */
class Counts {
  readonly #names = new Map<string, number>()
  #all = 0

  add(terms: ReadonlyArray<string>): void {
    this.#all += 1
    for (const term of new Set(terms)) this.#names.set(term, (this.#names.get(term) ?? 0) + 1)
  }

  /** As in BM25: above 0, larger for rarer terms. */
  rarity(term: string): number {
    const having = this.#names.get(term) ?? 0
    return Math.log(1 + (this.#all - having + 0.5) / (having + 0.5))
  }
}

// Finds topics by what somebody types, and ranks them (decisions.md 5.7). Every word of the query is
// looked for in the words of names, and of industries and categories; a topic answers when no other one
// has more of the words. Ranking: the name is the query; the name begins with it; then by how far its words
// are from those of the query (word-matches.ts; found in industry or category only is farther); then names
// without further words; then the order of the caller, by popularity.
//
// The radix tree of words is MiniSearch's. Its ranking of documents is not used: it builds an object for
// each of the thousands of topics that share a word, 8 ms for a query over 20,000 topics where this takes
// 0.2 (2 shared cores, November 2026), and search is on the way of every other request.
import SearchableMap from "minisearch/SearchableMap"
import { Effect } from "effect"
import { inTurns } from "../in-turns.ts"
import { type FoldedTopic, topicFilter, type TopicFilter } from "./topic-filter.ts"
import { searchWords } from "./search-words.ts"
import { wordMatches } from "./word-matches.ts"

/** Distinct words of a query that are looked for; the others are left out. Our bound. */
const wordsMax = 10

/** Places of the topics that have a word. */
interface Places {
  readonly inName: Array<number>
  readonly elsewhere: Array<number>
}

/** A topic is known by its place in `topics`. */
export interface SearchIndex {
  readonly topics: ReadonlyArray<FoldedTopic>
  /** The words of each name, with one space between them. */
  readonly names: ReadonlyArray<string>
  readonly nameLengths: Uint8Array
  readonly words: SearchableMap<Places>
}

export interface SearchQuestion extends Pick<TopicFilter, "type" | "industry"> {
  readonly q: string
  readonly limit: number
}

/** Builds the index in turns: other requests go on meanwhile. */
export const buildSearchIndex = Effect.fnUntraced(function* (
  topics: ReadonlyArray<FoldedTopic>,
): Effect.fn.Return<SearchIndex> {
  const words = new SearchableMap<Places>()
  const names: Array<string> = []
  const nameLengths = new Uint8Array(topics.length)
  yield* inTurns(topics.entries(), ([place, { topic }]) => {
    const nameWords = searchWords(topic.topicName)
    names.push(nameWords.join(" "))
    nameLengths[place] = nameWords.length
    for (const word of new Set(nameWords)) placesOf(words, word).inName.push(place)
    const others = searchWords(`${topic.industry} ${topic.category}`)
    for (const word of new Set(others)) placesOf(words, word).elsewhere.push(place)
  })
  return { topics, names, nameLengths, words }
})

const placesOf = (words: SearchableMap<Places>, word: string): Places =>
  words.fetch(word, () => ({ inName: [], elsewhere: [] }))

/** The topics that fit, best first. `order`: all places, of equal ones the preferred first. */
export const searchTopics = (
  index: SearchIndex,
  order: Uint32Array,
  { limit, q, ...filter }: SearchQuestion,
): ReadonlyArray<FoldedTopic> => {
  const asked = searchWords(q)
  const words = [...new Set(asked)].slice(0, wordsMax)
  const { cost, found } = tally(index, words)
  const most = dropWhatIsFiltered(index, found, topicFilter(filter))
  if (most === 0) return []
  const phrase = asked.join(" ")
  const ranks = new Map<number, Array<number>>()
  for (const place of order) {
    if (found[place] !== most) continue
    const hasFurtherWords = index.nameLengths[place]! > asked.length
    const rank =
      nearness(index.names[place]!, phrase) * farthest + cost[place]! * 2 + Number(hasFurtherWords)
    const equals = ranks.get(rank)
    if (equals === undefined) ranks.set(rank, [place])
    else if (equals.length < limit) equals.push(place)
  }
  return [...ranks.keys()]
    .toSorted((a, b) => a - b)
    .flatMap((rank) => ranks.get(rank)!)
    .slice(0, limit)
    .map((place) => index.topics[place]!)
}

/** Above every cost. */
const farthest = 1000

const nearness = (name: string, phrase: string): number =>
  name === phrase ? 0 : name.startsWith(phrase) ? 1 : 2

/** What it costs that a word is not in the name but in industry or category. */
const elsewhereCost = 2
const none = 255

/** For each topic how many of the words it has, and how far they are from those of the query. */
const tally = ({ topics, words: known }: SearchIndex, words: ReadonlyArray<string>) => {
  const found = new Uint8Array(topics.length)
  const cost = new Uint8Array(topics.length)
  const best = new Uint8Array(topics.length)
  for (const word of words) {
    best.fill(none)
    for (const match of wordMatches(known, word)) {
      take(best, match.found.inName, match.cost)
      take(best, match.found.elsewhere, match.cost + elsewhereCost)
    }
    for (let place = 0; place < best.length; place++) {
      if (best[place] === none) continue
      found[place]! += 1
      cost[place]! += best[place]!
    }
  }
  return { found, cost }
}

const take = (best: Uint8Array, places: ReadonlyArray<number>, cost: number): void => {
  for (const place of places) if (cost < best[place]!) best[place] = cost
}

/** Takes out the topics that do not pass; the most words that any other one has. */
const dropWhatIsFiltered = (
  { topics }: SearchIndex,
  found: Uint8Array,
  passes: (topic: FoldedTopic) => boolean,
): number => {
  let most = 0
  for (let place = 0; place < found.length; place++) {
    if (found[place]! < Math.max(1, most)) continue
    if (passes(topics[place]!)) most = found[place]!
    else found[place] = 0
  }
  return most
}

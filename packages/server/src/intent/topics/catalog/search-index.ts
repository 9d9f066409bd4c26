// Finds topics by what someone types, and ranks them (spec 5.7): the name equals the query; begins with it; then the
// distance between their words; then names without further words; then the caller's preference. Only the radix tree is
// MiniSearch's: its own ranking takes a hundred times as long, and no other request is answered meanwhile.
import { Effect } from "effect"
import SearchableMap from "minisearch/SearchableMap"
import { foldCase } from "../../../platform/database/case-folding.ts"
import { inTurns } from "../in-turns.ts"
import { type FoldedTopic, topicFilter, type TopicFilter } from "./topic-filter.ts"

// What a query's word can match in the catalog: the word itself and words that start with it. If no topic has the
// word itself, also words with typos: one letter too many, missing or replaced, or two neighbors swapped; one typo
// from 3 letters on, two from 8.

/** A word of the catalog. */
interface Word {
  /** Numbered from 0. */
  readonly number: number
  /** The topics that contain it. */
  readonly places: Array<number>
}

interface Meaning {
  /** The distance of each word, by number, from the query's word; `farOff` for no match. */
  readonly costs: Uint8Array
  readonly words: ReadonlyArray<Word>
}

const wordCost = { itself: 0, beginning: 1, oneTypo: 4, twoTypos: 6, farOff: 255 }
const oneTypoLengthMin = 3
const twoTyposLengthMin = 8

const meaningOf = (words: SearchableMap<Word>, typed: string): Meaning => {
  const costs = new Uint8Array(words.size).fill(wordCost.farOff)
  const matched: Array<Word> = []
  for (const [word, cost] of candidates(words, typed)) {
    if (costs[word.number] === wordCost.farOff) matched.push(word)
    costs[word.number] = Math.min(cost, costs[word.number]!)
  }
  return { costs, words: matched }
}

function* candidates(
  words: SearchableMap<Word>,
  typed: string,
): Iterable<readonly [Word, cost: number]> {
  for (const [match, word] of words.atPrefix(typed)) {
    yield [word, match === typed ? wordCost.itself : wordCost.beginning]
  }
  if (typed.length < oneTypoLengthMin || words.has(typed)) return
  for (const swapped of swaps(typed)) {
    const word = words.get(swapped)
    if (word !== undefined) yield [word, wordCost.oneTypo]
  }
  const editsMax = typed.length < twoTyposLengthMin ? 1 : 2
  for (const [word, edits] of words.fuzzyGet(typed, editsMax).values()) {
    yield [word, edits === 1 ? wordCost.oneTypo : wordCost.twoTypos]
  }
}

/** The word with each pair of neighboring letters swapped in turn. */
const swaps = (word: string): ReadonlyArray<string> =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  )

/** Maximum distinct words of a query; the rest are ignored. */
const wordsMax = 10
/** The cost of a word found in industry or category instead of the name. */
const elsewhereCost = 2

/** Topics are identified by their place in `topics`, words by number. */
export interface SearchIndex {
  readonly topics: ReadonlyArray<FoldedTopic>
  /** The words of each name, separated by single spaces. */
  readonly names: ReadonlyArray<string>
  readonly nameWords: Rows
  /** Words of other names, industry and category. */
  readonly otherWords: Rows
  readonly words: SearchableMap<Word>
}

export interface SearchQuestion extends Pick<TopicFilter, "type" | "industry"> {
  readonly q: string
  readonly limit: number
}

/** Builds the index in turns, so other requests continue. */
export const buildSearchIndex = Effect.fnUntraced(function* (
  topics: ReadonlyArray<FoldedTopic>,
): Effect.fn.Return<SearchIndex> {
  const words = new SearchableMap<Word>()
  let wordCount = 0
  const names: Array<string> = []
  const nameWords: Array<ReadonlyArray<number>> = []
  const otherWords: Array<ReadonlyArray<number>> = []
  const numbered = (word: string, place: number): number => {
    const known = words.fetch(word, () => ({ number: wordCount++, places: [] }))
    if (known.places.at(-1) !== place) known.places.push(place)
    return known.number
  }
  yield* inTurns(topics.entries(), ([place, { topic, words: otherNames }]) => {
    const name = searchWords(topic.topicName)
    const others = searchWords([topic.industry, topic.category, ...otherNames].join(" "))
    names.push(name.join(" "))
    nameWords.push(name.map((word) => numbered(word, place)))
    otherWords.push(others.map((word) => numbered(word, place)))
  })
  return { topics, names, nameWords: rowsOf(nameWords), otherWords: rowsOf(otherWords), words }
})

/** Matching topics, best first. `preference`: a number per place, lower is preferred. */
export const searchTopics = (
  index: SearchIndex,
  preference: Uint32Array,
  { limit, q, ...filter }: SearchQuestion,
): ReadonlyArray<FoldedTopic> => {
  const typed = searchWords(q)
  const all = [...new Set(typed)].slice(0, wordsMax).map((word) => meaningOf(index.words, word))
  const meanings = all.filter(({ words }) => words.length > 0)
  const { costs, places } = matches(index, meanings, topicFilter(filter))
  const phrase = typed.join(" ")
  const best = new Least<FoldedTopic>(limit)
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!
    const cost = costs[at]!
    // A name that starts with the query contains its words in order; the last may be cut short.
    const mayBegin = cost <= wordCost.beginning && startsNear(index.nameWords, place, all[0]!)
    const near = mayBegin ? nearness(index.names[place]!, phrase) : 2
    const hasFurtherWords = lengthOf(index.nameWords, place) > typed.length
    const rank = near * farthest + cost * 2 + Number(hasFurtherWords)
    best.offer(rank * 2 ** 32 + preference[place]!, index.topics[place]!)
  }
  return best.values
}

/** More than any cost. */
const farthest = 1000

const startsNear = ({ numbers, starts }: Rows, place: number, { costs }: Meaning): boolean =>
  costs[numbers[starts[place]!]!]! <= wordCost.beginning

const nearness = (name: string, phrase: string): number =>
  name.startsWith(phrase) ? Number(name.length > phrase.length) : 2

/** The topics with the most matching words, and their cost. */
interface Matches {
  readonly places: ReadonlyArray<number>
  readonly costs: ReadonlyArray<number>
  /** How many of the words they contain. */
  readonly found: number
}

/** If some topic has all words, only the topics with the rarest word are examined. */
const matches = (
  index: SearchIndex,
  meanings: ReadonlyArray<Meaning>,
  passes: (topic: FoldedTopic) => boolean,
): Matches => {
  const [rarest] = meanings.toSorted((a, b) => frequency(a) - frequency(b))
  if (rarest === undefined) return { places: [], costs: [], found: 0 }
  const first = matchesAmong(index, placesOf(rarest, index.topics.length), meanings, passes)
  return first.found === meanings.length
    ? first
    : matchesAmong(index, index.topics.keys(), meanings, passes)
}

const frequency = ({ words }: Meaning): number =>
  words.reduce((sum, { places }) => sum + places.length, 0)

/** The topics that contain one of the words, without repeats. */
const placesOf = ({ words }: Meaning, topicCount: number): ReadonlyArray<number> => {
  if (words.length === 1) return words[0]!.places
  const places: Array<number> = []
  const isTaken = new Uint8Array(topicCount)
  for (const word of words) {
    for (const place of word.places) {
      if (isTaken[place] === 1) continue
      isTaken[place] = 1
      places.push(place)
    }
  }
  return places
}

const matchesAmong = (
  { nameWords, otherWords, topics }: SearchIndex,
  among: Iterable<number>,
  meanings: ReadonlyArray<Meaning>,
  passes: (topic: FoldedTopic) => boolean,
): Matches => {
  let found = 1
  let places: Array<number> = []
  let costs: Array<number> = []
  for (const place of among) {
    if (!passes(topics[place]!)) continue
    let has = 0
    let cost = 0
    for (const meaning of meanings) {
      const inName = least(meaning, nameWords, place)
      // A word in industry or category is never closer than this.
      const nearest =
        inName <= elsewhereCost
          ? inName
          : Math.min(inName, least(meaning, otherWords, place) + elsewhereCost)
      if (nearest >= wordCost.farOff) continue
      has += 1
      cost += nearest
    }
    if (has < found) continue
    if (has > found) {
      found = has
      places = []
      costs = []
    }
    places.push(place)
    costs.push(cost)
  }
  return { places, costs, found: places.length === 0 ? 0 : found }
}

/** Returns the cost of the closest word in a topic's row. */
const least = ({ costs }: Meaning, { numbers, starts }: Rows, place: number): number => {
  let cost = wordCost.farOff
  for (let at = starts[place]!; at < starts[place + 1]!; at++) {
    if (costs[numbers[at]!]! < cost) cost = costs[numbers[at]!]!
  }
  return cost
}

// Keeps the values with the lowest keys, in ascending order.
export class Least<Value> {
  readonly values: Array<Value> = []
  readonly #keys: Array<number> = []
  readonly #limit: number

  /** `limit`: how many values to keep; at least 1. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Among equal keys, the first one wins. */
  offer(key: number, value: Value): void {
    const keys = this.#keys
    if (keys.length === this.#limit && key >= keys[keys.length - 1]!) return
    let at = keys.length
    while (at > 0 && keys[at - 1]! > key) at--
    keys.splice(at, 0, key)
    this.values.splice(at, 0, value)
    if (keys.length <= this.#limit) return
    keys.pop()
    this.values.pop()
  }
}

// Many short rows of numbers in one block of memory, which scans faster than thousands of separate arrays.
export interface Rows {
  /** All rows, one after another. */
  readonly numbers: Uint32Array
  /** Where each row starts, plus the end of the last. */
  readonly starts: Uint32Array
}

export const rowsOf = (rows: ReadonlyArray<ReadonlyArray<number>>): Rows => {
  const starts = new Uint32Array(rows.length + 1)
  for (const [place, row] of rows.entries()) starts[place + 1] = starts[place]! + row.length
  const numbers = new Uint32Array(starts[rows.length]!)
  for (const [place, row] of rows.entries()) numbers.set(row, starts[place]!)
  return { numbers, starts }
}

export const lengthOf = ({ starts }: Rows, place: number): number =>
  starts[place + 1]! - starts[place]!

// The words of a text as search compares them: without case and accents, letters and digits together, plus the signs in
// names like C++ and C#.
export const searchWords = (text: string): ReadonlyArray<string> =>
  foldCase(text.normalize("NFKD").replaceAll(/\p{M}+/gu, "")).match(/[\p{L}\p{N}+#]+/gu) ?? []

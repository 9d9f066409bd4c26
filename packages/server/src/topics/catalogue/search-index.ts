// Finds topics by what someone types, and ranks them (spec 5.7). Every word of the query is
// looked for in the words of names, and in other names, industries and categories; a topic is left out when another one
// has more of the words. Ranking: the name is the query; the name begins with it; then by how far its words
// are from those of the query (below; found in industry or category only is farther); then names
// without further words; then the preference of the caller, by popularity.
//
// The radix tree of words is MiniSearch's. Its ranking of documents is not used: it builds an object for
// each of the thousands of topics that share a word. Over 20,000 topics and queries of every kind it took
// 11 to 17 ms a query where this takes 0.04 to 1 (2 cores that were shared with much else, November 2026),
// and no other request is answered meanwhile.
import { Effect } from "effect"
import SearchableMap from "minisearch/SearchableMap"
import { foldCase } from "../../database/case-folding.ts"
import { inTurns } from "../in-turns.ts"
import { type FoldedTopic, topicFilter, type TopicFilter } from "./topic-filter.ts"

// What a word of a query may mean among the words of the catalogue: the word itself and words that begin
// with it; where no topic has the word itself, also words that are it but for typos. A typo is a letter
// too many, missing, or in another's place, or two neighbors swapped: one from 3 letters on, two from 8.

/** A word of the catalogue. */
interface Word {
  /** Numbers count from 0. */
  readonly number: number
  /** The topics that have it. */
  readonly places: Array<number>
}

interface Meaning {
  /** For each word by its number how far it is from the word of the query; `farOff`: it is not meant. */
  readonly costs: Uint8Array
  readonly words: ReadonlyArray<Word>
}

const wordCost = { itself: 0, beginning: 1, oneTypo: 4, twoTypos: 6, farOff: 255 }
const oneTypoLengthMin = 3
const twoTyposLengthMin = 8

const meaningOf = (words: SearchableMap<Word>, asked: string): Meaning => {
  const costs = new Uint8Array(words.size).fill(wordCost.farOff)
  const meant: Array<Word> = []
  for (const [word, cost] of candidates(words, asked)) {
    if (costs[word.number] === wordCost.farOff) meant.push(word)
    costs[word.number] = Math.min(cost, costs[word.number]!)
  }
  return { costs, words: meant }
}

function* candidates(
  words: SearchableMap<Word>,
  asked: string,
): Iterable<readonly [Word, cost: number]> {
  for (const [match, word] of words.atPrefix(asked)) {
    yield [word, match === asked ? wordCost.itself : wordCost.beginning]
  }
  if (asked.length < oneTypoLengthMin || words.has(asked)) return
  for (const swapped of swaps(asked)) {
    const word = words.get(swapped)
    if (word !== undefined) yield [word, wordCost.oneTypo]
  }
  const editsMax = asked.length < twoTyposLengthMin ? 1 : 2
  for (const [word, edits] of words.fuzzyGet(asked, editsMax).values()) {
    yield [word, edits === 1 ? wordCost.oneTypo : wordCost.twoTypos]
  }
}

/** The word with two neighboring letters swapped, everywhere in turn. */
const swaps = (word: string): ReadonlyArray<string> =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  )

/** Distinct words of a query that are looked for; the others are left out. Our bound. */
const wordsMax = 10
/** What it costs that a word is not in the name but in industry or category. */
const elsewhereCost = 2

/** A topic is known by its place in `topics`, a word by its number. */
export interface SearchIndex {
  readonly topics: ReadonlyArray<FoldedTopic>
  /** The words of each name, with one space between them. */
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

/** Builds the index in turns: other requests go on meanwhile. */
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

/** The topics that fit, best first. `preference`: for each place a number, less for the preferred. */
export const searchTopics = (
  index: SearchIndex,
  preference: Uint32Array,
  { limit, q, ...filter }: SearchQuestion,
): ReadonlyArray<FoldedTopic> => {
  const asked = searchWords(q)
  const all = [...new Set(asked)].slice(0, wordsMax).map((word) => meaningOf(index.words, word))
  const meanings = all.filter(({ words }) => words.length > 0)
  const { costs, places } = matches(index, meanings, topicFilter(filter))
  const phrase = asked.join(" ")
  const best = new Least<FoldedTopic>(limit)
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!
    const cost = costs[at]!
    // A name that begins with the query has its words, the first one first; the last may be cut short.
    const mayBegin = cost <= wordCost.beginning && startsNear(index.nameWords, place, all[0]!)
    const near = mayBegin ? nearness(index.names[place]!, phrase) : 2
    const hasFurtherWords = lengthOf(index.nameWords, place) > asked.length
    const rank = near * farthest + cost * 2 + Number(hasFurtherWords)
    best.offer(rank * 2 ** 32 + preference[place]!, index.topics[place]!)
  }
  return best.values
}

/** Above every cost. */
const farthest = 1000

const startsNear = ({ numbers, starts }: Rows, place: number, { costs }: Meaning): boolean =>
  costs[numbers[starts[place]!]!]! <= wordCost.beginning

const nearness = (name: string, phrase: string): number =>
  name.startsWith(phrase) ? Number(name.length > phrase.length) : 2

/** The topics that have the most of the words, with what it costs. */
interface Matches {
  readonly places: ReadonlyArray<number>
  readonly costs: ReadonlyArray<number>
  /** How many of the words they have. */
  readonly found: number
}

/** Looks at the topics of the rarest word only, when one of those has all words. */
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

/** The topics that have one of the words, each once. */
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
      // A word of industry or category is never better than this.
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

/** What the nearest of the words in the row of a topic costs. */
const least = ({ costs }: Meaning, { numbers, starts }: Rows, place: number): number => {
  let cost = wordCost.farOff
  for (let at = starts[place]!; at < starts[place + 1]!; at++) {
    if (costs[numbers[at]!]! < cost) cost = costs[numbers[at]!]!
  }
  return cost
}

// Of many values those with the least keys, few of them, in ascending order of the keys.
export class Least<Value> {
  readonly values: Array<Value> = []
  readonly #keys: Array<number> = []
  readonly #limit: number

  /** `limit`: how many values are kept; at least 1. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Of equal keys the one that came first is the lesser. */
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

// Many short rows of numbers in one piece of memory: thousands of them are gone over faster than an array
// for each, which the processor must look for one by one.
export interface Rows {
  /** All rows, one behind the other. */
  readonly numbers: Uint32Array
  /** Where each row begins; at the end, where the last one ends. */
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

// The words of a text as search compares them: without case and accents, letters and digits together, and
// the signs of names like C++ and C#.
export const searchWords = (text: string): ReadonlyArray<string> =>
  foldCase(text.normalize("NFKD").replaceAll(/\p{M}+/gu, "")).match(/[\p{L}\p{N}+#]+/gu) ?? []

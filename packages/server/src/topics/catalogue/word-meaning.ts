// What a word of a query may mean among the words of the catalogue: the word itself and words that begin
// with it; where no topic has the word itself, also words that are it but for typos. A typo is a letter
// too many, missing, or in another's place, or two neighbors swapped: one from 3 letters on, two from 8.
import type SearchableMap from "minisearch/SearchableMap"

/** A word of the catalogue. */
export interface Word {
  /** Numbers count from 0. */
  readonly number: number
  /** The topics that have it. */
  readonly places: Array<number>
}

export interface Meaning {
  /** For each word by its number how far it is from the word of the query; `farOff`: it is not meant. */
  readonly costs: Uint8Array
  readonly words: ReadonlyArray<Word>
}

export const wordCost = { itself: 0, beginning: 1, oneTypo: 4, twoTypos: 6, farOff: 255 }
const oneTypoLengthMin = 3
const twoTyposLengthMin = 8

export const meaningOf = (words: SearchableMap<Word>, asked: string): Meaning => {
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

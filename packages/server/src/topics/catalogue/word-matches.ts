// Which words of the catalogue a word of a query may mean, and how well each fits: the word itself, words
// that begin with it, and words that are it but for typos. A typo is a letter too many, missing, or in
// another's place, or two neighbours swapped: one from 3 letters on, two from 8 on.
import type SearchableMap from "minisearch/SearchableMap"

/** What a match costs; the ranking adds it up. */
const cost = { itself: 0, beginning: 1, oneTypo: 4, twoTypos: 6 }
const oneTypoLengthMin = 3
const twoTyposLengthMin = 8
/** A swap of neighbours is two edits, so both are looked for in any case. */
const editsMax = 2

export interface WordMatch<A> {
  readonly found: A
  readonly cost: number
}

export function* wordMatches<A>(words: SearchableMap<A>, word: string): Iterable<WordMatch<A>> {
  for (const [match, found] of words.atPrefix(word)) {
    yield { found, cost: match === word ? cost.itself : cost.beginning }
  }
  if (word.length < oneTypoLengthMin) return
  for (const [match, [found, edits]] of words.fuzzyGet(word, editsMax)) {
    if (match.startsWith(word)) continue
    if (edits === 1 || isSwap(word, match)) yield { found, cost: cost.oneTypo }
    else if (word.length >= twoTyposLengthMin) yield { found, cost: cost.twoTypos }
  }
}

/** Whether one is the other with two neighbouring letters swapped. */
const isSwap = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false
  let at = 0
  while (one[at] === other[at] && at < one.length) at++
  return (
    one[at] === other[at + 1] &&
    one[at + 1] === other[at] &&
    one.slice(at + 2) === other.slice(at + 2)
  )
}

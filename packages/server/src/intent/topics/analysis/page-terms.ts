// What a page talks about and how much: its words and pairs of neighboring words, each with a weight. A word in the
// title or a heading weighs as much as several repetitions in text. Only the first 200,000 characters count, because
// more adds little.
import type { ReadPage } from "./page-reader.ts"
import { type Word, wordsOf } from "./words.ts"

export interface Term {
  /** As it first occurs in the page, in lower case. */
  readonly surface: string
  readonly weight: number
  readonly count: number
}

export interface PageTerms {
  /** By the word's stem. */
  readonly words: ReadonlyMap<string, Term>
  /** By both stems, joined with a space. Stop words are skipped. */
  readonly pairs: ReadonlyMap<string, Term>
  /** The weights of all words together. */
  readonly weight: number
}

/** Counted after normalization, which makes up to 18 characters of one. Units: UTF-16 code units. */
const textLengthMax = 200_000
/** Text is normalized and split in pieces of at most this length. Units: UTF-16 code units. */
const pieceLengthMax = 4_096
/** Different words, and different pairs, of one page. No page that people read has as many. */
const termsMax = 20_000

const titleWeight = 5
const descriptionWeight = 4
/** By heading level; 0 is text. */
const levelWeights = [1, 5, 3, 2, 1, 1, 1]

export const pageTerms = (
  { blocks, description, title }: ReadPage,
  stopWords: ReadonlySet<string>,
): PageTerms => {
  const words = new Map<string, Term>()
  const pairs = new Map<string, Term>()
  let total = 0
  let left = textLengthMax

  const readPiece = (text: string, weight: number): void => {
    const readable = text.normalize("NFKC").slice(0, left)
    left -= readable.length
    for (const part of wordsOf(readable)) {
      const content = contentOf(part, stopWords)
      total += content.length * weight
      content.forEach((word, place) => {
        add(words, word.stem, word.surface, weight)
        const next = content[place + 1]
        if (next !== undefined && next.stem !== word.stem) {
          add(pairs, pairOf(word, next), `${word.surface} ${next.surface}`, weight)
        }
      })
    }
  }
  const read = (text: string, weight: number): void => {
    for (let start = 0; start < text.length;) {
      if (left <= 0) return
      const end = pieceEnd(text, start)
      readPiece(text.slice(start, end), weight)
      start = end
    }
  }

  read(title ?? "", titleWeight)
  read(description ?? "", descriptionWeight)
  for (const { level, text } of blocks) read(text, levelWeights[level] ?? 1)
  return { words, pairs, weight: total }
}

/** Between words if there is a space. */
const pieceEnd = (text: string, start: number): number => {
  const end = start + pieceLengthMax
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(" ", end)
  return space > start ? space : end
}

/** The meaningful words: no stop words and no single letters. */
export const contentOf = (
  words: ReadonlyArray<Word>,
  stopWords: ReadonlySet<string>,
): ReadonlyArray<Word> =>
  words.filter(({ surface }) => !stopWords.has(surface) && !/^\p{L}\p{M}*$/u.test(surface))

export const pairOf = (first: Word, second: Word): string => `${first.stem} ${second.stem}`

const add = (terms: Map<string, Term>, key: string, surface: string, weight: number): void => {
  const known = terms.get(key)
  if (known === undefined && terms.size >= termsMax) return
  terms.set(key, {
    surface: known?.surface ?? surface,
    weight: (known?.weight ?? 0) + weight,
    count: (known?.count ?? 0) + 1,
  })
}

// The words and word pairs a page uses most, starting with title and headings. A pair replaces its words if they hardly
// occur alone.

// spec 2.18
export const keywordsMax = 30
/** Units: UTF-16 code units. */
const lengthMax = 60
/** A pair that occurs once is a coincidence. */
const pairCountMin = 2
const pairWeight = 1.5
/** A pair replaces a word if it covers at least this share of the word's weight. */
const coveredShare = 0.7

/** Words that any page uses to describe itself. */
const boilerplate: ReadonlySet<string> = new Set(
  (
    "home page site website web cookie cookies click learn read more see view get find new us here " +
    "contact login log sign copyright rights reserved menu skip content every one two three four five " +
    "not no just than will own yet none yes help use using used need without within across per via including today book"
  ).split(" "),
)

export const keywordsOf = (
  { pairs, words }: PageTerms,
  stopWords: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const isKeyword = ({ surface }: Term) =>
    surface.length <= lengthMax &&
    surface
      .split(" ")
      .every((word) => !stopWords.has(word) && !boilerplate.has(word) && !/^\p{N}$/u.test(word))
  const chosenPairs = [...pairs].filter(
    ([, pair]) => pair.count >= pairCountMin && isKeyword(pair) && !/^\p{N}/u.test(pair.surface),
  )
  const covered = new Set(
    chosenPairs.flatMap(([stems, pair]) =>
      stems
        .split(" ")
        .filter((stem) => pair.weight >= coveredShare * (words.get(stem)?.weight ?? 0)),
    ),
  )
  const alone = [...words].filter(
    ([stem, word]) => !covered.has(stem) && isKeyword(word) && !/^\p{N}+$/u.test(word.surface),
  )
  return [
    ...chosenPairs.map(([, { surface, weight }]) => ({ surface, weight: weight * pairWeight })),
    ...alone.map(([, { surface, weight }]) => ({ surface, weight })),
  ]
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, keywordsMax)
    .map(({ surface }) => surface)
}

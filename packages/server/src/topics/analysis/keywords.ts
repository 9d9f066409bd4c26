// The words and word pairs a page uses most, starting with title and headings. A pair replaces its words if they hardly
// occur alone.
import type { PageTerms, Term } from "./page-terms.ts"

// spec 2.18
export const keywordsMax = 30
/** Units: UTF-16 code units. */
const lengthMax = 60
/** A pair that occurs once is a coincidence. */
const pairCountMin = 2
const pairWeight = 1.5
/** A pair replaces a word if it covers at least this share of the word's weight. */
const coveredShare = 0.7

/** Words that any page uses about itself. */
const furniture: ReadonlySet<string> = new Set(
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
      .every((word) => !stopWords.has(word) && !furniture.has(word) && !/^\p{N}$/u.test(word))
  const said = [...pairs].filter(
    ([, pair]) => pair.count >= pairCountMin && isKeyword(pair) && !/^\p{N}/u.test(pair.surface),
  )
  const covered = new Set(
    said.flatMap(([stems, pair]) =>
      stems
        .split(" ")
        .filter((stem) => pair.weight >= coveredShare * (words.get(stem)?.weight ?? 0)),
    ),
  )
  const alone = [...words].filter(
    ([stem, word]) => !covered.has(stem) && isKeyword(word) && !/^\p{N}+$/u.test(word.surface),
  )
  return [
    ...said.map(([, { surface, weight }]) => ({ surface, weight: weight * pairWeight })),
    ...alone.map(([, { surface, weight }]) => ({ surface, weight })),
  ]
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, keywordsMax)
    .map(({ surface }) => surface)
}

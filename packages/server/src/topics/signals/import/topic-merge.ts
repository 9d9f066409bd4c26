// What becomes of one topic on one date when signals are added to those that are known: of a person's scores
// the last one said stays. Pure; the same signals twice change nothing.
import { scoreMax } from "./signal-row.ts"

/** People with one score, ascending. */
export interface Block {
  readonly score: number
  readonly people: Int32Array
}

/** Signals of the topic in the order they were said; those of this import are counted. */
export interface Said {
  readonly people: Int32Array
  readonly scores: Uint8Array
  /** 1: of this import; 0: of one that broke off. */
  readonly isCounted: Uint8Array
}

export interface MergedTopic {
  /** All blocks of the topic as they are now, by ascending score. */
  readonly blocks: ReadonlyArray<Block>
  /** Those that are new or other than before. */
  readonly written: ReadonlyArray<Block>
  /** Scores that had other people before, or no one has any more. */
  readonly gone: ReadonlyArray<number>
  /** Of this import. */
  readonly inserted: number
  readonly updated: number
}

export const mergeTopic = (known: ReadonlyArray<Block>, said: Said): MergedTopic => {
  const { counts, latest } = latestOf(known, said)
  const { blocks, inserted, updated } = blocksOf(latest, counts)
  const before = new Map(known.map((block) => [block.score, block]))
  const written = blocks.filter((block) => !isSame(before.get(block.score), block))
  const left = new Set(blocks.map(({ score }) => score))
  const changed = new Set(written.map(({ score }) => score))
  const gone = known
    .map(({ score }) => score)
    .filter((score) => !left.has(score) || changed.has(score))
  return { blocks, written, gone, inserted, updated }
}

/** One person's: `was` is 0 where nothing was known, `isCounted` whether this import said the last. */
interface Latest {
  readonly people: Int32Array
  readonly scores: Uint8Array
  readonly was: Uint8Array
  readonly isCounted: Uint8Array
}

/** By ascending number of the person, and the people of each score. */
const latestOf = (
  known: ReadonlyArray<Block>,
  { isCounted, people, scores }: Said,
): { readonly latest: Latest; readonly counts: Uint32Array } => {
  const knownScores = new Uint8Array(known.reduce((sum, block) => sum + block.people.length, 0))
  const total = knownScores.length + people.length
  // One number each: the person above, the place below, so that sorting keeps the order of one person.
  const keys = new BigUint64Array(total)
  const halves = new Uint32Array(keys.buffer)
  let place = 0
  for (const block of known) {
    for (const person of block.people) {
      knownScores[place] = block.score
      halves[2 * place] = place
      halves[2 * place + 1] = person
      place++
    }
  }
  for (const person of people) {
    halves[2 * place] = place
    halves[2 * place + 1] = person
    place++
  }
  keys.sort()
  const latest = {
    people: new Int32Array(total),
    scores: new Uint8Array(total),
    was: new Uint8Array(total),
    isCounted: new Uint8Array(total),
  }
  const counts = new Uint32Array(scoreMax + 1)
  let length = 0
  for (let at = 0; at < total; at++) {
    const first = halves[2 * at]!
    const person = halves[2 * at + 1]!
    while (at + 1 < total && halves[2 * at + 3] === person) at++
    const last = halves[2 * at]! - knownScores.length
    const was = first < knownScores.length ? knownScores[first]! : 0
    const score = last < 0 ? was : scores[last]!
    latest.people[length] = person
    latest.scores[length] = score
    latest.was[length] = was
    latest.isCounted[length] = last < 0 ? 0 : isCounted[last]!
    counts[score]!++
    length++
  }
  return { latest: shortened(latest, length), counts }
}

const shortened = (latest: Latest, length: number): Latest => ({
  people: latest.people.subarray(0, length),
  scores: latest.scores.subarray(0, length),
  was: latest.was.subarray(0, length),
  isCounted: latest.isCounted.subarray(0, length),
})

const blocksOf = ({ isCounted, people, scores, was }: Latest, counts: Uint32Array) => {
  const places = new Uint32Array(counts.length)
  const filled = Array.from(counts, (count, score) => ({ score, people: new Int32Array(count) }))
  let inserted = 0
  let updated = 0
  for (let row = 0; row < people.length; row++) {
    const score = scores[row]!
    filled[score]!.people[places[score]!++] = people[row]!
    if (isCounted[row] === 0) continue
    if (was[row] === 0) inserted++
    else if (was[row] !== score) updated++
  }
  return { blocks: filled.filter((block) => block.people.length > 0), inserted, updated }
}

const isSame = (one: Block | undefined, other: Block): boolean =>
  one?.people.length === other.people.length &&
  one.people.every((person, place) => person === other.people[place])

// The roll-up of one topic on one date, of shared signals (spec 2.18, Trend point).

export interface TopicDay {
  readonly topicId: number
  readonly audience: number
  readonly scoreSum: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

/** Bounds of the audiences. Source: spec 2.18. */
const highFrom = 90
const mediumFrom = 70

export const topicDay = (topicId: number, blocks: ReadonlyArray<Block>): TopicDay => {
  const people = (from: number, below: number) =>
    blocks
      .filter(({ score }) => score >= from && score < below)
      .reduce((sum, block) => sum + block.people.length, 0)
  return {
    topicId,
    audience: people(0, Infinity),
    scoreSum: blocks.reduce((sum, { people, score }) => sum + score * people.length, 0),
    high: people(highFrom, Infinity),
    medium: people(mediumFrom, highFrom),
    low: people(0, mediumFrom),
  }
}

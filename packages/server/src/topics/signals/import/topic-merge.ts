// Merges new signals of one topic and date into the existing ones: a person's last score wins. Pure; merging the same
// signals twice changes nothing.
import { scoreMax } from "./signal-row.ts"

/** The highest number of a person. */
export const personMax = 2_147_483_647

/** People with one score, ascending. */
export interface Block {
  readonly score: number
  readonly people: Int32Array
}

/** New signals of the topic in order of arrival; only those of this import are counted. */
export interface Said {
  readonly people: Int32Array
  readonly scores: Uint8Array
  /** 1: of this import; 0: of an interrupted one. */
  readonly isCounted: Uint8Array
}

export interface MergedTopic {
  /** All blocks of the topic after the merge, by ascending score. */
  readonly blocks: ReadonlyArray<Block>
  /** Blocks that are new or changed. */
  readonly written: ReadonlyArray<Block>
  /** Scores whose people changed, or that have none anymore. */
  readonly gone: ReadonlyArray<number>
  /** By this import. */
  readonly inserted: number
  readonly updated: number
}

export const mergeTopic = (known: ReadonlyArray<Block>, said: Said): MergedTopic => {
  const merge = new TopicMerge(known)
  merge.add(said, personMax)
  return merge.end()
}

/** Merges in parts, by ascending people, so that each part's cost does not depend on the topic's size. */
export class TopicMerge {
  readonly #known: ReadonlyArray<Block>
  /** For each score, its people in each part. */
  readonly #parts = new Map<number, Array<Int32Array>>()
  /** The last person of the parts so far. */
  #behind = 0
  #inserted = 0
  #updated = 0

  constructor(known: ReadonlyArray<Block>) {
    this.#known = known
  }

  get behind(): number {
    return this.#behind
  }

  /** The last person for whom the next part has at most this many known people. */
  knownThrough(peopleMax: number): number {
    const knownOf = (through: number) =>
      partOf(this.#known, this.#behind, through).reduce((sum, { people }) => sum + people.length, 0)
    let least = this.#behind + 1
    let most = personMax
    while (least < most) {
      const middle = least + Math.ceil((most - least) / 2)
      if (knownOf(middle) <= peopleMax) least = middle
      else most = middle - 1
    }
    return least
  }

  /** The next part: all signals of the people after the previous part, up to this one. */
  add(said: Said, through: number): void {
    const { counts, latest } = latestOf(partOf(this.#known, this.#behind, through), said)
    const { blocks, inserted, updated } = blocksOf(latest, counts)
    for (const { people, score } of blocks) {
      const parts = this.#parts.get(score)
      if (parts === undefined) this.#parts.set(score, [people])
      else parts.push(people)
    }
    this.#behind = through
    this.#inserted += inserted
    this.#updated += updated
  }

  /** Call it after the last part. */
  end(): MergedTopic {
    const blocks = [...this.#parts]
      .toSorted(([one], [other]) => one - other)
      .map(([score, parts]) => ({ score, people: joinedOf(parts) }))
    const before = new Map(this.#known.map((block) => [block.score, block]))
    const written = blocks.filter((block) => !isSame(before.get(block.score), block))
    const left = new Set(blocks.map(({ score }) => score))
    const changed = new Set(written.map(({ score }) => score))
    const gone = this.#known
      .map(({ score }) => score)
      .filter((score) => !left.has(score) || changed.has(score))
    return { blocks, written, gone, inserted: this.#inserted, updated: this.#updated }
  }
}

/** The people of each block after one person, up to another. */
const partOf = (
  blocks: ReadonlyArray<Block>,
  behind: number,
  through: number,
): ReadonlyArray<Block> =>
  blocks.map(({ people, score }) => ({
    score,
    people: people.subarray(countThrough(people, behind), countThrough(people, through)),
  }))

/** How many of the ascending people have at most this number. */
const countThrough = (people: Int32Array, through: number): number => {
  let least = 0
  let most = people.length
  while (least < most) {
    const middle = (least + most) >>> 1
    if (people[middle]! <= through) least = middle + 1
    else most = middle
  }
  return least
}

const joinedOf = (parts: ReadonlyArray<Int32Array>): Int32Array => {
  if (parts.length === 1) return parts[0]!
  const joined = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** One person's signal: `was` is 0 if nothing was known, `isCounted` says whether this import had the last word. */
interface Latest {
  readonly people: Int32Array
  readonly scores: Uint8Array
  readonly was: Uint8Array
  readonly isCounted: Uint8Array
}

/** By ascending person, and the people of each score. */
const latestOf = (
  known: ReadonlyArray<Block>,
  { isCounted, people, scores }: Said,
): { readonly latest: Latest; readonly counts: Uint32Array } => {
  const knownScores = new Uint8Array(known.reduce((sum, block) => sum + block.people.length, 0))
  const total = knownScores.length + people.length
  // One number each, with the person in the upper half and the place in the lower, so sorting keeps each person's
  // order.
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

// The totals of one topic on one date, over shared signals (spec 2.18, Trend point).

export interface TopicDay {
  readonly topicId: number
  readonly audience: number
  readonly scoreSum: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

/** The limits of the audiences (spec 2.18). */
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

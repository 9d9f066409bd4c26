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
export interface NewSignals {
  readonly people: Int32Array
  readonly scores: Uint8Array
  /** 1: of this import; 0: of an interrupted one. */
  readonly isCounted: Uint8Array
}

export interface MergedTopic {
  /** All people of the topic after the merge. */
  readonly people: ScoredPeople
  /** Scores whose block is new or changed, ascending. */
  readonly written: ReadonlyArray<number>
  /** Scores whose block changed or is now empty. */
  readonly gone: ReadonlyArray<number>
  /** By this import. */
  readonly inserted: number
  readonly updated: number
}

/** One array for all people of a topic: most of its blocks are small, and an array costs more than its people. */
export class ScoredPeople {
  /** By score, then ascending. */
  readonly people: Int32Array
  /** For each score, where its people start; then the end. */
  readonly #starts: Uint32Array

  /** `starts`: for each score, and for the one after the highest. */
  constructor(people: Int32Array, starts: Uint32Array) {
    this.people = people
    this.#starts = starts
  }

  countOf(score: number): number {
    return this.#starts[score + 1]! - this.#starts[score]!
  }

  withScore(score: number): Int32Array {
    return this.people.subarray(this.#starts[score]!, this.#starts[score + 1]!)
  }

  /** Without scores that no one has. */
  *blocks(): Iterable<Block> {
    for (let score = 1; score <= scoreMax; score++) {
      if (this.countOf(score) > 0) yield { score, people: this.withScore(score) }
    }
  }
}

/** `room` is shared by many topics, so that each allocates less. */
export const mergeTopic = (
  known: ReadonlyArray<Block>,
  added: NewSignals,
  room = new MergeRoom(),
): MergedTopic => {
  const merge = new TopicMerge(known, room)
  merge.add(added, personMax)
  return merge.end()
}

/** Merges in parts, by ascending people, so that each part's cost does not depend on the topic's size. */
export class TopicMerge {
  readonly #known: ReadonlyArray<Block>
  readonly #room: MergeRoom
  readonly #parts: Array<ScoredPeople> = []
  /** The last person of the parts so far. */
  #behind = 0
  #inserted = 0
  #updated = 0

  constructor(known: ReadonlyArray<Block>, room = new MergeRoom()) {
    this.#known = known
    this.#room = room
  }

  get behind(): number {
    return this.#behind
  }

  /** Returns the last person for whom the next part has at most this many known people. */
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

  /** Adds the next part: all signals of the people after the previous part, up to this one. */
  add(added: NewSignals, through: number): void {
    const room = this.#room
    const length = latestInto(room, partOf(this.#known, this.#behind, through), added)
    const { inserted, people, updated } = scoredOf(room, length)
    this.#parts.push(people)
    this.#behind = through
    this.#inserted += inserted
    this.#updated += updated
  }

  /** Returns the result. Call it after the last part. */
  end(): MergedTopic {
    const people = joinedOf(this.#parts)
    const before: Array<Int32Array | undefined> = []
    for (const block of this.#known) before[block.score] = block.people
    const written: Array<number> = []
    const gone: Array<number> = []
    for (let score = 1; score <= scoreMax; score++) {
      const old = before[score]
      const count = people.countOf(score)
      if (old !== undefined && isSame(old, people.withScore(score))) continue
      if (count > 0) written.push(score)
      if (old !== undefined) gone.push(score)
    }
    return { people, written, gone, inserted: this.#inserted, updated: this.#updated }
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

/** The parts follow each other, so each score's people stay ascending. */
const joinedOf = (parts: ReadonlyArray<ScoredPeople>): ScoredPeople => {
  if (parts.length === 1) return parts[0]!
  const people = new Int32Array(parts.reduce((sum, part) => sum + part.people.length, 0))
  const starts = new Uint32Array(scoreMax + 2)
  let at = 0
  for (let score = 1; score <= scoreMax; score++) {
    starts[score] = at
    for (const part of parts) {
      people.set(part.withScore(score), at)
      at += part.countOf(score)
    }
  }
  starts[scoreMax + 1] = at
  return new ScoredPeople(people, starts)
}

/** Memory for merging, as large as the largest topic so far needed. */
export class MergeRoom {
  #size = 0
  keys = new BigUint64Array(0)
  halves = new Uint32Array(0)
  knownScores = new Uint8Array(0)

  // One person's signal: `was` is 0 if there was none, `isCounted` says whether the last score came from this
  // import.

  people = new Int32Array(0)
  scores = new Uint8Array(0)
  was = new Uint8Array(0)
  isCounted = new Uint8Array(0)

  reserve(size: number): void {
    if (size <= this.#size) return
    this.#size = Math.max(size, 2 * this.#size)
    this.keys = new BigUint64Array(this.#size)
    this.halves = new Uint32Array(this.keys.buffer)
    this.knownScores = new Uint8Array(this.#size)
    this.people = new Int32Array(this.#size)
    this.scores = new Uint8Array(this.#size)
    this.was = new Uint8Array(this.#size)
    this.isCounted = new Uint8Array(this.#size)
  }
}

/** Writes each person's latest signal, by ascending person. Returns how many there are. */
const latestInto = (
  room: MergeRoom,
  known: ReadonlyArray<Block>,
  { isCounted, people, scores }: NewSignals,
): number => {
  const knownCount = known.reduce((sum, block) => sum + block.people.length, 0)
  const total = knownCount + people.length
  room.reserve(total)
  // One number per signal, with the person in the upper half and the position in the lower, so sorting keeps each
  // person's signals in order.
  const { halves, knownScores } = room
  let place = 0
  for (const block of known) {
    for (const person of block.people) {
      knownScores[place] = block.score
      halves[2 * place] = place
      halves[2 * place + 1] = person
      place++
    }
  }
  for (let row = 0; row < people.length; row++) {
    halves[2 * place] = place
    halves[2 * place + 1] = people[row]!
    place++
  }
  room.keys.subarray(0, total).sort()
  let length = 0
  for (let at = 0; at < total; at++) {
    const first = halves[2 * at]!
    const person = halves[2 * at + 1]!
    while (at + 1 < total && halves[2 * at + 3] === person) at++
    const last = halves[2 * at]! - knownCount
    const was = first < knownCount ? knownScores[first]! : 0
    room.people[length] = person
    room.scores[length] = last < 0 ? was : scores[last]!
    room.was[length] = was
    room.isCounted[length] = last < 0 ? 0 : isCounted[last]!
    length++
  }
  return length
}

const scoredOf = ({ isCounted, people, scores, was }: MergeRoom, length: number) => {
  let inserted = 0
  let updated = 0
  // First how many people have each score, then where they end, and finally where they start.
  const starts = new Uint32Array(scoreMax + 2)
  for (let row = 0; row < length; row++) {
    const score = scores[row]!
    starts[score]!++
    if (isCounted[row] === 0) continue
    if (was[row] === 0) inserted++
    else if (was[row] !== score) updated++
  }
  for (let score = 1; score < starts.length; score++) starts[score]! += starts[score - 1]!
  const scored = new Int32Array(length)
  for (let row = length - 1; row >= 0; row--) scored[--starts[scores[row]!]!] = people[row]!
  return { people: new ScoredPeople(scored, starts), inserted, updated }
}

const isSame = (one: Int32Array, other: Int32Array): boolean =>
  one.length === other.length && one.every((person, place) => person === other[place])

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

export const topicDay = (topicId: number, scored: ScoredPeople): TopicDay => {
  let [scoreSum, high, medium, low] = [0, 0, 0, 0]
  for (let score = 1; score <= scoreMax; score++) {
    const count = scored.countOf(score)
    scoreSum += score * count
    if (score >= highFrom) high += count
    else if (score >= mediumFrom) medium += count
    else low += count
  }
  return { topicId, audience: scored.people.length, scoreSum, high, medium, low }
}

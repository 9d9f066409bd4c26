// Finds the numbers of the people of an import, step by step: those it has met before in memory, the
// others in the database. No one's number is given to a person whom the importing organization has erased.
import { Effect } from "effect"
import type { DatabaseError } from "../../../database/database-error.ts"
import { PersonNumbers } from "./person-numbers.ts"
import { columnsMax, hashWords, type SignalColumns } from "./signal-columns.ts"

/** In place of a number: the person was erased. */
const noOne = -1

export interface Register {
  /** Whether the organization has erased anyone at all. */
  readonly hasErased: Effect.Effect<boolean, DatabaseError>
  /** Until the transaction ends, no one else gives numbers. */
  readonly lock: Effect.Effect<void, DatabaseError>
  /** 0: none. */
  numbersOf(hashes: Buffer): Effect.Effect<Int32Array, DatabaseError>
  /** To ascending hashes that have none. */
  giveNumbers(hashes: Buffer): Effect.Effect<Int32Array, DatabaseError>
  /** Those of the hashes, in hexadecimal, that are of erased people. */
  erasedAmong(hashes: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>, DatabaseError>
}

export class PersonRegister {
  readonly #register: Register
  readonly #known = new PersonNumbers()

  constructor(register: Register) {
    this.#register = register
  }

  /** What is known may be wrong: an erasure took numbers away, or they were not committed. */
  forget(): void {
    this.#known.forget()
  }

  /** The number of the person of each row; below 0: no one. */
  peopleOf(columns: SignalColumns): Effect.Effect<Int32Array, DatabaseError> {
    const { length } = columns
    const people = new Int32Array(length)
    const unknown: Array<number> = []
    for (let row = 0; row < length; row++) {
      people[row] = this.#known.of(columns.hashes, row)
      if (people[row] === 0) unknown.push(row)
    }
    return unknown.length === 0
      ? Effect.succeed(people)
      : Effect.as(this.#ask(columns, people, unknown), people)
  }

  #ask = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    people: Int32Array,
    unknown: ReadonlyArray<number>,
  ) {
    const { places, rows } = distinctHashes(columns.hashes, unknown)
    const numbers = yield* this.#numbersOf(columns, rows)
    rows.forEach((row, place) => this.#known.set(columns.hashes, row, numbers[place]!))
    unknown.forEach((row, index) => (people[row] = numbers[places[index]!]!))
  })

  /** Of rows of ascending hashes. */
  #numbersOf = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    rows: ReadonlyArray<number>,
  ) {
    const register = this.#register
    const numbers = new Int32Array(rows.length).fill(noOne)
    const left = yield* this.#withoutErased(columns, rows)
    if (left.length === 0) return numbers
    const bytesOf = (places: ReadonlyArray<number>) =>
      columns.bytesOf(places.map((place) => rows[place]!))
    yield* register.lock
    const known = yield* register.numbersOf(bytesOf(left))
    left.forEach((place, index) => (numbers[place] = known[index]!))
    const strangers = left.filter((place) => numbers[place] === 0)
    if (strangers.length === 0) return numbers
    const given = yield* register.giveNumbers(bytesOf(strangers))
    strangers.forEach((place, index) => (numbers[place] = given[index]!))
    return numbers
  })

  /** The places of the rows that are not of erased people. */
  #withoutErased = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    rows: ReadonlyArray<number>,
  ) {
    const places = rows.map((_, place) => place)
    if (!(yield* this.#register.hasErased)) return places
    const bytes = columns.bytesOf(rows)
    const size = hashWords * 4
    const hashes = places.map((place) => bytes.toString("hex", place * size, (place + 1) * size))
    const erased = yield* this.#register.erasedAmong(hashes)
    return places.filter((place) => !erased.has(hashes[place]!))
  })
}

// The hashes that some rows have between them, each once and ascending: what is asked and written in the
// order of an index finds its pages in memory.
export interface DistinctHashes {
  /** One row of each hash, by ascending hash. */
  readonly rows: ReadonlyArray<number>
  /** At which of these the hash of each given row is, in the order given. */
  readonly places: Int32Array
}

/** `rows`: at most as many as one step has. */
export const distinctHashes = (hashes: Int32Array, rows: ReadonlyArray<number>): DistinctHashes => {
  const distinct: Array<number> = []
  const places = new Int32Array(rows.length)
  for (const index of ascending(hashes, rows)) {
    const row = rows[index]!
    const last = distinct.at(-1)
    if (last === undefined || compare(hashes, last, row) !== 0) distinct.push(row)
    places[index] = distinct.length - 1
  }
  return { rows: distinct, places }
}

/** Places in `rows` by ascending hash. */
const ascending = (hashes: Int32Array, rows: ReadonlyArray<number>): Uint32Array => {
  // One number each: the first word of the hash above, the place below.
  const keys = Float64Array.from(
    rows,
    (row, index) => (hashes[row * hashWords]! >>> 0) * columnsMax + index,
  ).sort()
  const indexes = Uint32Array.from(keys, (key) => key % columnsMax)
  const wordOf = (at: number) => hashes[rows[indexes[at]!]! * hashWords]
  for (let from = 0, to = 0; from < indexes.length; from = to) {
    while (to < indexes.length && wordOf(to) === wordOf(from)) to++
    if (to - from === 1) continue
    indexes.subarray(from, to).sort((one, other) => compare(hashes, rows[one]!, rows[other]!))
  }
  return indexes
}

/** As Postgres compares them: by their bytes. */
const compare = (hashes: Int32Array, one: number, other: number): number => {
  for (let word = 0; word < hashWords; word++) {
    const a = hashes[one * hashWords + word]! >>> 0
    const b = hashes[other * hashWords + word]! >>> 0
    if (a !== b) return a - b
  }
  return 0
}

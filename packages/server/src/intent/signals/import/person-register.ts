// Finds the numbers of an import's people step by step: known ones in memory, others in the database. A person the
// importing organization has erased never gets a number.
import { Effect } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { PersonNumbers } from "./person-numbers.ts"
import { columnsMax, hashWords, type SignalColumns } from "./signal-columns.ts"

/** Marks an erased person instead of a number. */
const erasedPerson = -1

export interface Register {
  /** Whether the organization has erased anyone at all. */
  readonly hasErased: Effect.Effect<boolean, DatabaseError>
  /** Keeps others from assigning numbers until the transaction ends. */
  readonly lock: Effect.Effect<void, DatabaseError>
  /** Returns 0 for a hash without a number. */
  numbersOf(hashes: Buffer): Effect.Effect<Int32Array, DatabaseError>
  /** For ascending hashes without a number. */
  giveNumbers(hashes: Buffer): Effect.Effect<Int32Array, DatabaseError>
  /** Returns those of the hexadecimal hashes that belong to erased people. */
  erasedAmong(hashes: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>, DatabaseError>
}

export class PersonRegister {
  readonly #register: Register
  readonly #known = new PersonNumbers()

  constructor(register: Register) {
    this.#register = register
  }

  /** Clears the cache, because an erasure removed numbers, or they were not committed. */
  forget(): void {
    this.#known.forget()
  }

  /** Returns the number of each row's person; negative for an erased one. */
  peopleOf(columns: SignalColumns): Effect.Effect<Int32Array, DatabaseError> {
    const { length } = columns
    const people = new Int32Array(length)
    const unknown = new Int32Array(length)
    let count = 0
    for (let row = 0; row < length; row++) {
      people[row] = this.#known.get(columns.hashes, row)
      if (people[row] === 0) unknown[count++] = row
    }
    return count === 0
      ? Effect.succeed(people)
      : Effect.as(this.#ask(columns, people, unknown.subarray(0, count)), people)
  }

  #ask = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    people: Int32Array,
    unknown: Int32Array,
  ) {
    const { places, rows } = distinctHashes(columns.hashes, unknown)
    const numbers = yield* this.#numbersOf(columns, rows)
    for (let place = 0; place < rows.length; place++) {
      this.#known.set(columns.hashes, rows[place]!, numbers[place]!)
    }
    for (let index = 0; index < unknown.length; index++) {
      people[unknown[index]!] = numbers[places[index]!]!
    }
  })

  /** For rows in ascending order of hashes. */
  #numbersOf = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    rows: Int32Array,
  ) {
    const register = this.#register
    const numbers = new Int32Array(rows.length).fill(erasedPerson)
    const left = yield* this.#withoutErased(columns, rows)
    if (left.length === 0) return numbers
    const bytesOf = (places: Int32Array) => columns.bytesOf(places.map((place) => rows[place]!))
    yield* register.lock
    const known = yield* register.numbersOf(bytesOf(left))
    left.forEach((place, index) => (numbers[place] = known[index]!))
    const strangers = left.filter((place) => numbers[place] === 0)
    if (strangers.length === 0) return numbers
    const given = yield* register.giveNumbers(bytesOf(strangers))
    strangers.forEach((place, index) => (numbers[place] = given[index]!))
    return numbers
  })

  /** The places of rows whose people are not erased. */
  #withoutErased = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    rows: Int32Array,
  ) {
    const places = rows.map((_, place) => place)
    if (!(yield* this.#register.hasErased)) return places
    const bytes = columns.bytesOf(rows)
    const size = hashWords * 4
    const hashes = Array.from(places, (place) =>
      bytes.toString("hex", place * size, (place + 1) * size),
    )
    const erased = yield* this.#register.erasedAmong(hashes)
    return places.filter((place) => !erased.has(hashes[place]!))
  })
}

// The distinct hashes of some rows, ascending. Reads and writes in index order find their pages in memory.
export interface DistinctHashes {
  /** One row per hash, by ascending hash. */
  readonly rows: Int32Array
  /** For each given row, in order, the place of its hash among these. */
  readonly places: Int32Array
}

/** `rows`: at most as many as one step has. */
export const distinctHashes = (hashes: Int32Array, rows: Int32Array): DistinctHashes => {
  const distinct = new Int32Array(rows.length)
  const places = new Int32Array(rows.length)
  let count = 0
  for (const index of ascending(hashes, rows)) {
    const row = rows[index]!
    if (count === 0 || compare(hashes, distinct[count - 1]!, row) !== 0) distinct[count++] = row
    places[index] = count - 1
  }
  return { rows: distinct.subarray(0, count), places }
}

/** Places in `rows` by ascending hash. */
const ascending = (hashes: Int32Array, rows: Int32Array): Uint32Array => {
  // One number per row, with the hash's first word in the upper half and the position in the lower.
  const keys = new Float64Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    keys[index] = (hashes[rows[index]! * hashWords]! >>> 0) * columnsMax + index
  }
  keys.sort()
  const indexes = new Uint32Array(rows.length)
  for (let index = 0; index < rows.length; index++) indexes[index] = keys[index]! % columnsMax
  const wordOf = (at: number) => hashes[rows[indexes[at]!]! * hashWords]
  for (let from = 0, to = 0; from < indexes.length; from = to) {
    while (to < indexes.length && wordOf(to) === wordOf(from)) to++
    if (to - from === 1) continue
    indexes.subarray(from, to).sort((one, other) => compare(hashes, rows[one]!, rows[other]!))
  }
  return indexes
}

/** Compares bytes, as Postgres does. */
const compare = (hashes: Int32Array, one: number, other: number): number => {
  for (let word = 0; word < hashWords; word++) {
    const a = hashes[one * hashWords + word]! >>> 0
    const b = hashes[other * hashWords + word]! >>> 0
    if (a !== b) return a - b
  }
  return 0
}

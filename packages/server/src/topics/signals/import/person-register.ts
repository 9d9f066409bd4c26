// Finds the numbers of the people of an import, step by step: those it has met before in memory, the
// others in the database. No one's number is given to a person whom the importing organization has erased.
import { Effect } from "effect"
import type { DatabaseError } from "../../../database/database-error.ts"
import { distinctHashes } from "./distinct-hashes.ts"
import { PersonNumbers } from "./person-numbers.ts"
import { hashWords, type SignalColumns } from "./signal-columns.ts"

/** In place of a number: the person was erased. */
const noOne = -1

export interface Register {
  /** Whether the organization has erased anyone at all. */
  readonly hasErased: Effect.Effect<boolean, DatabaseError>
  /** Until the transaction ends, no one else gives numbers. */
  readonly lock: Effect.Effect<void, DatabaseError>
  /** 0: none. */
  numbersOf(hashes: Buffer): Effect.Effect<ReadonlyArray<number>, DatabaseError>
  /** To ascending hashes that have none. */
  giveNumbers(hashes: Buffer): Effect.Effect<ReadonlyArray<number>, DatabaseError>
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

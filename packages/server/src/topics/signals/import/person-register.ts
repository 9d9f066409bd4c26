// Finds the numbers of the people of an import, step by step: those it has met before in memory, the
// others in the database. Nobody's number is given to a person whom the importing organization has erased.
import { Effect } from "effect"
import type { DatabaseError } from "../../../database/database-error.ts"
import { PersonNumbers } from "./person-numbers.ts"
import { hashWords, type SignalColumns } from "./signal-columns.ts"

/** In place of a number: the person was erased. */
const nobody = -1

/** Tries of a number that somebody else is just giving. */
const triesMax = 10

export interface Register {
  /** Whether the organization has erased anybody at all. */
  readonly hasErased: Effect.Effect<boolean, DatabaseError>
  /** 0: not yet, somebody else is just giving one. */
  numbersOf(hashes: Buffer): Effect.Effect<ReadonlyArray<number>, DatabaseError>
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

  /** The number of the person of each row; below 0: nobody. */
  peopleOf(columns: SignalColumns): Effect.Effect<Int32Array, DatabaseError> {
    const { length } = columns
    const people = new Int32Array(length)
    const unknown: Array<number> = []
    for (let row = 0; row < length; row++) {
      people[row] = this.#known.of(columns.hashes, row)
      if (people[row] === 0) unknown.push(row)
    }
    return Effect.as(this.#ask(columns, people, unknown), people)
  }

  #ask = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    people: Int32Array,
    unknown: ReadonlyArray<number>,
  ) {
    let rows = yield* this.#withoutErased(columns, people, unknown)
    for (let tries = 0; rows.length > 0 && tries < triesMax; tries++) {
      const numbers = yield* this.#register.numbersOf(columns.bytesOf(rows))
      rows.forEach((row, index) => this.#learn(columns, people, row, numbers[index]!))
      rows = rows.filter((row) => people[row] === 0)
    }
    if (rows.length > 0) return yield* Effect.die(new Error("people without a number"))
  })

  #withoutErased = Effect.fnUntraced(function* (
    this: PersonRegister,
    columns: SignalColumns,
    people: Int32Array,
    rows: ReadonlyArray<number>,
  ) {
    if (rows.length === 0 || !(yield* this.#register.hasErased)) return rows
    const bytes = columns.bytesOf(rows)
    const size = hashWords * 4
    const hashOf = (index: number) => bytes.toString("hex", index * size, (index + 1) * size)
    const erased = yield* this.#register.erasedAmong(rows.map((_, index) => hashOf(index)))
    return rows.filter((row, index) => {
      const isErased = erased.has(hashOf(index))
      if (isErased) this.#learn(columns, people, row, nobody)
      return !isErased
    })
  })

  #learn({ hashes }: SignalColumns, people: Int32Array, row: number, number: number): void {
    people[row] = number
    if (number !== 0) this.#known.set(hashes, row, number)
  }
}

// Reads the records of one kind: the named fields of a JSON object or of a CSV row become values by
// their place in the list of fields. A field that is absent, an empty text or an empty cell says
// nothing; null clears. The first thing that is wrong refuses the row.
import type { CopyValue } from "./copy-text.ts"
import { type Field, Refused } from "./field.ts"
import { Rejection } from "./rejection.ts"

/** What a record said, by the place of the field. */
export interface FieldValues {
  readonly values: Array<CopyValue | undefined>
  /** Bit n: field n is to be cleared. So a kind has at most 31 fields. */
  cleared: number
}

/** Two records of one key, said one after the other, as one. */
export const overlaid = (earlier: FieldValues, later: FieldValues): FieldValues => {
  const values = later.values.map((value, place) =>
    value === undefined && !(later.cleared & (1 << place)) ? earlier.values[place] : value,
  )
  const set = values.reduce(
    (bits: number, value, place) => (value === undefined ? bits : bits | (1 << place)),
    0,
  )
  return { values, cleared: (earlier.cleared | later.cleared) & ~set }
}

export class RecordReader {
  readonly #fields: ReadonlyArray<Field>
  /** Copied for each record: much cheaper than made. */
  readonly #empty: ReadonlyArray<CopyValue | undefined>
  /** Places by name; of a group, the places of its members. */
  readonly #places = new Map<string, number | Map<string, number>>()

  constructor(fields: ReadonlyArray<Field>) {
    this.#fields = fields
    this.#empty = fields.map(() => undefined)
    fields.forEach(({ path }, place) => {
      const [name = "", member] = path.split(".")
      if (member === undefined) this.#places.set(name, place)
      else this.#members(name).set(member, place)
    })
  }

  /** The reader of the rows below a CSV header. */
  cells(header: ReadonlyArray<string>): (cells: ReadonlyArray<string>) => FieldValues | Rejection {
    const places = header.map((name) => this.#fields.findIndex(({ path }) => path === name))
    return (cells) => {
      if (cells.length !== header.length) return new Rejection("unreadable_row")
      const read = this.#nothing()
      for (let column = 0; column < cells.length; column++) {
        const cell = cells[column]!
        if (cell === "" || cell.trim() === "") continue
        const place = places[column]!
        if (place === -1) return new Rejection("unknown_field", header[column])
        const rejection = this.#set(read, place, this.#fields[place]!.ofText(cell.trim()))
        if (rejection !== undefined) return rejection
      }
      return read
    }
  }

  object(record: unknown): FieldValues | Rejection {
    if (!isObject(record)) return new Rejection("not_an_object")
    const read = this.#nothing()
    return this.#readInto(read, record, this.#places, "") ?? read
  }

  #readInto(
    read: FieldValues,
    object: JsonObject,
    places: ReadonlyMap<string, number | Map<string, number>>,
    prefix: string,
  ): Rejection | undefined {
    for (const name in object) {
      const place = places.get(name)
      const value = object[name] // own keys: of an object that was read from JSON.
      const rejection =
        place === undefined
          ? new Rejection("unknown_field", prefix + name)
          : typeof place === "number"
            ? this.#set(read, place, value)
            : this.#group(read, name, place, value)
      if (rejection !== undefined) return rejection
    }
    return undefined
  }

  #group(
    read: FieldValues,
    name: string,
    members: Map<string, number>,
    value: unknown,
  ): Rejection | undefined {
    if (value === null) {
      for (const place of members.values()) read.cleared |= 1 << place
      return undefined
    }
    if (!isObject(value)) return new Rejection("invalid_type", name)
    return this.#readInto(read, value, members, `${name}.`)
  }

  #set(read: FieldValues, place: number, value: unknown): Rejection | undefined {
    if (value === null) {
      read.cleared |= 1 << place
      return undefined
    }
    if (typeof value === "string" && value.trim() === "") return undefined
    const field = this.#fields[place]!
    const stored = field.read(value)
    if (stored instanceof Refused) {
      return new Rejection(stored.reason, field.path, stored.message)
    }
    read.values[place] = stored
    return undefined
  }

  #nothing(): FieldValues {
    return { values: this.#empty.slice(), cleared: 0 }
  }

  #members(name: string): Map<string, number> {
    const known = this.#places.get(name)
    if (known instanceof Map) return known
    const members = new Map<string, number>()
    this.#places.set(name, members)
    return members
  }
}

type JsonObject = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

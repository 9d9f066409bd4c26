// Reads records of one kind: maps the fields of a JSON object or a CSV row to values by field index. An absent
// field, an empty text or an empty cell submits nothing; null clears the field. The first error rejects the row.
import type { CopyValue } from "./copy-text.ts"
import { type Field, Refused } from "./field.ts"
import { Rejection } from "./rejection.ts"

/** The values a record submitted, by field index. */
export interface FieldValues {
  readonly values: Array<CopyValue | undefined>
  /** Bit n: clear field n. So a kind has at most 31 fields. */
  cleared: number
}

/** Merges two records with the same key. The later one takes precedence. */
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
  /** Copied for each record, which is much cheaper than building it. */
  readonly #empty: ReadonlyArray<CopyValue | undefined>
  /** Names every field, for a record that has another. */
  readonly #known: string
  /** Indexes by name; for a group, the indexes of its members. */
  readonly #places = new Map<string, number | Map<string, number>>()

  constructor(fields: ReadonlyArray<Field>) {
    this.#fields = fields
    this.#known = `Expected one of ${fields.map(({ path }) => path).join(", ")}.`
    this.#empty = fields.map(() => undefined)
    fields.forEach(({ path }, place) => {
      const [name = "", member] = path.split(".")
      if (member === undefined) this.#places.set(name, place)
      else this.#members(name).set(member, place)
    })
  }

  /** Returns the reader for the rows below a CSV header. */
  cells(header: ReadonlyArray<string>): (cells: ReadonlyArray<string>) => FieldValues | Rejection {
    const places = header.map((name) => this.#fields.findIndex(({ path }) => path === name))
    return (cells) => {
      if (cells.length !== header.length) return new Rejection("unreadable_row")
      const read = this.#nothing()
      for (let column = 0; column < cells.length; column++) {
        const cell = cells[column]!
        if (cell === "" || cell.trim() === "") continue
        const place = places[column]!
        if (place === -1) return new Rejection("unknown_field", header[column], this.#known)
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
      const value = object[name] // own keys: the object comes from JSON.parse
      const rejection =
        place === undefined
          ? new Rejection("unknown_field", prefix + name, this.#known)
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

/** The first required field that a record lacks. */
export const missingField = (
  fields: ReadonlyArray<{ readonly path: string }>,
  { values }: FieldValues,
): Rejection | undefined => {
  const missing = fields.findIndex((_, place) => values[place] === undefined)
  return missing === -1 ? undefined : new Rejection("missing_field", fields[missing]!.path)
}

// The fields of an importable record: name, type and normalization. A reader gets a trimmed, storable text, or a
// JSON value, and returns the value to store or the reason for rejecting it. `ofText` reads a number, a flag or a
// list from a CSV cell.
import { hiddenCharacter } from "@footfall/normal-form"
import { isAtMost } from "../../collect/visits/clean-text.ts"
import type { CopyValue } from "./copy-text.ts"
import type { RejectionReason } from "./rejection.ts"

/** A rejected value. It is a class because a value may be any text. */
export class Refused {
  readonly reason: RejectionReason
  readonly message: string | undefined

  constructor(reason: RejectionReason, message?: string) {
    this.reason = reason
    this.message = message
  }
}

export interface Field {
  /** Dotted name on the wire, also the name of its CSV column. */
  readonly path: string
  /** Column of the staging table. */
  readonly column: string
  /** Converts a nonempty CSV cell to the value that JSON would have. */
  readonly ofText: (text: string) => unknown
  readonly read: (value: unknown) => CopyValue | Refused
}

type Place = Pick<Field, "path" | "column">

const asIs = (text: string): unknown => text

const tooLong = new Refused("value_too_long")
const wrongType = new Refused("invalid_type")
const wrongValue = new Refused("invalid_value")
const outOfRange = new Refused("out_of_range")

/** *Units*: `lengthMax` in Unicode code points. */
export const text = (
  place: Place,
  lengthMax: number,
  normalize: (text: string) => string | undefined = (given) => given,
): Field => ({
  ...place,
  ofText: asIs,
  read: (value) => readText(value, lengthMax, normalize),
})

export const wholeNumber = (
  place: Place,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): Field => ({
  ...place,
  ofText: (cell) => (/^[+-]?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell),
  read: (value) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return wrongType
    return value < minimum || value > maximum ? outOfRange : value
  },
})

/** Removes duplicates and keeps the order. *Bounds*: `itemsMax` elements. */
export const textList = (
  place: Place,
  { itemsMax, lengthMax }: { readonly itemsMax: number; readonly lengthMax: number },
  normalize: (text: string) => string | undefined,
): Field => ({
  ...place,
  ofText: elementsOf,
  read: (value) => {
    if (!Array.isArray(value)) return wrongType
    if (value.length > itemsMax) return tooLong
    const items = new Set<string>()
    for (const item of value as ReadonlyArray<unknown>) {
      const read = readText(item, lengthMax, normalize)
      if (typeof read !== "string") return read
      items.add(read)
    }
    return [...items]
  },
})

/** One flag for all, or a list of flags, one per element of a parallel list. */
export const flags = (place: Place, itemsMax: number): Field => ({
  ...place,
  ofText: (cell) => {
    const items = elementsOf(cell).map(flagOf)
    return items.length === 1 ? items[0] : items
  },
  read: (value) => {
    if (typeof value === "boolean") return value
    if (!Array.isArray(value) || !value.every((item) => typeof item === "boolean")) return wrongType
    return value.length > itemsMax ? tooLong : (value as ReadonlyArray<boolean>)
  },
})

const elementsOf = (cell: string): ReadonlyArray<string> =>
  cell
    .split("|")
    .map((item) => item.trim())
    .filter((item) => item !== "")

const flagOf = (item: string): unknown => {
  const word = item.toLowerCase()
  return word === "true" ? true : word === "false" ? false : item
}

const readText = (
  value: unknown,
  lengthMax: number,
  normalize: (text: string) => string | undefined,
): string | Refused => {
  if (typeof value !== "string") return wrongType
  const given = value.trim()
  if (given.length > lengthMax && !isAtMost(given, lengthMax)) return tooLong
  if (given === "" || !given.isWellFormed()) return wrongValue
  if (given.includes("\0")) return unseen(given)
  return normalize(given) ?? unseen(given)
}

/** Rejects the value, and names an invisible character if it contains one. */
const unseen = (given: string): Refused => {
  const hidden = hiddenCharacter(given)
  return hidden === undefined
    ? wrongValue
    : new Refused("invalid_value", `Expected no invisible character, received ${hidden}.`)
}

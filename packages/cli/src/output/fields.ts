// The fields that `--fields` selects: paths like `id` or `company.name`. Pure.

import { usageError } from "../errors/cli-error.ts"
import { valueAt } from "./csv.ts"

/** Paths, in the order in which they are wanted. */
export type Fields = ReadonlyArray<string>

/** The option's value, split. Errors: usage, for a path that is empty. */
export const fieldsGiven = (text: string): Fields => {
  const fields = [...new Set(text.split(",").map((path) => path.trim()))]
  if (fields.every((path) => /^[^.]+(\.[^.]+)*$/.test(path))) return fields
  throw usageError(`--fields ${text} has an empty field name.`, "For example: --fields id,name")
}

/** The object with these fields alone, each where it was; what it lacks is null. */
export const withFields = (record: object, fields: Fields): object => {
  const chosen = member(undefined)
  for (const path of fields) {
    const names = path.split(".")
    const last = names.pop() ?? path
    const holder = names.reduce<Record<string, unknown>>(
      // own keys: members of objects without a prototype.
      (at, name) => (at[name] = member(at[name])),
      chosen,
    )
    holder[last] = valueAt(record, path) // own keys: likewise.
  }
  return chosen
}

/** Without a prototype: a field may have any name. */
const member = (value: unknown) =>
  ({
    __proto__: null,
    ...(typeof value === "object" ? value : {}),
  }) as unknown as Record<string, unknown>

/**
 * Sees to it that every field is one of the records or of the columns.
 * Errors: usage, listing the available fields.
 */
export const requireFields = (
  fields: Fields,
  records: ReadonlyArray<object>,
  columns: ReadonlyArray<string>,
): void => {
  const there = new Set([...columns, ...records.flatMap((record) => pathsOf(record, ""))])
  const isThere = (field: string): boolean =>
    there.has(field) ||
    [...there].some((path) => path.startsWith(`${field}.`) || field.startsWith(`${path}.`))
  const unknown = fields.find((field) => !isThere(field))
  if (unknown === undefined || there.size === 0) return
  throw usageError(`Unknown field: ${unknown}`, `Available: ${[...there].join(", ")}`)
}

/** Every path to a value that is no object; lists are values. */
const pathsOf = (value: object, before: string): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? pathsOf(inner, `${before}${name}.`)
      : [`${before}${name}`],
  )

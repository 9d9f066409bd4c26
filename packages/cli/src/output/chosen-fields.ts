// Reduces a record to the fields of `--fields`. Pure.

import { valueAt } from "@footfall/normal-form/csv"
import { usageError } from "../errors/cli-error.ts"
import type { Fields } from "./output-format.ts"

/** The record with only these fields, or the whole record, and its columns. Errors: usage, for an unknown field. */
export const chosenRecord = (
  data: object,
  fields: Fields | null,
): { readonly record: object; readonly paths: Fields } => {
  if (fields === null) return { record: data, paths: pathsOf(data) }
  requireFields(fields, [data], [])
  return { record: withFields(data, fields), paths: fields }
}

/** The object with only these fields, each in its place. A missing field is null. */
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

/** Has no prototype, because a field may have any name. */
const member = (value: unknown) =>
  ({
    __proto__: null,
    ...(typeof value === "object" ? value : {}),
  }) as unknown as Record<string, unknown>

/** Checks that every field is in one of the records or columns. Errors: usage, listing the available fields. */
export const requireFields = (
  fields: Fields,
  records: ReadonlyArray<object>,
  columns: ReadonlyArray<string>,
): void => {
  const known = new Set([...columns, ...records.flatMap((record) => pathsOf(record))])
  const isKnown = (field: string): boolean =>
    known.has(field) ||
    [...known].some((path) => path.startsWith(`${field}.`) || field.startsWith(`${path}.`))
  const unknown = fields.find((field) => !isKnown(field))
  if (unknown === undefined || known.size === 0) return
  throw usageError(`Unknown field: ${unknown}`, `Available: ${[...known].join(", ")}`)
}

/** The path of every value that is not an object. Lists count as values. */
const pathsOf = (value: object, before = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? pathsOf(inner, `${before}${name}.`)
      : [`${before}${name}`],
  )

// The parameter `fields` of a list: which fields of each row to return (spec 1.6.13).
import { Schema } from "effect"
import { described } from "./fields.ts"
import { show } from "./issues.ts"

const namesOf = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim())

/** `fields`: of the list's rows. Accepts their names, separated by commas. */
export const fieldsParameter = (fields: Readonly<Record<string, unknown>>) => {
  const known = new Set(Object.keys(fields))
  const isKnown = Schema.makeFilter<string>(
    (text) => {
      const unknown = namesOf(text).find((name) => !known.has(name))
      return unknown === undefined || `names of fields, and ${show(unknown)} is not one`
    },
    { issueCode: "unknown_field" },
  )
  return described(
    "Only these fields of each row, separated by commas. Default: all.",
    Schema.optionalKey(Schema.String.check(isKnown)),
  )
}

/** The rows with only the chosen fields, in their usual order; all of them without a choice. */
export const withFields = <Row extends object>(
  rows: ReadonlyArray<Row>,
  fields: string | undefined,
): ReadonlyArray<Partial<Row>> => {
  if (fields === undefined) return rows
  const chosen = new Set(namesOf(fields))
  return rows.map(
    (row) =>
      // A part of the row.
      Object.fromEntries(Object.entries(row).filter(([name]) => chosen.has(name))) as Partial<Row>,
  )
}

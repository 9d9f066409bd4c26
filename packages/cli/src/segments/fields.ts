// The fields of rules with their types, and the operators of each type (spec 3.2, 3.3).

import { type FieldType, fieldTypes, operators } from "@footfall/normal-form/rule-fields"

export const fieldTypeNames = Object.keys(operators) as ReadonlyArray<FieldType> // its keys

export const operatorsOf = (type: FieldType): ReadonlyArray<string> => Object.keys(operators[type])

/** Every field. `custom.<key>` is any key of custom attribution. */
export const ruleFields: ReadonlyArray<{ readonly field: string; readonly type: FieldType }> = [
  ...Object.entries(fieldTypes).map(([field, type]) => ({ field, type })),
  { field: "custom.<key>", type: "text" },
]

/** Undefined for an unknown field, including a field of a newer server. */
export const typeOfField = (field: string): FieldType | undefined =>
  field.startsWith("custom.") ? "text" : ruleFields.find((one) => one.field === field)?.type

const CLOSEST_SHOWN = 3

/** The fields with the most similar names, most similar first. */
export const closestFields = (text: string): ReadonlyArray<string> =>
  ruleFields
    .map(({ field }) => ({ field, likeness: likeness(text.toLowerCase(), field) }))
    .filter((one) => one.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, CLOSEST_SHOWN)
    .map(({ field }) => field)

/** The share of neighboring letter pairs that two texts have in common (Dice). */
const likeness = (one: string, other: string): number => {
  const [mine, theirs] = [pairs(one), pairs(other)]
  const shared = [...mine].filter((pair) => theirs.has(pair)).length
  return (2 * shared) / (mine.size + theirs.size)
}

const pairs = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.slice(1), (letter, at) => text[at]! + letter))

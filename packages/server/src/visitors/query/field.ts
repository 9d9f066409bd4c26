// The fields of a rule, by type; the type decides the operators (spec 3.3). A `custom.` field is the value of one key
// of customAttribution.
import { type FieldType, fieldTypes } from "@footfall/normal-form/rule-fields"

type FieldTypes = typeof fieldTypes
export type CustomField = `custom.${string}`

/** The fields of a type. */
export type FieldOf<Type extends FieldType> =
  | { [Name in keyof FieldTypes]: FieldTypes[Name] extends Type ? Name : never }[keyof FieldTypes]
  | ("text" extends Type ? CustomField : never)

export type Field = FieldOf<FieldType>

/** Every field except custom ones, which are unlimited. */
export const fieldNames = Object.keys(fieldTypes) as ReadonlyArray<keyof FieldTypes> // the table's own keys

export const customPattern = /^custom\.[A-Za-z0-9_.-]{1,64}$/

export const isField = (name: unknown): name is Field =>
  typeof name === "string" && (Object.hasOwn(fieldTypes, name) || customPattern.test(name))

export const isCustomField = (field: Field): field is CustomField => field.startsWith("custom.")

export const typeOfField = (field: Field): FieldType =>
  isCustomField(field) ? "text" : fieldTypes[field]

/** The key of customAttribution; case-sensitive. */
export const customKeyOf = (field: CustomField): string => field.slice("custom.".length)

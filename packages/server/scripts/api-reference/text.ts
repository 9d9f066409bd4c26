// Types, fields and examples of the reference in words: Markdown within a line, which both of its forms read.
import { errorStatus } from "../../src/platform/http/errors.ts"
import { errorCodesOf } from "../../src/app/reference/error-codes.ts"
import { type Content, isError, nameOf, type Operation, type Schema } from "./contract.ts"

/** A row of cells. */
export type Row = ReadonlyArray<string>

/** A title, the names of the columns and the rows. */
export interface Table {
  readonly names: Row
  readonly rows: ReadonlyArray<Row>
}

export const parametersTable = ({ parameters = [] }: Operation): Table => ({
  names: ["Parameter", "In", "Type", "Required", "Meaning"],
  rows: parameters.map(({ description = "", in: place, name, required, schema }) => [
    `\`${name}\``,
    place,
    typeText(schema),
    required ? "yes" : "",
    description,
  ]),
})

/** With a column for descriptions where a field has one. */
export const fieldsTable = (schema: Schema): Table => {
  const rows = fieldsOf(schema, "")
  const isSaid = rows.some(([, , , meaning]) => meaning !== "")
  return isSaid
    ? { names: ["Field", "Type", "Required", "Meaning"], rows }
    : { names: ["Field", "Type", "Required"], rows: rows.map((cells) => cells.slice(0, 3)) }
}

/** One line for each field; nested fields have the names of their objects in front. */
const fieldsOf = (schema: Schema, before: string): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${before}${name}`
    const isRequired = schema.required?.includes(name) ? "yes" : ""
    return [
      [`\`${path}\``, typeText(field), isRequired, field.description ?? ""],
      ...fieldsOf(objectIn(field), `${path}.`),
    ]
  })

const objectIn = (schema: Schema): Schema =>
  schema.properties === undefined
    ? (schema.anyOf?.find(({ properties }) => properties !== undefined) ?? {})
    : schema

/** The codes that the operation may return, by status. */
export const errorsOf = (operation: Operation): ReadonlyArray<string> =>
  errorCodesOf(operation)
    .toSorted((one, other) => errorStatus[one] - errorStatus[other])
    .map((code) => `\`${code}\``)

/** What succeeds: the status and what is in the body. */
export const answersOf = ({ responses }: Operation): ReadonlyArray<string> =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content }]) => `${status} ${contentText(content)}`.trimEnd())

/** The example of the response that succeeds. */
export const answerExample = ({ responses }: Operation): Example | undefined =>
  exampleOf(Object.values(responses)[0]?.content)

export interface Example {
  readonly type: string
  readonly text: string
}

/** The example of the first media type; a body without fields needs none. */
export const exampleOf = (content: Content = {}): Example | undefined => {
  const [type, { example } = {}] = Object.entries(content)[0] ?? []
  const isEmpty = example === undefined || JSON.stringify(example) === "{}"
  if (isEmpty || type === undefined) return undefined
  return {
    type,
    text: typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2),
  }
}

export const contentText = (content: Content = {}): string =>
  Object.entries(content)
    .map(([type, { schema }]) =>
      type === "application/json" ? typeText(schema) : `\`${type}\`, ${typeText(schema)}`,
    )
    .join(" or ")

export const typeText = (schema: Schema): string => {
  const { $ref, anyOf, const: constant, oneOf, type } = schema
  const alternatives = anyOf ?? oneOf
  if ($ref !== undefined) return link($ref)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(", ")
  if (constant !== undefined) return literal(constant)
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map(typeText))].join(" or ")
  }
  if (Array.isArray(type)) return type.join(" or ")
  if (type === "array") return `list of ${listedText(schema)}${between("items", schema)}`
  if (type === "object") return objectText(schema)
  if (type === undefined) return "anything"
  return `${schema.format ?? type}${between("", schema)}`
}

const listedText = ({ items, prefixItems = [] }: Schema): string => {
  const listed = items === undefined || items === false ? prefixItems : [items]
  return [...new Set(listed.map(typeText))].join(" or ") || "anything"
}

const objectText = ({ additionalProperties }: Schema): string =>
  typeof additionalProperties === "object"
    ? `object, each value ${typeText(additionalProperties)}`
    : "object"

const literal = (value: unknown): string =>
  value === null ? "null" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``

/** Bounds in words, such as `(1 to 10)`. */
const between = (unit: string, schema: Schema): string => {
  const low = schema.minimum ?? schema.minLength ?? schema.minItems
  const high = schema.maximum ?? schema.maxLength ?? schema.maxItems
  const isLength = schema.minLength !== undefined || schema.maxLength !== undefined
  const what = isLength ? " characters" : unit === "" ? "" : ` ${unit}`
  if (low === undefined && high === undefined) return ""
  if (low === undefined) return ` (at most ${high}${what})`
  return high === undefined ? ` (at least ${low}${what})` : ` (${low} to ${high}${what})`
}

const link = (reference: string): string => {
  const name = nameOf(reference)
  return isError(name) ? "error" : `[${name}](#${name.toLowerCase()})`
}

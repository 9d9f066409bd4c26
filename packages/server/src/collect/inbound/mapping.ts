// How the records of a source become fields: a path or a text for each (spec 15.3.6). A preset has its own fields; those
// of a mapping win.
import { attributionKeysMax } from "../visits/attribution.ts"
import { type Path, readPath, valueAt, valuesAt } from "./path.ts"

export const recordKinds = ["person", "company"] as const
export type RecordKind = (typeof recordKinds)[number]

export interface Mapping {
  readonly kind: RecordKind
  /** Where the records are in the body. */
  readonly each?: string
  readonly fields: Readonly<Record<string, string>>
}

export const fieldNames = [
  "email",
  "emailHash",
  "firstName",
  "lastName",
  "fullName",
  "jobTitle",
  "linkedinUrl",
  "phone",
  "companyName",
  "companyDomain",
  "website",
  "industry",
  "employeeCount",
  "revenue",
  "city",
  "state",
  "zipCode",
  "country",
  "url",
  "referrer",
  "at",
  "eventName",
  "id",
] as const
export type FieldName = (typeof fieldNames)[number]

const customForm = /^custom\.([A-Za-z][A-Za-z0-9_.-]{0,63})$/
/** Maximum length of `=text`. Units: code points. */
const textLengthMax = 255

/** A value for each field that the record has, by its name, `custom.<key>` included. */
export type Found = ReadonlyMap<string, unknown>

export interface MappingFault {
  /** In the mapping, such as `fields/email`. */
  readonly path: string
  readonly message: string
}

/** What is wrong with a mapping; undefined if nothing is. */
export const mappingFault = ({ each, fields }: Mapping): MappingFault | undefined => {
  if (each !== undefined) {
    const path = readPath(each)
    if (typeof path === "string") return { path: "each", message: path }
  }
  const names = Object.entries(fields)
  const customs = names.filter(([name]) => name.startsWith("custom."))
  if (customs.length > attributionKeysMax) {
    const message = `Expected at most ${attributionKeysMax} custom fields, received ${customs.length}.`
    return { path: "fields", message }
  }
  for (const [name, source] of names) {
    const fault = fieldFault(name, source)
    if (fault !== undefined) return { path: `fields/${name}`, message: fault }
  }
  return undefined
}

const fieldFault = (name: string, source: string): string | undefined => {
  if (!fieldNames.some((known) => known === name) && !customForm.test(name)) {
    return `Expected one of ${fieldNames.join(", ")} or custom.<key>, received "${name.slice(0, 80)}".`
  }
  if (source.startsWith("=")) {
    return [...source].length - 1 <= textLengthMax
      ? undefined
      : `Expected at most ${textLengthMax} characters after =.`
  }
  const path = readPath(source)
  if (typeof path === "string") return path
  return path.some(({ kind }) => kind === "every")
    ? "Expected no [*]: it is for each alone."
    : undefined
}

/** The records in one body, at most `limit`. Without `each`, or without anything there, the body is the record. */
export const recordsIn = (
  body: unknown,
  mapping: Mapping | null,
  limit: number,
): ReadonlyArray<unknown> => {
  if (mapping?.each === undefined) return [body]
  const found = valuesAt(body, pathOf(mapping.each), limit)
  return found.length === 0 ? [body] : found
}

/** The fields of a mapping. A missing path, null and an empty text are an absent field. */
export const mappedFields = (record: unknown, { fields }: Mapping): Found => {
  const found = new Map<string, unknown>()
  for (const [name, source] of Object.entries(fields)) {
    const value = source.startsWith("=") ? source.slice(1) : valueAt(record, pathOf(source))
    if (value !== undefined && value !== null && value !== "") found.set(name, value)
  }
  return found
}

export const customKeyOf = (field: string): string | undefined => customForm.exec(field)?.[1]

/** Checked when it was stored. */
const pathOf = (text: string): Path => {
  const path = readPath(text)
  return typeof path === "string" ? [] : path
}

// One identity link as a row of the staging table: an alias address (by hash), the id of a browser, or
// an own id leads to the person with the hash. All three fields are needed. Source: spec 2.19.
import { normalizeEmailHash } from "../../visits/email-address.ts"
import { copyText } from "../import/copy-text.ts"
import { text } from "../import/field.ts"
import type { ImportRow } from "../import/merged-import.ts"
import { type FieldValues, RecordReader } from "../import/record-reader.ts"
import { Rejection } from "../import/rejection.ts"
import { canonical } from "../vocabulary.ts"

/** Units: code points. */ // spec 2.19
export const linkValueLengthMax = 255

const kinds = ["email", "anonymous_id", "external_id"] as const
type LinkKind = (typeof kinds)[number]

const fields = [
  text({ path: "kind", column: "kind" }, linkValueLengthMax, canonical(kinds)),
  text({ path: "value", column: "value" }, linkValueLengthMax),
  text({ path: "emailHash", column: "email_hash" }, linkValueLengthMax, normalizeEmailHash),
]

export const linkReader = new RecordReader(fields)

export const linkColumns = fields.map(({ column }) => column)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The normal form of a value by kind; undefined for what is none. */
const normalizeValue: Readonly<Record<LinkKind, (value: string) => string | undefined>> = {
  email: normalizeEmailHash,
  anonymous_id: (value) => (uuid.test(value.toLowerCase()) ? value.toLowerCase() : undefined),
  external_id: (value) => value,
}

export const linkRow = (said: FieldValues): ImportRow | Rejection => {
  const { values } = said
  const missing = fields.findIndex((_, place) => values[place] === undefined)
  if (missing !== -1) return new Rejection("missing_field", fields[missing]!.path)
  // Their readers give texts, the first one of the kinds.
  const [kind, given] = values as [LinkKind, string]
  const value = normalizeValue[kind](given)
  if (value === undefined) return new Rejection("invalid_value", "value")
  values[1] = value
  return { key: `${kind} ${value}`, said }
}

export const linkLine = ({ said }: ImportRow): string => said.values.map(copyText).join("\t")

/** The addresses the link is about. */
export const linkHashes = ({ said }: ImportRow): ReadonlyArray<string> => {
  // The row was read: its kind, value and hash are texts.
  const [kind, value, emailHash] = said.values as [LinkKind, string, string]
  return kind === "email" ? [value, emailHash] : [emailHash]
}

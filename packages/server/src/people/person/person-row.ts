// Converts an imported person to a row of the staging table and resolves fields that depend on each other. The key
// is the SHA-256 of the email, or the given hash if there is no email.
import { emailHashOf, otherHashOf } from "../../collect/visits/email-address.ts"
import { copyNull, copyText } from "../imports/copy-text.ts"
import type { ImportOrigin } from "../imports/import-kind.ts"
import type { ImportRow } from "../imports/merged-import.ts"
import { type FieldValues, overlaid, RecordReader } from "../imports/record-reader.ts"
import { Rejection } from "../imports/rejection.ts"
import { hashField, personFields, placeOf } from "./person-fields.ts"
import { normalizeRegion } from "./region.ts"

const emailPlace = placeOf("email")
const addressPlaces = ["emails", "businessEmail", "personalEmail"].map(placeOf)
const emailsPlace = placeOf("emails")
const phonesPlace = placeOf("phones")
const doNotCallPlace = placeOf("phonesDnc")
const statePlace = placeOf("geo.state")
const countryPlace = placeOf("geo.country")
/** After the fields that have a column. */
const hashPlace = personFields.length
/** Set if one flag applies to all phones of the record. */
const allDoNotCallPlace = personFields.length + 1

export const personReader = new RecordReader([...personFields, hashField])

/** The columns of `personLine`. */
export const personColumns = (places: ReadonlyArray<number>) => [
  "position",
  "email_hash",
  "cleared",
  ...places.map((place) => personFields[place]!.column),
  "phones_dnc_all",
]

/** Returns the indexes of the fields that at least one row submits. A copy of these rows needs no other columns. */
export const submittedPlaces = (rows: ReadonlyArray<ImportRow>): ReadonlyArray<number> =>
  personFields.flatMap((_, place) =>
    rows.some(({ submitted: { values } }) => submits(values, place)) ? [place] : [],
  )

const submits = (values: FieldValues["values"], place: number): boolean =>
  values[place] !== undefined ||
  (place === doNotCallPlace && values[allDoNotCallPlace] !== undefined)

/** Returns the person's row, or why the record as a whole is rejected. */
export const personRow = (submitted: FieldValues): ImportRow | Rejection => {
  const { values } = submitted
  const email = values[emailPlace]
  const given = values[hashPlace]
  // The readers of addresses and hashes return texts.
  const key = email === undefined ? (given as string | undefined) : emailHashOf(email as string)
  if (key === undefined) return new Rejection("missing_field", "email")
  const isOther = given !== key && given !== otherHashOf((email ?? "") as string)
  if (given !== undefined && isOther) return new Rejection("hash_mismatch", "emailHash")
  const { [statePlace]: state, [countryPlace]: country } = values
  if (typeof state === "string") {
    values[statePlace] = normalizeRegion(state, country as string | undefined)
  }
  return settlePhones(submitted) ?? { key, submitted }
}

/** Do-not-call marks belong to the phones they came with: new phones drop them, and new marks replace them. */
export const combinedPersonRow = (earlier: ImportRow, later: ImportRow): ImportRow => {
  const { cleared, values } = later.submitted
  const submitsPhones = values[phonesPlace] !== undefined || cleared & (1 << phonesPlace)
  const submitsMarks =
    values[doNotCallPlace] !== undefined ||
    values[allDoNotCallPlace] !== undefined ||
    cleared & (1 << doNotCallPlace)
  const before = { ...earlier.submitted, values: [...earlier.submitted.values] }
  if (submitsPhones || submitsMarks) {
    before.values[doNotCallPlace] = undefined
    before.values[allDoNotCallPlace] = undefined
  }
  if (submitsPhones && !submitsMarks) before.cleared &= ~(1 << doNotCallPlace)
  return { key: later.key, submitted: overlaid(before, later.submitted) }
}

export const personLine = (
  { key, submitted }: ImportRow,
  position: number,
  places: ReadonlyArray<number>,
): string => {
  const cells = places.map((place) => copyText(submitted.values[place]))
  const mark = copyText(submitted.values[allDoNotCallPlace])
  return [position, key, submitted.cleared & fieldBits, ...cells, mark].join("\t")
}

/** Columns for a new person: the row goes straight into `person`. */
export const newPersonColumns = (places: ReadonlyArray<number>) => [
  "organization_id",
  "import_id",
  "email_hash",
  ...places.map((place) => personFields[place]!.column),
]

export const newPersonLine = (
  { key, submitted }: ImportRow,
  { importId, organizationId }: ImportOrigin,
  places: ReadonlyArray<number>,
): string => {
  const cells = [organizationId, importId ?? copyNull, key]
  for (const place of places) cells.push(copyText(newValue(submitted, place)))
  return cells.join("\t")
}

/** A new person starts with empty lists. A mark for all phones becomes one mark per phone. */
const newValue = ({ values }: FieldValues, place: number) => {
  if (place === emailsPlace || place === phonesPlace) return values[place] ?? []
  if (place !== doNotCallPlace) return values[place]
  const mark = values[allDoNotCallPlace]
  // Its reader returns a list of texts.
  const phones = (values[phonesPlace] ?? []) as ReadonlyArray<string>
  if (mark === undefined) return values[place]
  return phones.length === 0 ? undefined : phones.map(() => mark === true)
}

/** An additional address in a new person's record. */
export interface PersonAddress {
  readonly position: number
  readonly personHash: string
  readonly emailHash: string
}

export const personAddressColumns = ["position", "person_hash", "email_hash"]

export const personAddresses = (row: ImportRow, position: number): ReadonlyArray<PersonAddress> =>
  personHashes(row)
    .filter((emailHash) => emailHash !== row.key)
    .map((emailHash) => ({ position, personHash: row.key, emailHash }))

export const personAddressLine = ({ emailHash, personHash, position }: PersonAddress): string =>
  `${position}\t${personHash}\t${emailHash}`

/** Returns every address in the row. */
export const personHashes = ({ key, submitted }: ImportRow): ReadonlyArray<string> => [
  key,
  // Their readers return texts and a list of texts.
  ...addressPlaces
    .flatMap((place) => (submitted.values[place] ?? []) as string | ReadonlyArray<string>)
    .map((email) => emailHashOf(email)),
]

/** Every hash that an erased person with one of the row's addresses may have been known by. */
export const knownHashes = (row: ImportRow): ReadonlyArray<string> => [
  ...personHashes(row),
  ...[emailPlace, ...addressPlaces]
    .flatMap((place) => (row.submitted.values[place] ?? []) as string | ReadonlyArray<string>)
    .flatMap((email) => otherHashOf(email) ?? []),
]

/** The hash is the key and cannot be cleared. */
const fieldBits = 2 ** personFields.length - 1

/** Validates that phones and their marks, which are parallel lists, come together. */
const settlePhones = ({ values }: FieldValues): Rejection | undefined => {
  // Their readers return a list of texts, and a flag or a list of flags.
  const phones = values[phonesPlace] as ReadonlyArray<string> | undefined
  const marks = values[doNotCallPlace] as boolean | ReadonlyArray<boolean> | undefined
  if (marks === undefined) return undefined
  if (typeof marks === "boolean") {
    values[doNotCallPlace] = undefined
    values[allDoNotCallPlace] = marks
    return undefined
  }
  return phones?.length === marks.length ? undefined : new Rejection("invalid_value", "phonesDnc")
}

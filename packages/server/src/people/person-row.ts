// One imported person as a row of the staging table: what concerns several fields is settled here. The
// key is the SHA-256 of the email; a person known by hash alone has the given one.
import { emailHashOf } from "../visits/email-address.ts"
import { copyNull, copyText } from "./import/copy-text.ts"
import type { ImportOrigin } from "./import/import-kind.ts"
import type { ImportRow } from "./import/merged-import.ts"
import { type FieldValues, overlaid, RecordReader } from "./import/record-reader.ts"
import { Rejection } from "./import/rejection.ts"
import { hashField, personFields, placeOf } from "./person-fields.ts"
import { normalizeRegion } from "./region.ts"

const emailPlace = placeOf("email")
const addressPlaces = ["emails", "businessEmail", "personalEmail"].map(placeOf)
const emailsPlace = placeOf("emails")
const phonesPlace = placeOf("phones")
const doNotCallPlace = placeOf("phonesDnc")
const statePlace = placeOf("geo.state")
const countryPlace = placeOf("geo.country")
/** Behind the fields that have a column. */
const hashPlace = personFields.length
/** Where one flag is for all phones of the record. */
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

/** Places of the fields that one of the rows says: the others need no column in a copy of these rows. */
export const saidPlaces = (rows: ReadonlyArray<ImportRow>): ReadonlyArray<number> =>
  personFields.flatMap((_, place) =>
    rows.some(({ said: { values } }) => says(values, place)) ? [place] : [],
  )

const says = (values: FieldValues["values"], place: number): boolean =>
  values[place] !== undefined ||
  (place === doNotCallPlace && values[allDoNotCallPlace] !== undefined)

/** A person's row, or what is wrong with the record as a whole. */
export const personRow = (said: FieldValues): ImportRow | Rejection => {
  const { values } = said
  const email = values[emailPlace]
  const given = values[hashPlace]
  // Readers of addresses and hashes give texts.
  const key = email === undefined ? (given as string | undefined) : emailHashOf(email as string)
  if (key === undefined) return new Rejection("missing_field", "email")
  if (given !== undefined && given !== key) return new Rejection("hash_mismatch", "emailHash")
  const { [statePlace]: state, [countryPlace]: country } = values
  if (typeof state === "string") {
    values[statePlace] = normalizeRegion(state, country as string | undefined)
  }
  return settlePhones(said) ?? { key, said }
}

/** Marks are those of the phones they came with: new phones drop them, new marks replace them. */
export const combinedPersonRow = (earlier: ImportRow, later: ImportRow): ImportRow => {
  const { cleared, values } = later.said
  const saysPhones = values[phonesPlace] !== undefined || cleared & (1 << phonesPlace)
  const saysMarks =
    values[doNotCallPlace] !== undefined ||
    values[allDoNotCallPlace] !== undefined ||
    cleared & (1 << doNotCallPlace)
  const before = { ...earlier.said, values: [...earlier.said.values] }
  if (saysPhones || saysMarks) {
    before.values[doNotCallPlace] = undefined
    before.values[allDoNotCallPlace] = undefined
  }
  if (saysPhones && !saysMarks) before.cleared &= ~(1 << doNotCallPlace)
  return { key: later.key, said: overlaid(before, later.said) }
}

export const personLine = (
  { key, said }: ImportRow,
  position: number,
  places: ReadonlyArray<number>,
): string => {
  const cells = places.map((place) => copyText(said.values[place]))
  const mark = copyText(said.values[allDoNotCallPlace])
  return [position, key, said.cleared & fieldBits, ...cells, mark].join("\t")
}

/** Of a person without data so far: a row of `person` itself. */
export const newPersonColumns = (places: ReadonlyArray<number>) => [
  "organization_id",
  "import_id",
  "email_hash",
  ...places.map((place) => personFields[place]!.column),
]

export const newPersonLine = (
  { key, said }: ImportRow,
  { importId, organizationId }: ImportOrigin,
  places: ReadonlyArray<number>,
): string => {
  const cells = [organizationId, importId ?? copyNull, key]
  for (const place of places) cells.push(copyText(newValue(said, place)))
  return cells.join("\t")
}

/** Where there was nothing, a list that says nothing is empty, and a mark for all is one for each. */
const newValue = ({ values }: FieldValues, place: number) => {
  if (place === emailsPlace || place === phonesPlace) return values[place] ?? []
  if (place !== doNotCallPlace) return values[place]
  const mark = values[allDoNotCallPlace]
  // Its reader gives a list of texts.
  const phones = (values[phonesPlace] ?? []) as ReadonlyArray<string>
  if (mark === undefined) return values[place]
  return phones.length === 0 ? undefined : phones.map(() => mark === true)
}

/** An address that a new person's record names besides its own. */
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

/** Every address the row is about. */
export const personHashes = ({ key, said }: ImportRow): ReadonlyArray<string> => [
  key,
  // Their readers give texts and a list of texts.
  ...addressPlaces
    .flatMap((place) => (said.values[place] ?? []) as string | ReadonlyArray<string>)
    .map((email) => emailHashOf(email)),
]

/** The hash is the key: there is nothing of it to clear. */
const fieldBits = 2 ** personFields.length - 1

/** Phones and their marks are parallel lists, so new ones come together. */
const settlePhones = ({ values }: FieldValues): Rejection | undefined => {
  // Their readers give a list of texts, and a flag or a list of flags.
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

// What vendors said about a person, with who said it (spec 15.3.9). A vendor's value replaces its own earlier one; of two
// vendors the first stays.
import { type Profile, profileColumns, withoutEmpty } from "./profile.ts"

type Column = (typeof profileColumns)[number]
type Value = NonNullable<Profile[Column]>

/** By column: the value, the id and name of the inbound source, and when it said so, in epoch milliseconds. */
export type VendorValues = Readonly<
  Partial<Record<Column, readonly [value: Value, id: string, name: string, at: number]>>
>

export const withVendor = (
  known: VendorValues,
  [id, name]: readonly [id: string, name: string],
  said: Profile,
  at: number,
): VendorValues => {
  const values = withoutEmpty(said)
  const added = profileColumns.flatMap((column) => {
    const value = values[column]
    const before = known[column]
    const isOther = before !== undefined && (before[1] !== id || before[3] > at)
    return value === undefined || value === null || isOther
      ? []
      : [[column, [value, id, name, at]] as const]
  })
  return { ...known, ...Object.fromEntries(added) }
}

/** Of two visitors that turned out to be one person. */
export const joinedVendors = (all: ReadonlyArray<VendorValues>): VendorValues =>
  all.reduceRight((joined, one) => ({ ...joined, ...one }), {})

export const profileOfVendors = (values: VendorValues): Profile =>
  Object.fromEntries(
    profileColumns.flatMap((column) => {
      const known = values[column]
      return known === undefined ? [] : [[column, known[0]] as const]
    }),
  )

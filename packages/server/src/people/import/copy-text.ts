// One value of a row in the text format of COPY. Source: PostgreSQL documentation, COPY, Text Format.

export type CopyValue = string | number | boolean | ReadonlyArray<string> | ReadonlyArray<boolean>

/** How an absent value is written. */
export const copyNull = "\\N"

const special = /[\\\t\n\r]/
const specials = /[\\\t\n\r]/g
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "\\": "\\\\",
    "\t": "\\t",
    "\n": "\\n",
    "\r": "\\r",
  }),
)

export const copyText = (value: CopyValue | undefined): string => {
  if (value === undefined) return copyNull
  if (typeof value === "string") return escaped(value)
  return typeof value === "object" ? escaped(`{${value.map(element).join(",")}}`) : String(value)
}

const escaped = (text: string): string =>
  special.test(text) ? text.replaceAll(specials, (character) => escapes.get(character)!) : text

const element = (value: string | boolean): string =>
  typeof value === "string" ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : String(value)

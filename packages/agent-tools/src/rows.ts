// How many rows an agent gets. A model reads every row, so it gets few unless it asks for more.

/** Rows in a result if the call sets no limit. */ // spec 16.4
export const rowsDefault = 25

/** Maximum rows a call can ask for, if the operation has no limit of its own. */
export const rowsMax = 100

export interface CutRows {
  readonly value: unknown
  /** Where rows were cut, such as `journey.sessions`, and the total number of rows. */
  readonly cuts: ReadonlyArray<{ readonly place: string; readonly total: number }>
}

/** A list of strings belongs to its row. */
const isRow = (value: unknown): boolean => typeof value === "object" && value !== null

/** Cuts every list of rows to at most `limit` rows. `isSeries` keeps the last ones. */
export const cutRows = (
  value: unknown,
  { isSeries, limit }: { readonly isSeries: boolean; readonly limit: number },
): CutRows => {
  const cuts: Array<{ readonly place: string; readonly total: number }> = []
  const cut = (inner: unknown, place: string): unknown => {
    if (Array.isArray(inner)) {
      const isLong = inner.length > limit && inner.every(isRow)
      if (isLong) cuts.push({ place, total: inner.length })
      const kept = !isLong ? inner : isSeries ? inner.slice(-limit) : inner.slice(0, limit)
      return kept.map((row) => cut(row, place))
    }
    if (typeof inner !== "object" || inner === null) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [
        name,
        cut(member, place === "" ? name : `${place}.${name}`),
      ]),
    )
  }
  return { value: cut(value, ""), cuts }
}

/** Fields of a visitor that repeat another one under an older name. */ // spec 2.1.2
export const repeatedFields = [
  "allEmails",
  "primaryPhone",
  "allPhones",
  "phonesDNC",
  "company",
  "companyZip",
  "companySize",
  "companyRevenue",
  "companyIndustry",
  "firstSeen",
  "lastSeen",
  "msclkid",
  "liFatId",
  "gbraid",
  "wbraid",
]

/**
 * Removes members that are null, an empty list or a repetition, which is half of a visitor. If
 * `fields` is set, keeps only those in the rows of a list.
 */
export const withoutEmpty = (value: unknown, fields?: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((row) => withoutEmpty(row, fields))
  if (typeof value !== "object" || value === null) return value
  const isVisitor = Object.hasOwn(value, "emailHash") && Object.hasOwn(value, "allEmails")
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (fields !== undefined) return fields.has(name) ? [[name, member]] : []
      const isEmpty = member === null || (Array.isArray(member) && member.length === 0)
      return isEmpty || (isVisitor && repeatedFields.includes(name))
        ? []
        : [[name, withoutEmpty(member)]]
    }),
  )
}

/**
 * A position within a page that is longer than a result: how many of its rows were already
 * returned, and the page's cursor.
 */
export const cursorAt = (shown: number, page: string): string => `${shown}:${page}`

export const readCursor = (cursor: unknown): { readonly shown: number; readonly page: string } => {
  const [, shown, page] = /^(\d{1,4}):([^]*)$/.exec(String(cursor ?? "")) ?? []
  return shown === undefined
    ? { shown: 0, page: String(cursor ?? "") }
    : { shown: Number(shown), page: page! }
}

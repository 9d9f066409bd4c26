// URL search parameters of the company list.

export interface CompaniesSearch {
  /** Part of the name or the domain. */
  readonly q?: string | undefined
  /** Only companies with at least this many sessions. */
  readonly sessions?: number | undefined
  /** Only companies without an identified person. */
  readonly anonymous?: true | undefined
}

export const readCompaniesSearch = (search: Record<string, unknown>): CompaniesSearch => {
  const { anonymous, q, sessions } = search
  return {
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
    ...(typeof sessions === "number" &&
      Number.isSafeInteger(sessions) &&
      sessions > 1 && { sessions }),
    ...(anonymous === true && { anonymous }),
  }
}

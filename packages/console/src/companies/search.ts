// What the address says about the list of companies.

export interface CompaniesSearch {
  /** Part of the name or the domain. */
  readonly q?: string | undefined
  /** Only companies with at least so many sessions. */
  readonly sessions?: number | undefined
  /** Only companies of which no one is identified. */
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

// URL search parameters of the audit log.

export interface AuditSearch {
  /** An action, or the resource that prefixes it. */
  readonly action?: string | undefined
  /** User id, key id, `operator` or `system`. */
  readonly actor?: string | undefined
  /** Days; the last one is included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const day = /^\d{4}-\d\d-\d\d$/

export const readAuditSearch = ({
  action,
  actor,
  from,
  to,
}: Record<string, unknown>): AuditSearch => ({
  ...(typeof action === "string" && action !== "" && { action }),
  ...(typeof actor === "string" && actor !== "" && { actor }),
  ...(typeof from === "string" && day.test(from) && { from }),
  ...(typeof to === "string" && day.test(to) && { to }),
})

/** Local midnight at the start of a day, or of a later day; undefined without a day, or for one that does not exist. */
export const midnight = (text: string | undefined, daysLater = 0): string | undefined => {
  if (text === undefined) return undefined
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number)
  const start = new Date(year, month - 1, date)
  // JavaScript reads February 31 as March 3, and the year 50 as 1950.
  const exists =
    start.getFullYear() === year && start.getMonth() === month - 1 && start.getDate() === date
  return exists ? new Date(year, month - 1, date + daysLater).toISOString() : undefined
}

/** What is wrong with a day of the address; undefined when nothing is. */
export const wrongDay = (text: string | undefined): string | undefined =>
  text === undefined || midnight(text) !== undefined
    ? undefined
    : `${text} is not a day of the calendar. Choose another day.`

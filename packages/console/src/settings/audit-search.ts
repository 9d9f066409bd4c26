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

/** Local midnight at the start of a day, or of a later day; undefined for an invalid day. */
export const midnight = (text: string | undefined, daysLater = 0): string | undefined => {
  const [year = 0, month = 1, date = 1] = (text ?? "").split("-").map(Number)
  const time = new Date(year, month - 1, date + daysLater)
  return text === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

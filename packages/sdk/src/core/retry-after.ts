// The `Retry-After` header in both its forms (RFC 9110, 10.2.3). Anything else counts as absent:
// Date.parse alone would read "1.5" as a date long past and make the client retry at once.

const seconds = /^\d{1,10}$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Whole seconds from `nowMs` until the server wants to be asked again, rounded up; or null. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  const value = header?.trim() ?? ""
  if (seconds.test(value)) return Number(value)
  if (!httpDate.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

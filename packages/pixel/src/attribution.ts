/**
 * Custom attribution: labels that a site owner attaches to a visit in the query of the script URL (spec 6.5). If a key
 * repeats, the first one counts. The server drops cache busters and anything else that isn't a label.
 */
import { pickScalars } from "./scalars.ts"
import type { Scalars } from "./scalars.ts"

export const attributionOfQuery = (query: string): Scalars => {
  const labels: Scalars = Object.create(null)
  // own keys: `labels` has no prototype.
  new URLSearchParams(query).forEach((value, key) => key in labels || (labels[key] = value))
  return pickScalars(labels)
}

/**
 * Custom attribution: labels a site owner ties to a visit, in the query of the script address
 * (spec 6.5); of a repeated key the first. The server leaves out cache busters and whatever
 * else is no label.
 */
import { pickScalars } from "./scalars.ts"
import type { Scalars } from "./scalars.ts"

export const attributionOfQuery = (query: string): Scalars => {
  const labels: Scalars = Object.create(null)
  // own keys: `labels` has no prototype.
  new URLSearchParams(query).forEach((value, key) => key in labels || (labels[key] = value))
  return pickScalars(labels)
}

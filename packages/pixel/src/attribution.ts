/**
 * Custom attribution: labels a site owner ties to a visit, in the query of the script address
 * (decisions.md 6.5); of a repeated key the first. The server leaves out cache busters and whatever
 * else is no label.
 */
import { pick } from "./scalars.ts"
import type { Scalars } from "./scalars.ts"

export const attributionOfAddress = (address: string): Scalars => {
  const labels: Scalars = Object.create(null)
  new URL(address).searchParams.forEach((value, key) => {
    if (!(key in labels)) pick(labels, key, value)
  })
  return labels
}

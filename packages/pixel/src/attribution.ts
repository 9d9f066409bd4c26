/**
 * Custom attribution: labels a site owner ties to a visit, in the query of the script address or in
 * `traits.custom` (decisions.md 6.5).
 */
import { pickScalars } from "./scalars.ts"
import type { Scalars } from "./scalars.ts"

const KEY = /^[a-z][\w.-]{0,63}$/i
/** Cache busters of site owners, and options written into the wrong place. */
const DROPPED_KEY = /^(v|cb|nocache|data-.*)$/

/** The labels among the members of an object. */
export const attributionOf = (given: unknown): Scalars => pickScalars(given, KEY)

/** The labels in the query of an address; of a repeated key the first. */
export const attributionOfAddress = (address: string): Scalars => {
  const given: Scalars = Object.create(null)
  new URL(address).searchParams.forEach((value, key) => {
    if (!DROPPED_KEY.test(key) && !(key in given)) given[key] = value
  })
  return attributionOf(given)
}

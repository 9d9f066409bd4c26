/**
 * Custom attribution: labels a site owner ties to a visit, in the query of the script address or in
 * `traits.custom` (decisions.md 6.5).
 */
import { guard } from "./guard.ts"
import { keepParameters } from "./query.ts"
import { pickScalars } from "./scalars.ts"
import type { Scalars } from "./scalars.ts"

const KEY = /^[a-z][\w.-]{0,63}$/i
/** Cache busters of site owners, and options written into the wrong place. */
const DROPPED_KEY = /^(v|cb|nocache|data-.*)$/

/** The labels among the members of an object. */
export const attributionOf = (given: unknown): Scalars => pickScalars(given, KEY)

/** What is no proper encoding is taken as it is. */
const decode = (text: string) => guard(decodeURIComponent)(text.replace(/\+/g, " ")) || text

/** The labels in the query of an address; of a repeated key the first. */
export const attributionOfAddress = (address: string): Scalars => {
  const given: Scalars = Object.create(null)
  keepParameters(address.replace(/^[^?]*|#.*/g, ""), (rawKey, value) => {
    const key = decode(rawKey)
    if (!DROPPED_KEY.test(key) && !(key in given)) given[key] = decode(value)
  })
  return attributionOf(given)
}

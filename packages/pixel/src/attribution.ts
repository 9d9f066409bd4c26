/**
 * Custom attribution: labels a site owner ties to a visit, in the query of the script address or in
 * `traits.custom` (decisions.md 6.5).
 *
 * Refuses whatever looks like a secret, with a warning that names the key and never the value: what
 * is in a page is public.
 */
import { pickScalars } from "./scalars.ts"
import type { Scalars } from "./scalars.ts"

const KEY = /^[a-z][\w.-]{0,63}$/i
const SECRET_KEY = /^(key|api_?key|token|secret|password|auth)$/i
/** API keys of this service, and JSON web tokens. */
const SECRET_VALUE = /^(sk_|eyJ[\w-]*\.[\w-]+\.)/
/** Cache busters of site owners, and options written into the wrong place. */
const DROPPED_KEY = /^(v|cb|nocache|data-.*)$/

/** The labels among the members of an object. */
export const attributionOf = (given: unknown): Scalars =>
  pickScalars(given, (key, value) => {
    const isSecret = SECRET_KEY.test(key) || SECRET_VALUE.test("" + value)
    if (isSecret) console.warn("footfall: secret dropped: " + key)
    return !isSecret && KEY.test(key)
  })

/** The labels in the query of an address; of a repeated key the first. */
export const attributionOfAddress = (address: string): Scalars => {
  const given: Scalars = Object.create(null)
  new URL(address).searchParams.forEach((value, key) => {
    if (!DROPPED_KEY.test(key) && !(key in given)) given[key] = value
  })
  return attributionOf(given)
}

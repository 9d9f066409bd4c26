// The part of a domain that someone can register, by the public suffix list (spec 2.6, 13.1).
import { getDomain } from "tldts"

/** Of a domain in its normal form; undefined for a public suffix, an address and `localhost`. */
export const registrableDomain = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: false }) ?? undefined

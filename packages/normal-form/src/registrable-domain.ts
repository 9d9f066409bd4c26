// The registrable part of a domain, by the public suffix list (spec 2.6, 13.1).
import { getDomain } from "tldts"

/** Takes a normalized domain; undefined for a public suffix, an IP address and `localhost`. */
export const registrableDomain = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: false }) ?? undefined

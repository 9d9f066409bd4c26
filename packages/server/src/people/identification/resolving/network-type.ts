// Networks whose addresses do not belong to one company: access providers, hosting, schools (spec 13.2).
import { providerDomains } from "./provider-domains.ts"

const types: ReadonlySet<string> = new Set([
  "isp",
  "mobile",
  "cellular",
  "residential",
  "consumer",
  "hosting",
  "contentdeliverynetwork",
  "vpn",
  "proxy",
  "education",
  "searchenginespider",
  "satellite",
])

/** Whether a network of this type, in any maker's spelling, belongs to no company. */
export const isSharedNetwork = (type: unknown): boolean =>
  typeof type === "string" && types.has(type.toLowerCase().replaceAll(/[\s_]/g, ""))

/** Whether a network without a type belongs to a known provider instead of a company. */
export const isProviderNetwork = (domain: string | undefined): boolean =>
  domain !== undefined && providerDomains.has(domain)

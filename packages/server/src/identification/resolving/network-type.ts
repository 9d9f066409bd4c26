// Networks whose addresses are not those of one company: access providers, hosting, schools (spec 13.2).
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
])

/** Whether a type, as any maker of such files spells it, is none of a company. */
export const isNoCompany = (type: unknown): boolean =>
  typeof type === "string" && types.has(type.toLowerCase().replaceAll(/[\s_]/g, ""))

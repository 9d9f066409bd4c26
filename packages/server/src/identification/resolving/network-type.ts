// Networks whose addresses do not belong to one company: access providers, hosting, schools (spec 13.2).
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

/** Whether a network type, in any maker's spelling, means that it is no company's. */
export const isNoCompany = (type: unknown): boolean =>
  typeof type === "string" && types.has(type.toLowerCase().replaceAll(/[\s_]/g, ""))

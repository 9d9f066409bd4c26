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

/** Whether a network of this type, in any maker's spelling, belongs to no company. */
export const isSharedNetwork = (type: unknown): boolean =>
  typeof type === "string" && types.has(type.toLowerCase().replaceAll(/[\s_]/g, ""))

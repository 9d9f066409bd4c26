// The channel of a page view: derived from click ids, then `utm_medium`, then the shipped referrer lists, in this order
// (spec 6.5). An advertiser's click id proves an ad; the `utm_medium` words are the ones marketing tools write. A
// campaign that no rule matches is `other`.
import type { ClickIds, Utm } from "./attribution.ts"
import { referrerKind } from "./referrer-lists.ts"

// spec 6.5
export const channels = [
  "direct",
  "organic_search",
  "paid_search",
  "organic_social",
  "paid_social",
  "email",
  "referral",
  "display",
  "affiliate",
  "ai_assistant",
  "other",
] as const
export type Channel = (typeof channels)[number]

export interface Touch {
  readonly utm: Utm
  readonly clickIds: ClickIds
  /** Host of the external referrer without `www.`; undefined without one. */
  readonly referrerHost: string | undefined
}

export const channelOf = ({ utm, clickIds, referrerHost }: Touch): Channel => {
  const fromClick = clickChannel(clickIds)
  if (fromClick !== undefined) return fromClick
  const fromMedium = mediumChannel(utm)
  if (fromMedium !== undefined) return fromMedium
  if (referrerHost !== undefined) return referrerKind(referrerHost) ?? "referral"
  return Object.keys(utm).length === 0 ? "direct" : "other"
}

const searchAds = ["gclid", "gbraid", "wbraid", "msclkid"]
const socialAds = ["fbclid", "li_fat_id", "ttclid", "twclid", "rdt_cid", "sccid", "epik"]

const clickChannel = (clickIds: ClickIds): Channel | undefined => {
  const has = (name: string) => Object.hasOwn(clickIds, name)
  if (searchAds.some(has)) return "paid_search"
  if (socialAds.some(has)) return "paid_social"
  return has("dclid") ? "display" : undefined
}

const mediums: ReadonlyMap<string, Channel> = new Map(
  Object.entries({
    organic: "organic_search",
    search: "organic_search",
    sem: "paid_search",
    paidsearch: "paid_search",
    paidsocial: "paid_social",
    social: "organic_social",
    socialmedia: "organic_social",
    socialnetwork: "organic_social",
    organicsocial: "organic_social",
    sm: "organic_social",
    email: "email",
    mail: "email",
    newsletter: "email",
    referral: "referral",
    link: "referral",
    display: "display",
    banner: "display",
    cpm: "display",
    interstitial: "display",
    programmatic: "display",
    affiliate: "affiliate",
    affiliates: "affiliate",
    partner: "affiliate",
    ai: "ai_assistant",
    aiassistant: "ai_assistant",
  }),
)

// These mean a paid click but not where; the source tells social from search.
const paid: ReadonlySet<string> = new Set(["cpc", "ppc", "paid", "paidads", "retargeting"])
const socialSource =
  /facebook|^fb$|instagram|^ig$|linkedin|twitter|^x$|tiktok|reddit|pinterest|snap/

const mediumChannel = (utm: Utm): Channel | undefined => {
  const medium = utm.medium?.toLowerCase().replaceAll(/[^a-z]/g, "")
  if (medium === undefined) return undefined
  if (!paid.has(medium)) return mediums.get(medium)
  return socialSource.test(utm.source?.toLowerCase() ?? "") ? "paid_social" : "paid_search"
}

// The channel of a page view, as Google Analytics 4 groups its default channels: by `utm_medium`, then the source, then
// a click id, then the referrer (spec 6.5.6). A campaign that no rule matches is `other`.
import type { ClickIds, Utm } from "./attribution.ts"
import { referrerKind, type ReferrerKind, sourceKind } from "./referrer-kind.ts"

// spec 6.5
export const channels = [
  "direct",
  "organic_search",
  "paid_search",
  "organic_social",
  "paid_social",
  "paid_video",
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
  /** Host of the external referrer without `www.`, or the package of an app; undefined without one. */
  readonly referrerHost: string | undefined
  readonly referrerPath?: string | undefined
}

export const channelOf = ({ clickIds, referrerHost, referrerPath, utm }: Touch): Channel => {
  const medium = utm.medium?.toLowerCase().replaceAll(/[^a-z]/g, "") ?? ""
  const source = utm.source === undefined ? undefined : sourceKind(utm.source)
  const click = clickKind(clickIds)
  const referrer = referrerHost === undefined ? undefined : referrerKind(referrerHost, referrerPath)
  if (display.has(medium)) return "display"
  if (paid.test(medium)) return paidChannel(medium, source ?? click ?? referrer)
  const fromMedium = mediums.get(medium)
  if (fromMedium !== undefined) return fromMedium
  // An ad's click id proves that a search is paid. Networks add theirs to every link.
  if (click === "search_ad" && isSearch(source)) return "paid_search"
  const kind = source ?? (links.has(medium) ? "referral" : undefined) ?? click ?? referrer
  if (kind !== undefined) return unpaidChannel(kind)
  if (referrerHost !== undefined) return "referral"
  return Object.keys(utm).length === 0 ? "direct" : "other"
}

type Kind = ReferrerKind | "referral" | "search_ad" | "display"

const isSearch = (kind: Kind | undefined): boolean => kind === undefined || kind === "search"

/** Ads that fit none are those of a search engine. */
const paidChannel = (medium: string, kind: Kind | undefined): Channel => {
  if (medium.includes("social") || kind === "social") return "paid_social"
  if (medium.includes("video") || kind === "video") return "paid_video"
  return kind === "display" ? "display" : "paid_search"
}

const unpaidChannel = (kind: Kind): Channel => {
  switch (kind) {
    case "search":
      return "organic_search"
    case "social":
    case "video":
      return "organic_social"
    case "search_ad":
      return "paid_search"
    default:
      return kind
  }
}

const searchAds = ["gclid", "gbraid", "wbraid", "msclkid"]
const social = ["fbclid", "li_fat_id", "ttclid", "twclid", "rdt_cid", "sccid", "epik"]

const clickKind = (clickIds: ClickIds): Kind | undefined => {
  const has = (name: string) => Object.hasOwn(clickIds, name)
  if (searchAds.some(has)) return "search_ad"
  if (social.some(has)) return "social"
  return has("dclid") ? "display" : undefined
}

/** cpc, cpa, cpv, ppc, paid_social, retargeting, … */
const paid = /^(?:.*cp[aclv].*|ppc|sem|paid.*|retargeting|remarketing)$/

const display: ReadonlySet<string> = new Set([
  "display",
  "banner",
  "expandable",
  "interstitial",
  "cpm",
  "programmatic",
])

/** Say only that there was a link, so the source says more. */
const links: ReadonlySet<string> = new Set(["referral", "link", "app"])

const mediums: ReadonlyMap<string, Channel> = new Map(
  Object.entries({
    organic: "organic_search",
    search: "organic_search",
    social: "organic_social",
    socialmedia: "organic_social",
    socialnetwork: "organic_social",
    organicsocial: "organic_social",
    sm: "organic_social",
    video: "organic_social",
    email: "email",
    mail: "email",
    newsletter: "email",
    affiliate: "affiliate",
    affiliates: "affiliate",
    partner: "affiliate",
    ai: "ai_assistant",
    aiassistant: "ai_assistant",
  }),
)

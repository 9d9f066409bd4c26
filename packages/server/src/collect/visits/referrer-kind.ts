// What kind of site a host, an Android app or a `utm_source` is, by the lists that ship. A host matches a name if it
// equals it or ends with `.name`, so `google.com.evil.example` and `docs.google.com` are no search engine.
import { parentOf } from "./host.ts"
import {
  adHosts,
  assistants,
  engines,
  mail,
  networks,
  searchAdHosts,
  searchHosts,
  videoSites,
} from "./referrer-lists.ts"

export type ReferrerKind =
  | "search"
  | "social"
  | "video"
  | "email"
  | "ai_assistant"
  | "display"
  | "search_ad"

const kindsOf = (lists: ReadonlyArray<readonly [ReferrerKind, ReadonlyArray<string>]>) =>
  new Map(lists.flatMap(([kind, names]) => names.map((name) => [name, kind] as const)))

/** By host, or by host and path. Of two lists with the same name, the last counts. */
const kinds: ReadonlyMap<string, ReferrerKind> = kindsOf([
  ["search", engines],
  ["social", networks],
  ["video", videoSites],
  ["email", mail],
  ["ai_assistant", assistants],
  ["display", adHosts],
  ["search_ad", searchAdHosts],
])

const exactHosts: ReadonlySet<string> = new Set(searchHosts)

/** Undefined if no list has the host. */
export const referrerKind = (given: string, path = "/"): ReferrerKind | undefined => {
  const host = given.replace(/^www\./, "")
  if (exactHosts.has(host)) return "search"
  // The longest name counts: an assistant may be a page or a subdomain of a search engine.
  for (const [place] of path.matchAll(/^(?:\/[^/]+){1,2}/g)) {
    const ofPage = kinds.get(host + place) ?? kinds.get(host + place.replace(/\/[^/]*$/, ""))
    if (ofPage !== undefined) return ofPage
  }
  for (let name = host; name !== ""; name = parentOf(name)) {
    const kind = kinds.get(name)
    if (kind !== undefined) return kind
  }
  return undefined
}

/** What people write into `utm_source`, in letters alone. */
const sources: ReadonlyMap<string, ReferrerKind> = kindsOf([
  [
    "search",
    `google googleads adwords bing bingads microsoftads yahoo duckduckgo baidu yandex ecosia qwant brave naver startpage
    kagi seznam`.split(/\s+/),
  ],
  [
    "social",
    `facebook fb facebookads fbads meta metaads instagram ig instagramads linkedin linkedinads li lnkd twitter
    twitterads x xads tiktok tiktokads reddit redditads pinterest pinterestads snapchat snap snapads threads bluesky
    mastodon quora quoraads tumblr vk xing weibo wechat whatsapp telegram discord nextdoor hackernews hn social
    socialmedia`.split(/\s+/),
  ],
  ["video", "youtube yt youtubeads vimeo dailymotion twitch video".split(" ")],
  [
    "email",
    `email mail newsletter gmail outlook mailchimp klaviyo brevo sendinblue mailerlite convertkit campaignmonitor
    activecampaign beehiiv substack sendgrid mailjet`.split(/\s+/),
  ],
  [
    "ai_assistant",
    `chatgpt openai claude anthropic gemini copilot perplexity mistral lechat deepseek grok metaai notebooklm duckai
    qwen poe phind kimi`.split(/\s+/),
  ],
])

/** Names long enough to be recognized inside a longer one, such as `facebook_retargeting`. */
const longNames = /facebook|instagram|linkedin|twitter|tiktok|reddit|pinterest|snapchat|youtube/

export const sourceKind = (source: string): ReferrerKind | undefined => {
  const text = source.trim().toLowerCase()
  const ofHost = text.includes(".") ? referrerKind(text) : undefined
  if (ofHost !== undefined) return ofHost
  const letters = text.replaceAll(/[^a-z]/g, "")
  const [long] = longNames.exec(letters) ?? []
  return sources.get(letters) ?? (long === undefined ? undefined : sources.get(long))
}

// Which topic rules a pixel could have, based on what its site's pages talk about (spec 19.2). Pure.
import { matchesAny } from "@footfall/pixel/path-filter"
import { Schema } from "effect"
import { described } from "../../../platform/http/fields.ts"
import { UnreadableReason } from "../analysis/site-analysis.ts"

/** Maximum pages to read, including the first. */ // spec 19.2
export const pagesMax = 20
/** Maximum rules of a pixel. spec 2.4. */
const rulesMax = 50
/** Maximum pages suggested per topic, the closest ones. */
const pagesOfTopicMax = 5
const topicsOfPageMax = 2
/** Below this, a page mentions the topic but is not about it. */
const similarityMin = 0.4
/** The next topic of a page is only named if it reaches this share of the closest one. */
const nextShareMin = 0.75
/** spec 2.3. */
const pathLengthMax = 500

const RuleEvidence = Schema.Struct({
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  words: Schema.Array(Schema.String),
  similarity: Schema.Finite,
}).annotate({ identifier: "TopicRuleEvidence" })

export class TopicSuggestions extends Schema.Opaque<TopicSuggestions>()(
  Schema.Struct({
    rules: Schema.Array(
      Schema.Struct({
        path: Schema.String,
        topicId: Schema.Int,
        topicName: Schema.String,
        evidence: RuleEvidence,
      }).annotate({ identifier: "SuggestedTopicRule" }),
    ),
    pages: Schema.Array(
      Schema.Struct({
        url: Schema.String,
        title: Schema.NullOr(Schema.String),
        unreadable: described(
          "Why the page could not be read; null if it was.",
          Schema.NullOr(UnreadableReason),
        ),
      }).annotate({ identifier: "SuggestionPage" }),
    ),
  }).annotate({ identifier: "TopicSuggestions" }),
) {}

export interface PageTopics {
  /** Origin and path. */
  readonly url: string
  readonly title: string | null
  /** The closest one first. */
  readonly topics: ReadonlyArray<{
    readonly topicId: number
    readonly topicName: string
    readonly similarity: number
    readonly matchedKeyword: string
  }>
}

interface TopicRule {
  readonly path: string
  readonly topicId: number
}

type SuggestedRule = TopicSuggestions["rules"][number]

/** Rules for pages that talk about a topic and have no rule yet, closest first. */
export const suggestedRules = (
  pages: ReadonlyArray<PageTopics>,
  present: ReadonlyArray<TopicRule>,
): ReadonlyArray<SuggestedRule> => {
  const chosen: Array<SuggestedRule> = []
  // Short paths first, because they cover the pages below them.
  const candidates = pages
    .flatMap(rulesOf)
    .toSorted((a, b) => b.evidence.similarity - a.evidence.similarity || depth(a) - depth(b))
  for (const rule of candidates) {
    const same = [...present, ...chosen].filter(({ topicId }) => topicId === rule.topicId)
    const isCovered = same.some(({ path }) => matchesAny([path], pathOf(rule.evidence.url)))
    const count = chosen.filter(({ topicId }) => topicId === rule.topicId).length
    if (isCovered || count >= pagesOfTopicMax) continue
    chosen.push(rule)
  }
  const needed = chosen.filter(
    (rule) =>
      !chosen.some(
        (other) =>
          other !== rule &&
          other.topicId === rule.topicId &&
          matchesAny([other.path], pathOf(rule.evidence.url)),
      ),
  )
  return needed.slice(0, Math.max(0, rulesMax - present.length))
}

const rulesOf = ({ title, topics, url }: PageTopics): ReadonlyArray<SuggestedRule> => {
  const path = pathOf(url)
  const [nearest] = topics
  if (nearest === undefined || path.length > pathLengthMax) return []
  return topics
    .filter(
      ({ similarity }) =>
        similarity >= similarityMin && similarity >= nextShareMin * nearest.similarity,
    )
    .slice(0, topicsOfPageMax)
    .map(({ matchedKeyword, similarity, topicId, topicName }) => ({
      path: path === "/" ? "/$" : path,
      topicId,
      topicName,
      evidence: { url, title, words: [matchedKeyword], similarity },
    }))
}

const depth = ({ path }: TopicRule): number => path.split("/").length

/** Without a trailing slash, except for the home page. */
const pathOf = (url: string): string => new URL(url).pathname.replace(/(?<!\/)\/+$/, "") || "/"

/** Pages that every site has, whatever it sells. */
const commonPages =
  /(?:^|[/_-])(?:privacy|terms|legal|imprint|impressum|cookies?|log-?in|sign-?in|sign-?up|register|account|cart|basket|checkout|careers?|jobs|datenschutz|agb)(?:$|[/_.-])/i
/** Files that are not pages. */
const fileEnd =
  /\.(?:pdf|jpe?g|png|gif|svg|webp|avif|ico|css|js|mjs|json|xml|rss|zip|gz|mp[34]|webm|woff2?|docx?|xlsx?|pptx?)$/i

/** Whether a host is the pixel's domain or a subdomain. */
export const isOnSite = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

/** The pages of the site that a page links to, without repeats, in order, without query and fragment. */
export const siteLinks = (
  { links, url }: { readonly links: ReadonlyArray<string>; readonly url: string },
  isOwn: (link: URL) => boolean,
): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const link of links) {
    const target = URL.parse(link, url)
    if (target === null || !isOwn(target) || !/^https?:$/.test(target.protocol)) continue
    if (commonPages.test(target.pathname) || fileEnd.test(target.pathname)) continue
    found.add(target.origin + target.pathname)
  }
  return [...found]
}

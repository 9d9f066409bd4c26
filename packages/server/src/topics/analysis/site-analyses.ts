// What a page is about, and the closest topics of the catalog (spec 2.18, 5.7). Analyses requested with credentials are
// stored for the organization. The catalog is prepared for comparison once, and again after an import changes it.
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import type { Caller } from "../../access/caller.ts"
import type { CursorRefused } from "../../lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../lists/keyed-lists.ts"
import type { UrlNotAllowed } from "../../outbound/outbound-error.ts"
import { DataVersions } from "../../people/import/data-versions.ts"
import { Catalog } from "../catalog/catalog.ts"
import { keywordsOf, type PageTerms, pageTerms } from "./page-terms.ts"
import type { ReadPage } from "./page-reader.ts"
import type { SiteAnalysis } from "./site-analysis.ts"
import { type ReadSite, Sites, type SitesBusy, type SiteUnreadable } from "./sites.ts"
import { stopWords } from "./words.ts"
import { type SiteAnalysisRow, SiteAnalysisStore } from "./store.ts"
import { indexTopics, rankTopics } from "./topic-ranking.ts"

/** A page of a site: its URL, its topics, closest first, and its links. */
export interface SitePage extends Pick<ReadSite, "url" | "title" | "links"> {
  readonly topics: SiteAnalysis["topics"]
}

const make = Effect.gen(function* () {
  const catalog = yield* Catalog
  const versions = yield* DataVersions
  const sites = yield* Sites
  const store = yield* SiteAnalysisStore
  const lists = yield* KeyedLists
  const random = yield* SecureRandom.SecureRandom

  const index = Effect.gen(function* () {
    const { english } = yield* stopWords
    const topics = [...(yield* catalog.byId).values()]
    return yield* indexTopics(topics, english, yield* catalog.words)
  })
  const present = Effect.orDie(yield* versions.remember(["topics"], index))

  const topicsOf = Effect.fnUntraced(function* (terms: PageTerms) {
    const ranked = yield* rankTopics(yield* present, terms)
    return ranked.map(({ matchedKeyword, similarity, topic }) => ({
      ...topic,
      similarity,
      matchedKeyword,
    }))
  })

  const analysisOf = Effect.fnUntraced(function* (page: ReadPage & { readonly host: string }) {
    const words = yield* stopWords
    const terms = yield* pageTerms(page, words.english)
    return {
      company: companyOf(page, page.host),
      summary: summaryOf(page),
      keywords: keywordsOf(terms, words.forLanguage(page.language)),
      topics: yield* topicsOf(terms),
      contentHash: hashOf(page),
    }
  })

  return {
    /** Reads a page for the organization without storing anything. Errors: as for `analyze`. */
    look: Effect.fn("SiteAnalyses.look")(function* (
      organizationId: string,
      asked: string,
    ): Effect.fn.Return<SitePage, UrlNotAllowed | SiteUnreadable | SitesBusy> {
      const { links, title, url, ...page } = yield* sites.read(organizationId, asked)
      const { english } = yield* stopWords
      const terms = yield* pageTerms({ links, title, ...page }, english)
      return { url, title, links, topics: yield* topicsOf(terms) }
    }),

    /**
     * Analyzes the page. Stores the result if the caller is known.
     *
     * *Errors*: UrlNotAllowed, SiteUnreadable, SitesBusy, which store nothing. *Guarantee*: the same page and
     * catalog give the same analysis.
     */
    analyze: Effect.fn("SiteAnalyses.analyze")(function* (
      url: string,
      caller: Option.Option<Caller>,
    ) {
      const reader = Option.match(caller, {
        onNone: () => "anonymous",
        onSome: ({ organizationId }) => organizationId,
      })
      const analysis = yield* analysisOf(yield* sites.read(reader, url))
      if (Option.isSome(caller)) {
        const { organizationId } = caller.value
        yield* store.insert({ organizationId, id: yield* random.uuidV4(), url, ...analysis })
      }
      return analysis
    }),

    /** Stored analyses, newest first. Errors: CursorRefused for another list's cursor. */
    list: (
      organizationId: string,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<SiteAnalysisRow>, CursorRefused> =>
      lists.page(
        { organizationId, route: "GET /v1/intent/site-topics", filters: [], position, limit },
        store.list(organizationId),
      ),
  }
})

/** Hashes the readable text only, so a new script or menu changes nothing. SHA-256 in lowercase hex. */
const hashOf = ({ blocks, description, title }: ReadPage): string =>
  createHash("sha256")
    .update([title ?? "", description ?? "", ...blocks.map(({ text }) => text)].join("\n"))
    .digest("hex")

export class SiteAnalyses extends Context.Service<SiteAnalyses, Effect.Success<typeof make>>()(
  "@footfall/server/topics/SiteAnalyses",
) {
  static readonly layer = Layer.effect(SiteAnalyses, make)
}

// The company behind the page and a short summary, as far as the page contains them.

/** Units: Unicode code points. */
const companyLengthMax = 255
/** Units: Unicode code points. */
const summaryLengthMax = 500
/** A shorter first text is a menu entry or a price. Units: UTF-16 code units. */
const sentencesLengthMin = 40
/** Sentences are added until they reach this length together. Units: UTF-16 code units. */
const sentencesLength = 160

/**
 * The name the page gives itself; otherwise the part of its title that occurs in its hostname, or the shortest part.
 */
export const companyOf = ({ name, title }: ReadPage, host: string): string | null => {
  if (name !== null) return cut(name, companyLengthMax)
  if (title === null) return null
  const parts = title
    .split(/\s+[-\u2013\u2014|\u00b7\u2022:\u00bb]+\s+|\s*[|\u00b7\u2022\u00bb]\s*/u)
    .filter((part) => part !== "")
  const isInHost = (part: string) => {
    const letters = lettersOf(part)
    return letters !== "" && lettersOf(host).includes(letters)
  }
  const company =
    parts.find(isInHost) ?? parts.toSorted((one, other) => one.length - other.length)[0]
  return company === undefined ? null : cut(company, companyLengthMax)
}

/** The page's description; otherwise its first sentences. */
export const summaryOf = ({ blocks, description }: ReadPage): string | null => {
  if (description !== null) return cut(description, summaryLengthMax)
  const texts = blocks.filter(({ level }) => level === 0).map(({ text }) => text)
  const text = texts.find(({ length }) => length >= sentencesLengthMin) ?? texts[0]
  if (text === undefined) return null
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })
  let summary = ""
  // The first sentences are at the start, however long the text is.
  for (const { segment } of sentences.segment(text.slice(0, 2 * summaryLengthMax))) {
    if (summary.length + segment.length > sentencesLength && summary !== "") break
    summary += segment
  }
  return cut(summary.trim(), summaryLengthMax)
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** Cuts between code points and ends with an ellipsis if something is missing. */
const cut = (text: string, lengthMax: number): string => {
  const points = [...text]
  return points.length <= lengthMax ? text : `${points.slice(0, lengthMax - 1).join("")}…`
}

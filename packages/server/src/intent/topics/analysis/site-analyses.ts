// What a page is about, and the closest topics of the catalog (spec 2.18, 5.7). Analyses requested with credentials are
// stored for the organization. The catalog is prepared for comparison once, and again after an import changes it.
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Caller } from "../../../access/caller.ts"
import type { CursorRefused } from "../../../platform/lists/cursor.ts"
import {
  KeyedLists,
  type ListPage,
  type ListPosition,
} from "../../../platform/lists/keyed-lists.ts"
import type { UrlNotAllowed } from "../../../platform/outbound/outbound-error.ts"
import { DataVersions } from "../../../people/imports/data-versions.ts"
import { Catalog } from "../catalog/catalog.ts"
import type { PageTerms } from "./page-terms.ts"
import type { SiteAnalysis, SitesBusy, SiteUnreadable } from "./site-analysis.ts"
import { type ReadSite, Sites } from "./sites.ts"
import { loadStopWords } from "./stop-words.ts"
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
    const { english } = yield* Effect.promise(loadStopWords)
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

  return {
    /** Reads a page for the organization without storing anything. Errors: as for `analyze`. */
    look: Effect.fn("SiteAnalyses.look")(function* (
      organizationId: string,
      asked: string,
    ): Effect.fn.Return<SitePage, UrlNotAllowed | SiteUnreadable | SitesBusy> {
      const { links, terms, title, url } = yield* sites.read(organizationId, asked)
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
      const { company, contentHash, keywords, summary, terms } = yield* sites.read(reader, url)
      const analysis = { company, summary, keywords, topics: yield* topicsOf(terms), contentHash }
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

export class SiteAnalyses extends Context.Service<SiteAnalyses, Effect.Success<typeof make>>()(
  "@footfall/server/topics/SiteAnalyses",
) {
  static readonly layer = Layer.effect(SiteAnalyses, make)
}

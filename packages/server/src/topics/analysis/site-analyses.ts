// What a page is about, and the topics of the catalogue that come nearest to it (spec 2.18, 5.7).
// An analysis that was asked for with credentials is kept for its organization. The catalogue is made
// ready for comparison once, and again after an import has changed it.
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import type { Caller } from "../../access/caller.ts"
import type { CursorRefused } from "../../lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../lists/keyed-lists.ts"
import type { UrlNotAllowed } from "../../outbound/outbound-error.ts"
import { DataVersions } from "../../people/import/data-versions.ts"
import { Catalogue } from "../catalogue/catalogue.ts"
import { keywordsOf } from "./keywords.ts"
import type { ReadPage } from "./page-reader.ts"
import { companyOf, summaryOf } from "./page-summary.ts"
import { pageTerms } from "./page-terms.ts"
import type { SiteAnalysis } from "./site-analysis.ts"
import { Sites, type SitesBusy, type SiteUnreadable } from "./sites.ts"
import { stopWords } from "./words.ts"
import { type SiteAnalysisRow, SiteAnalysisStore } from "./store.ts"
import { indexTopics, rankTopics } from "./topic-ranking.ts"

interface SiteAnalysesShape {
  /**
   * Reads the page and tells what it is about; keeps it when there is a caller.
   *
   * *Errors*: UrlNotAllowed, SiteUnreadable, SitesBusy; nothing is kept then.
   * *Guarantee*: the same page and catalogue give the same analysis.
   */
  analyze(
    url: string,
    caller: Option.Option<Caller>,
  ): Effect.Effect<SiteAnalysis, UrlNotAllowed | SiteUnreadable | SitesBusy>
  /** Kept analyses, newest first. Errors: CursorRefused for a cursor that is not of this list. */
  list(
    organizationId: string,
    position: ListPosition,
    limit: number,
  ): Effect.Effect<ListPage<SiteAnalysisRow>, CursorRefused>
}

const make = Effect.gen(function* () {
  const catalogue = yield* Catalogue
  const versions = yield* DataVersions
  const sites = yield* Sites
  const store = yield* SiteAnalysisStore
  const lists = yield* KeyedLists
  const random = yield* SecureRandom.SecureRandom

  const index = Effect.gen(function* () {
    const { english } = yield* stopWords
    return yield* indexTopics([...(yield* catalogue.byId).values()], english)
  })
  const present = Effect.orDie(yield* versions.remember(["topics"], index))

  const analysisOf = Effect.fnUntraced(function* (page: ReadPage & { readonly host: string }) {
    const words = yield* stopWords
    const terms = yield* pageTerms(page, words.english)
    const ranked = yield* rankTopics(yield* present, terms)
    return {
      company: companyOf(page, page.host),
      summary: summaryOf(page),
      keywords: keywordsOf(terms, words.of(page.language)),
      topics: ranked.map(({ matchedKeyword, similarity, topic }) => ({
        ...topic,
        similarity,
        matchedKeyword,
      })),
      contentHash: hashOf(page),
    }
  })

  return {
    analyze: Effect.fn("SiteAnalyses.analyze")(function* (url, caller) {
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
    list: (organizationId, position, limit) =>
      lists.page(
        { organizationId, route: "GET /v1/intent/site-topics", filters: [], position, limit },
        store.list(organizationId),
      ),
  } satisfies SiteAnalysesShape
})

/** Of the readable text, so that a new script or menu changes nothing. SHA-256, lower-case hex. */
const hashOf = ({ blocks, description, title }: ReadPage): string =>
  createHash("sha256")
    .update([title ?? "", description ?? "", ...blocks.map(({ text }) => text)].join("\n"))
    .digest("hex")

export class SiteAnalyses extends Context.Service<SiteAnalyses, SiteAnalysesShape>()(
  "@footfall/server/topics/SiteAnalyses",
) {
  static readonly layer = Layer.effect(SiteAnalyses, make)
}

// Reads pages of a pixel's site and suggests topic rules for it (spec 19.2). It starts with the given page or the
// home page, then follows links page by page. Stores nothing.
import { Context, Effect, Layer, Ref, Schema } from "effect"
import type { UrlNotAllowed } from "../../../platform/outbound/outbound-error.ts"
import { type PixelNotFound, Pixels } from "../../../collect/pixels/pixels.ts"
import { unsetSettings } from "../../../collect/pixels/settings.ts"
import type { PixelKey } from "../../../collect/pixels/store.ts"
import { SiteAddress } from "../../../collect/pixels/verification/verification.ts"
import { SiteAnalyses, type SitePage } from "../analysis/site-analyses.ts"
import type { SitesBusy, SiteUnreadable } from "../analysis/site-analysis.ts"
import {
  isOnSite,
  pagesMax,
  siteLinks,
  suggestedRules,
  type TopicSuggestions,
} from "./topic-suggestion.ts"

/** The URL belongs to another site than the pixel. */
export class PageOfOtherSite extends Schema.TaggedError<PageOfOtherSite>()("PageOfOtherSite", {
  domain: Schema.String,
}) {}

/** Pages fetched at the same time. */
const pagesAtOnce = 4
/** Time to fetch the pages after the first one; the rest are skipped. */
const furtherPagesTime = "12 seconds"

export class Suggestions extends Context.Service<
  Suggestions,
  {
    /**
     * *Errors*: PixelNotFound; PageOfOtherSite; for the first page UrlNotAllowed, SiteUnreadable and SitesBusy. Other
     * unreadable pages are listed with the reason.
     */
    suggest(
      key: PixelKey,
      url: string | undefined,
    ): Effect.Effect<
      TopicSuggestions,
      PixelNotFound | PageOfOtherSite | UrlNotAllowed | SiteUnreadable | SitesBusy
    >
  }
>()("@footfall/server/topics/Suggestions") {
  static readonly layer = Layer.effect(
    Suggestions,
    Effect.gen(function* () {
      const pixels = yield* Pixels
      const analyses = yield* SiteAnalyses
      const addressOf = yield* SiteAddress

      const suggest = Effect.fn("Suggestions.suggest")(function* (
        key: PixelKey,
        url: string | undefined,
      ) {
        const { domain, settings } = yield* pixels.find(key)
        const home = addressOf(domain)
        const homeHost = new URL(home).hostname
        const isOwn = ({ hostname }: URL) => hostname === homeHost || isOnSite(hostname, domain)
        if (url !== undefined && !isOwn(new URL(url))) return yield* new PageOfOtherSite({ domain })

        const first = yield* analyses.look(key.organizationId, url ?? home)
        // The page may have redirected to another site.
        if (!isOwn(new URL(first.url))) return yield* new PageOfOtherSite({ domain })
        const read = yield* Ref.make<ReadonlyArray<SitePage>>([first])
        const failed = yield* Ref.make<TopicSuggestions["pages"]>([])

        const readNext = Effect.fnUntraced(function* (next: string) {
          const page = yield* analyses.look(key.organizationId, next)
          if (isOwn(new URL(page.url))) yield* Ref.update(read, (pages) => [...pages, page])
        })
        const lookAt = (next: string) =>
          readNext(next).pipe(
            Effect.catchTags({
              // Busy, or redirected elsewhere: treated as if the page were not linked.
              SitesBusy: () => Effect.void,
              UrlNotAllowed: () => Effect.void,
              SiteUnreadable: ({ reason }) =>
                Ref.update(failed, (pages) => [
                  ...pages,
                  { url: next, title: null, unreadable: reason },
                ]),
            }),
          )
        const known = new Set([plain(url ?? home), plain(first.url)])
        const further = Effect.gen(function* () {
          let from: ReadonlyArray<SitePage> = [first]
          while (from.length > 0 && known.size <= pagesMax) {
            const links = from.flatMap((page) => siteLinks(page, isOwn))
            const left = pagesMax - (yield* Ref.get(read)).length - (yield* Ref.get(failed)).length
            const next = [...new Set(links)]
              .filter((link) => !known.has(plain(link)))
              .slice(0, left)
            for (const link of next) known.add(plain(link))
            const before = (yield* Ref.get(read)).length
            yield* Effect.forEach(next, lookAt, { concurrency: pagesAtOnce, discard: true })
            from = (yield* Ref.get(read)).slice(before)
          }
        })
        yield* Effect.timeoutOption(further, furtherPagesTime)

        // By final URL, because two links may lead to one page.
        const pages = [...new Map((yield* Ref.get(read)).map((page) => [plain(page.url), page]))]
        const found = pages.map(([, page]) => page)
        const { topicRules } = { ...unsetSettings, ...settings } as typeof unsetSettings
        return {
          rules: suggestedRules(found, topicRules),
          pages: [
            ...found.map(({ title, url: at }) => ({ url: at, title, unreadable: null })),
            ...(yield* Ref.get(failed)),
          ],
        }
      })

      return Suggestions.of({ suggest })
    }),
  )
}

/** Treats a URL with and without a trailing slash as one page. */
const plain = (url: string): string => {
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/(?<!\/)\/+$/, "")
}

// Wires the topics room together.
import { Effect, Layer } from "effect"
import { every } from "../../platform/jobs/every.ts"
import { DataVersions } from "../../people/imports/data-versions.ts"
import { KnownTopics, TopicRulesChanged } from "../../collect/pixels/pixel-changes.ts"
import { SiteAnalysisHandlers, SiteTopicsHandlers } from "./analysis/handlers.ts"
import { SiteAnalyses } from "./analysis/site-analyses.ts"
import { PageThreads } from "./analysis/page-threads.ts"
import { Sites } from "./analysis/sites.ts"
import { SiteAnalysisStore } from "./analysis/store.ts"
import { Catalog } from "./catalog/catalog.ts"
import { TopicsHandlers } from "./catalog/handlers.ts"
import { CatalogStore } from "./catalog/store.ts"
import { Kinds } from "./import/kinds.ts"
import { TopicImportStore } from "./import/store.ts"
import { PixelTopicsHandlers } from "./suggestions/handlers.ts"
import { Suggestions } from "./suggestions/suggestions.ts"
import { TopicListsHandlers } from "./lists/handlers.ts"
import { TopicListStore } from "./lists/store.ts"
import { TopicLists } from "./lists/topic-lists.ts"
import { OwnIntent, OwnIntentWorker } from "./own-intent/own-intent.ts"
import { OwnIntentStore } from "./own-intent/store.ts"
import { TopicTrendsHandlers } from "./trends/handlers.ts"
import { TrendStore } from "./trends/store.ts"
import { Trends } from "./trends/trends.ts"

const SiteAnalysisRetentionWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "site analyses not pruned",
    Effect.flatMap(SiteAnalysisStore, ({ prune }) => prune),
  ),
)

/** The stores of this room. */
export const TopicStores = Layer.mergeAll(
  CatalogStore.layer,
  OwnIntentStore.layer,
  SiteAnalysisStore.layer,
  TopicImportStore.layer,
  TopicListStore.layer,
  TrendStore.layer,
)

export const TopicServices = Layer.mergeAll(
  OwnIntent.layer,
  Kinds,
  Layer.provideMerge(
    Suggestions.layer,
    Layer.provide(SiteAnalyses.layer, Layer.provide(Sites.layer, PageThreads.layer)),
  ),
  TopicLists.layer,
  Trends.layer,
).pipe(Layer.provideMerge(Catalog.layer))

/** The background workers of this room. */
export const TopicWorkers = Layer.merge(OwnIntentWorker, SiteAnalysisRetentionWorker)

/** The topics that rules of pixels may name: those of the public catalog. */ // spec 5.2
const PixelTopics = Layer.effect(
  KnownTopics,
  Effect.map(Catalog, ({ byId }) => ({ ids: byId })),
).pipe(Layer.provide(Catalog.layer), Layer.provide(DataVersions.layer))

/** What pixels need from this room. */
export const TopicsOfPixels = Layer.merge(
  PixelTopics,
  Layer.effect(
    TopicRulesChanged,
    Effect.map(OwnIntentStore, ({ request }) => ({
      notify: (organizationId) => Effect.orDie(request(organizationId)),
    })),
  ),
)

/** The endpoints of this room. */
export const TopicHandlers = Layer.mergeAll(
  PixelTopicsHandlers,
  SiteAnalysisHandlers,
  SiteTopicsHandlers,
  TopicListsHandlers,
  TopicTrendsHandlers,
  TopicsHandlers,
)

// Joins the rooms into one server, in order: each builds on the earlier ones and declares what it needs from later
// ones.
import { Effect, Layer } from "effect"
import { AccessServices, AccessStores } from "../access/layer.ts"
import { Parties } from "../access/organizations/parties.ts"
import { OrganizationStore } from "../access/organizations/store.ts"
import { RepeatsWorker } from "../access/repeats/repeats.ts"
import { Account } from "../account/account.ts"
import { AccountStore } from "../account/store.ts"
import type { Assets } from "../assets.ts"
import { AudienceServices, AudienceStores, UseOfIntent } from "../audiences/layer.ts"
import { Copy } from "../database/copy.ts"
import { Database } from "../database/database.ts"
import { Migrations } from "../database/migrations.ts"
import { Partitions } from "../database/partitions.ts"
import { Background } from "../database/statement-limits.ts"
import { DeliveryServices, DeliveryStores, DeliveryWorker } from "../deliveries/layer.ts"
import { Demo } from "../demo/demo.ts"
import { IntentData } from "../demo/intent-data.ts"
import { DemoStore } from "../demo/store.ts"
import { AccountsWorker } from "../destinations/accounts/probes.ts"
import { DestinationServices, DestinationStores } from "../destinations/layer.ts"
import { KeyedLists } from "../lists/keyed-lists.ts"
import { MetricsStore } from "../metrics/store.ts"
import { Readiness } from "../http/operations.ts"
import { PageBoundaries } from "../lists/page-boundaries.ts"
import { RateLimits } from "../http/rate-limit.ts"
import { RateLimitStore } from "../http/store.ts"
import {
  IdentificationServices,
  IdentificationStores,
  IdentificationWorkers,
} from "../identification/layer.ts"
import { EnrichmentOfPeople } from "../identification/merging/layer.ts"
import { ImportServices, ImportStores } from "../imports/layer.ts"
import { JobWakes } from "../jobs/queue.ts"
import { Mail } from "../outbound/mail/mail.ts"
import { Outbound } from "../outbound/outbound.ts"
import { PeopleServices, PeopleStores } from "../people/layer.ts"
import { PixelServices, PixelStores } from "../pixels/layer.ts"
import { PixelsOfOrganizations } from "../pixels/organization-standing.ts"
import { RunServices, RunStores, RunWorkers } from "../runs/layer.ts"
import { SyncCycleWorker } from "../suppression/cycle/worker.ts"
import { SuppressionServices, SuppressionStores } from "../suppression/layer.ts"
import { StarterTopics } from "../topics/starter-topics.ts"
import { SignalServices, SignalStores, SignalWorkers } from "../topics/signals/layer.ts"
import { TopicServices, TopicsOfPixels, TopicStores, TopicWorkers } from "../topics/layer.ts"
import { VisitorServices, VisitorStores, VisitorWorkers } from "../visitors/layer.ts"
import { VisitServices } from "../visits/layer.ts"
import { VisitsStore } from "../visits/store.ts"
import { WebhookServices, WebhookStores, WebhookWorkers } from "../webhooks/layer.ts"
import { Triggers } from "../webhooks/triggers/triggers.ts"
import { Webhooks } from "../webhooks/webhooks.ts"
import { ClickHouseLayer } from "./clickhouse.ts"
import { type AppOptions, Configuration, type Replacements } from "./configuration.ts"
import { FirstDayStore } from "./first-day-store.ts"
import { ChangesOfAudiences, CompletionOfRuns, Erasures } from "./hooks.ts"
import { Collector } from "./collector.ts"
import { Keys } from "./sealed-values.ts"
import { Queues } from "./queues.ts"

/** All services on the configured database. */
export const App = (options: AppOptions, assets: Assets) => {
  const schema = options.migrate === false ? Layer.empty : Layer.effectDiscard(updatedSchema)
  return Services(assets, options.replacements ?? Layer.empty).pipe(
    Layer.provideMerge(Layer.provide(Parties, OrganizationStore.layer)),
    Layer.provideMerge(Collector(options)),
    Layer.provideMerge(Keys),
    Layer.provideMerge(schema),
    Layer.provideMerge(Database.layer),
    Layer.provideMerge(Configuration(options)),
  )
}

const updatedSchema = Effect.gen(function* () {
  const done = yield* Migrations.run
  if (done.length === 0) return
  yield* Effect.annotateLogs(Effect.logInfo("schema updated"), { from: done[0], to: done.at(-1) })
})

/** All background workers; they run while the scope is open. */
export const Workers = Layer.provide(
  Layer.mergeAll(
    AccountsWorker,
    DeliveryWorker,
    IdentificationWorkers,
    RepeatsWorker,
    RunWorkers,
    SyncCycleWorker,
    SignalWorkers,
  TopicWorkers,
    VisitorWorkers,
    WebhookWorkers,
  ),
  Layer.succeed(Background, true),
)

const Stores = Layer.mergeAll(
  AccessStores,
  AccountStore.layer,
  AudienceStores,
  ClickHouseLayer,
  DeliveryStores,
  DemoStore.layer,
  DestinationStores,
  FirstDayStore.layer,
  IdentificationStores,
  ImportStores,
  MetricsStore.layer,
  Partitions.layer,
  PeopleStores,
  PixelStores,
  RateLimitStore.layer,
  RunStores,
  SuppressionStores,
  SignalStores,
  TopicStores,
  VisitorStores,
  VisitsStore.layer,
  WebhookStores,
)

/** All services on a database; requires the platform's files and a database client. */
const Services = ({ directory }: Assets, replacements: Replacements) => {
  const first = Layer.mergeAll(
    Copy.layer,
    JobWakes.layer,
    Layer.provide(KeyedLists.layer, PageBoundaries.layer),
    Mail.layer,
    Outbound.layer,
    Queues,
    RateLimits.layer,
    Readiness.layer(Migrations.isCurrent),
  ).pipe(Layer.provideMerge(Layer.merge(Stores, replacements)))
  const visitors = Layer.provide(VisitorServices, Webhooks.segmentUse).pipe(
    Layer.provideMerge(Layer.provide(PeopleServices, EnrichmentOfPeople)),
    Layer.provideMerge(Triggers),
    Layer.provideMerge(SuppressionServices),
    Layer.provideMerge(ImportServices),
    Layer.provideMerge(VisitServices),
    Layer.provideMerge(Layer.provide(PixelServices(`${directory}/pixel`), TopicsOfPixels)),
    Layer.provideMerge(Layer.provide(AccessServices, PixelsOfOrganizations)),
    Layer.provideMerge(Layer.merge(first, replacements)),
  )
  return Layer.provide(Demo.layer, IntentData.layer).pipe(
    Layer.provideMerge(StarterTopics.layer(`${directory}/topics.csv`)),
    Layer.provideMerge(DeliveryServices),
    Layer.provideMerge(DestinationServices),
    Layer.provideMerge(Layer.provide(RunServices, CompletionOfRuns)),
    Layer.provideMerge(Layer.provide(AudienceServices, ChangesOfAudiences)),
    Layer.provideMerge(TopicServices),
    Layer.provideMerge(SignalServices),
    Layer.provideMerge(Layer.provide(IdentificationServices, Erasures)),
    Layer.provideMerge(Layer.provide(Account.layer, UseOfIntent)),
    Layer.provideMerge(WebhookServices),
    Layer.provideMerge(visitors),
  )
}

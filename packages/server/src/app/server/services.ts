// Joins the rooms into one server, in order: each builds on the earlier ones and declares what it needs from later
// ones.
import { Effect, Layer } from "effect"
import { AccessServices, AccessStores } from "../../access/layer.ts"
import { Parties } from "../../access/organizations/parties.ts"
import { OrganizationStore } from "../../access/organizations/store.ts"
import { RepeatsWorker } from "../../access/repeats/repeats.ts"
import { Account } from "../../access/account/account.ts"
import { AccountStore } from "../../access/account/store.ts"
import type { Assets } from "../../assets.ts"
import { AudienceServices, AudienceStores, UseOfIntent } from "../../intent/audiences/layer.ts"
import { Copy } from "../../platform/database/copy.ts"
import { Database } from "../../platform/database/database.ts"
import { Migrations } from "../../platform/database/migrations.ts"
import { Partitions } from "../../platform/database/partitions.ts"
import { Background } from "../../platform/database/statement-limits.ts"
import { DestinationErasures } from "../../activation/deliveries/erasures/store.ts"
import {
  DeliveryServices,
  DeliveryStores,
  DeliveryWorker,
  DestinationErasureWorker,
} from "../../activation/deliveries/layer.ts"
import { Demo } from "../demo/demo.ts"
import { IntentData } from "../demo/intent-data.ts"
import { DemoStore } from "../demo/store.ts"
import { TargetAccounts } from "../demo/target-accounts.ts"
import { AccountsWorker } from "../../activation/destinations/accounts/probes.ts"
import { DestinationServices, DestinationStores } from "../../activation/destinations/layer.ts"
import { KeyedLists } from "../../platform/lists/keyed-lists.ts"
import { MetricsStore } from "../../platform/metrics/store.ts"
import { Readiness } from "../../platform/http/operations.ts"
import { RateLimits } from "../../platform/http/rate-limit.ts"
import { RateLimitStore } from "../../platform/http/store.ts"
import { Erasure } from "../../people/erasure/erasure.ts"
import { ReceiptStore } from "../../people/erasure/receipt-store.ts"
import { ErasureStore } from "../../people/erasure/store.ts"
import { SessionEventServices } from "../../people/events/layer.ts"
import {
  IdentificationServices,
  IdentificationStores,
  IdentificationWorkers,
} from "../../people/identification/layer.ts"
import { Retention, RetentionWorker } from "../../people/retention/retention.ts"
import { RetentionStore } from "../../people/retention/store.ts"
import { EnrichmentOfPeople } from "../../people/identification/merging/layer.ts"
import { ImportServices, ImportStores } from "../../people/imports/layer.ts"
import { JobWakes } from "../../platform/jobs/queue.ts"
import { Mail } from "../../platform/outbound/mail/mail.ts"
import { Outbound } from "../../platform/outbound/outbound.ts"
import { PeopleServices, PeopleStores } from "../../people/person/layer.ts"
import { PixelServices, PixelStores } from "../../collect/pixels/layer.ts"
import { PixelsOfOrganizations } from "../../collect/pixels/organization-standing.ts"
import { InboundServices, InboundStores, InboundWorker } from "../../collect/inbound/layer.ts"
import { InboundGuard } from "../../people/identification/inbound-guard-store.ts"
import { RunServices, RunStores, RunWorkers } from "../../intent/runs/layer.ts"
import { SyncCycleWorker } from "../../people/suppression/cycle/worker.ts"
import { FileImportsWorker } from "../../people/file-imports/file-imports.ts"
import { FileImportServices, FileImportStores } from "../../people/file-imports/layer.ts"
import { SourceServices, SourceStores } from "../../people/suppression-sources/layer.ts"
import { SourceWorker } from "../../people/suppression-sources/worker.ts"
import { SuppressionServices, SuppressionStores } from "../../people/suppression/layer.ts"
import { StarterTopics } from "../../intent/topics/starter-topics.ts"
import { SignalServices, SignalStores, SignalWorkers } from "../../intent/signals/layer.ts"
import {
  TopicServices,
  TopicsOfPixels,
  TopicStores,
  TopicWorkers,
} from "../../intent/topics/layer.ts"
import { ScoreServices, ScoreWorker } from "../../people/score/layer.ts"
import { Lists } from "../../people/lists/lists.ts"
import { ListStore } from "../../people/lists/store.ts"
import { TeamworkServices } from "../../people/teamwork/layer.ts"
import { VisitorServices, VisitorStores, VisitorWorkers } from "../../people/visitors/layer.ts"
import {
  VisitorTopicServices,
  VisitorTopicStores,
  VisitorTopicsWorker,
} from "../../intent/visitor-topics/layer.ts"
import { VisitServices } from "../../collect/visits/layer.ts"
import { VisitsStore } from "../../collect/visits/store.ts"
import { WebhookServices, WebhookStores, WebhookWorkers } from "../../activation/webhooks/layer.ts"
import { Triggers } from "../../activation/webhooks/triggers/triggers.ts"
import { Webhooks } from "../../activation/webhooks/webhooks.ts"
import { ClickHouseLayer } from "./clickhouse.ts"
import { type AppOptions, Configuration, type Replacements } from "./configuration.ts"
import { FirstDayStore } from "./first-day-store.ts"
import {
  ChangesOfAudiences,
  CompletionOfRuns,
  Erasures,
  KindsOfSources,
  UseOfSegments,
} from "./hooks.ts"
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
    DestinationErasureWorker,
    IdentificationWorkers,
    InboundWorker,
    RetentionWorker,
    RepeatsWorker,
    RunWorkers,
    FileImportsWorker,
    ScoreWorker,
    SourceWorker,
    SyncCycleWorker,
    SignalWorkers,
    TopicWorkers,
    VisitorTopicsWorker,
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
  DestinationErasures.layer,
  DemoStore.layer,
  DestinationStores,
  FirstDayStore.layer,
  ErasureStore.layer,
  ReceiptStore.layer,
  FileImportStores,
  IdentificationStores,
  RetentionStore.layer,
  ImportStores,
  InboundStores,
  ListStore.layer,
  MetricsStore.layer,
  Partitions.layer,
  PeopleStores,
  PixelStores,
  RateLimitStore.layer,
  RunStores,
  SourceStores,
  SuppressionStores,
  SignalStores,
  TopicStores,
  VisitorStores,
  VisitorTopicStores,
  VisitsStore.layer,
  WebhookStores,
)

/** All services on a database; requires the platform's files and a database client. */
const Services = ({ directory }: Assets, replacements: Replacements) => {
  const first = Layer.mergeAll(
    Copy.layer,
    JobWakes.layer,
    KeyedLists.layer,
    Mail.layer,
    Outbound.layer,
    Queues,
    RateLimits.layer,
    Readiness.layer(Migrations.isCurrent),
  ).pipe(Layer.provideMerge(Layer.merge(Stores, replacements)))
  const visitors = Layer.provide(VisitorServices, UseOfSegments).pipe(
    Layer.provideMerge(Layer.provide(Lists.layer, Webhooks.listUse)),
    Layer.provideMerge(Layer.provide(PeopleServices, EnrichmentOfPeople)),
    Layer.provideMerge(Triggers),
    Layer.provideMerge(SuppressionServices),
    Layer.provideMerge(ImportServices),
    Layer.provideMerge(VisitServices),
    Layer.provideMerge(Layer.provide(PixelServices(`${directory}/pixel`), TopicsOfPixels)),
    Layer.provideMerge(Layer.provide(AccessServices, PixelsOfOrganizations)),
    Layer.provideMerge(Layer.merge(first, replacements)),
  )
  return Layer.provide(Demo.layer, Layer.merge(IntentData.layer, TargetAccounts.layer)).pipe(
    Layer.provideMerge(StarterTopics.layer(`${directory}/topics.csv`)),
    Layer.provideMerge(DeliveryServices),
    Layer.provideMerge(Layer.provideMerge(SourceServices, KindsOfSources)),
    Layer.provideMerge(DestinationServices),
    Layer.provideMerge(Layer.provide(RunServices, CompletionOfRuns)),
    Layer.provideMerge(VisitorTopicServices),
    Layer.provideMerge(Layer.provide(AudienceServices, ChangesOfAudiences)),
    Layer.provideMerge(TopicServices),
    Layer.provideMerge(SignalServices),
    Layer.provideMerge(Layer.provide(Layer.merge(Erasure.layer, Retention.layer), Erasures)),
    Layer.provideMerge(Layer.provide(InboundServices, InboundGuard)),
    Layer.provideMerge(SessionEventServices),
    Layer.provideMerge(IdentificationServices),
    Layer.provideMerge(Layer.provide(Account.layer, UseOfIntent)),
    Layer.provideMerge(WebhookServices),
    Layer.provideMerge(ScoreServices),
    Layer.provideMerge(TeamworkServices),
    Layer.provideMerge(FileImportServices),
    Layer.provideMerge(visitors),
  )
}

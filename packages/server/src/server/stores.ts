// The stores of every room, over the database client.
import { Layer } from "effect"
import { AuditStore } from "../access/audit/store.ts"
import { MemberStore } from "../access/members/store.ts"
import { OrganizationStore } from "../access/organizations/store.ts"
import { SignInStore } from "../access/sign-in/store.ts"
import { AccessStore } from "../access/store.ts"
import { AccountStore } from "../account/store.ts"
import { AliasStore } from "../audiences/aliases/store.ts"
import { FilterStore } from "../audiences/filters/store.ts"
import { AudienceLifecycleStore } from "../audiences/lifecycle/store.ts"
import { AudienceStore } from "../audiences/store.ts"
import { Partitions } from "../database/partitions.ts"
import { AutomaticDeliveryStore } from "../deliveries/automatic/store.ts"
import { DeliveryErasureStore } from "../deliveries/erasure/store.ts"
import { PlanStore } from "../deliveries/planning/store.ts"
import { DeliveryStore } from "../deliveries/store.ts"
import { DeliveryWorkStore } from "../deliveries/work/store.ts"
import { DemoStore } from "../demo/store.ts"
import { AccountsStore } from "../destinations/accounts/store.ts"
import { DestinationStore } from "../destinations/store.ts"
import { TargetStore } from "../destinations/targets/store.ts"
import { MetricsStore } from "../http/metrics/store.ts"
import { RateLimitStore } from "../http/store.ts"
import { ChangesStore } from "../identification/changes/store.ts"
import { CreditStore } from "../identification/credits/store.ts"
import { ErasureStore } from "../identification/erasure/store.ts"
import { BrowserLinkStore } from "../identification/links/store.ts"
import { MergingStore } from "../identification/merging/store.ts"
import { OwnershipStore } from "../identification/ownership/store.ts"
import { ResolvedStore } from "../identification/resolving/store.ts"
import { RetentionStore } from "../identification/retention/store.ts"
import { IdentificationStore } from "../identification/store.ts"
import { DataVersionStore } from "../people/import/store.ts"
import { LinksStore } from "../people/links/store.ts"
import { PeopleStore } from "../people/store.ts"
import { TombstoneStore } from "../people/tombstones/store.ts"
import { ImmutableScriptStore } from "../pixels/immutable/store.ts"
import { PixelStore } from "../pixels/store.ts"
import { DailyRunStore } from "../runs/daily/store.ts"
import { MaterializationStore } from "../runs/materialization/store.ts"
import { ResultErasureStore } from "../runs/results/erasure-store.ts"
import { ResultStore } from "../runs/results/store.ts"
import { ResultRetentionStore } from "../runs/retention/store.ts"
import { RunStore } from "../runs/store.ts"
import { ReadyMailStore } from "../runs/exports/ready-mail/store.ts"
import { ExportStore } from "../runs/exports/store.ts"
import { CycleStore } from "../suppression/cycle/store.ts"
import { MatchingStore } from "../suppression/matching/store.ts"
import { SuppressionStore } from "../suppression/store.ts"
import { SiteAnalysisStore } from "../topics/analysis/store.ts"
import { CatalogueStore } from "../topics/catalogue/store.ts"
import { TopicImportStore } from "../topics/import/store.ts"
import { TopicListStore } from "../topics/lists/store.ts"
import { OwnIntentStore } from "../topics/own-intent/store.ts"
import { SignalErasureStore } from "../topics/signals/erasure/store.ts"
import { SignalImportStore } from "../topics/signals/import/store.ts"
import { SignalRetentionStore } from "../topics/signals/retention/store.ts"
import { SignalStore } from "../topics/signals/store.ts"
import { TrendStore } from "../topics/trends/store.ts"
import { CoverageStore } from "../visitors/coverages/store.ts"
import { SegmentStore } from "../visitors/segments/store.ts"
import { SessionStore } from "../visitors/sessions/store.ts"
import { VisitorStore } from "../visitors/store.ts"
import { VisitsStore } from "../visits/store.ts"
import { HistoryStore } from "../webhooks/history/store.ts"
import { QuestionStore } from "../webhooks/questions/store.ts"
import { WebhookRetentionStore } from "../webhooks/retention/store.ts"
import { SettlementStore } from "../webhooks/sending/settlement-store.ts"
import { SendingStore } from "../webhooks/sending/store.ts"
import { WebhookStore } from "../webhooks/store.ts"
import { SessionEndStore } from "../webhooks/triggers/session-end-store.ts"
import { TriggerStore } from "../webhooks/triggers/store.ts"

export const Stores = Layer.mergeAll(
  AccessStore.layer,
  AccountStore.layer,
  AccountsStore.layer,
  AliasStore.layer,
  AudienceLifecycleStore.layer,
  AudienceStore.layer,
  AuditStore.layer,
  MemberStore.layer,
  OrganizationStore.layer,
  SignInStore.layer,
  AutomaticDeliveryStore.layer,
  DeliveryErasureStore.layer,
  DeliveryStore.layer,
  Layer.provide(DeliveryWorkStore.layer, [PlanStore.layer, TargetStore.layer]),
  DemoStore.layer,
  DestinationStore.layer,
  TargetStore.layer,
  IdentificationStore.layer,
  BrowserLinkStore.layer,
  CatalogueStore.layer,
  Layer.provide(ChangesStore.layer, CycleStore.layer),
  CreditStore.layer,
  DataVersionStore.layer,
  ErasureStore.layer,
  ExportStore.layer,
  FilterStore.layer,
  LinksStore.layer,
  MergingStore.layer,
  OwnershipStore.layer,
  OwnIntentStore.layer,
  ReadyMailStore.layer,
  RetentionStore.layer,
  ResolvedStore.layer,
  Partitions.layer,
  PeopleStore.layer,
  PixelStore.layer,
  ImmutableScriptStore.layer,
  MetricsStore.layer,
  RateLimitStore.layer,
  CoverageStore.layer,
  SegmentStore.layer,
  SessionStore.layer,
  DailyRunStore.layer,
  MaterializationStore.layer,
  ResultErasureStore.layer,
  ResultRetentionStore.layer,
  ResultStore.layer,
  RunStore.layer,
  SignalStore.layer,
  SignalErasureStore.layer,
  SignalImportStore.layer,
  SignalRetentionStore.layer,
  SiteAnalysisStore.layer,
  TombstoneStore.layer,
  TopicImportStore.layer,
  TopicListStore.layer,
  TrendStore.layer,
  CycleStore.layer,
  MatchingStore.layer,
  SuppressionStore.layer,
  HistoryStore.layer,
  QuestionStore.layer,
  SendingStore.layer,
  SessionEndStore.layer,
  SettlementStore.layer,
  TriggerStore.layer,
  VisitorStore.layer,
  VisitsStore.layer,
  WebhookRetentionStore.layer,
  WebhookStore.layer,
)

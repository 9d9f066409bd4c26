// The services of every room over its stores, in the order of the rooms, and what works in the
// background. Nothing here decides anything.
import { Effect, Layer } from "effect"
import { ApiKeys } from "../access/api-keys.ts"
import { Audit } from "../access/audit/audit.ts"
import { Installation } from "../access/installation.ts"
import { Members } from "../access/members/members.ts"
import { Memberships } from "../access/members/memberships.ts"
import { Notices } from "../access/notices/notices.ts"
import { Organizations } from "../access/organizations/organizations.ts"
import { SignIn } from "../access/sign-in/sign-in.ts"
import { AccessTokens } from "../access/tokens/access-tokens.ts"
import { ExternalKeys } from "../access/tokens/external-keys.ts"
import { Account } from "../account/account.ts"
import { IntentUse } from "../account/intent-use.ts"
import { Aliases } from "../audiences/aliases/aliases.ts"
import { AudienceChanges } from "../audiences/audience-changes.ts"
import { Configs } from "../audiences/configs.ts"
import { Audiences } from "../audiences/lifecycle/audiences.ts"
import { AudienceLifecycleStore } from "../audiences/lifecycle/store.ts"
import { Countings } from "../audiences/counting.ts"
import { Filters } from "../audiences/filters/filters.ts"
import { Previews } from "../audiences/preview/previews.ts"
import { Copy } from "../database/copy.ts"
import { DatabaseConfig } from "../database/database-config.ts"
import { Database } from "../database/database.ts"
import { Migrations } from "../database/migrations.ts"
import { automaticDeliveries } from "../deliveries/automatic/automatic-deliveries.ts"
import { Deliveries } from "../deliveries/deliveries.ts"
import { erasedDeliveries } from "../deliveries/erasure/erased-deliveries.ts"
import { Deliverer } from "../deliveries/work/deliverer.ts"
import { DeliveryWorker } from "../deliveries/worker.ts"
import { Demo } from "../demo/demo.ts"
import { IntentData } from "../demo/intent-data.ts"
import { Accounts } from "../destinations/accounts/accounts.ts"
import { AccountProbes } from "../destinations/accounts/probes.ts"
import { AccountsWorker } from "../destinations/accounts/worker.ts"
import { Approval } from "../destinations/approval.ts"
import { Destinations } from "../destinations/destinations.ts"
import { Mailer } from "../destinations/mailer/mailer.ts"
import { stoppedDestinations } from "../destinations/stopped-destinations.ts"
import { Targets } from "../destinations/targets/targets.ts"
import { TestCalls } from "../destinations/test-call.ts"
import { KeyedLists } from "../http/keyed-lists.ts"
import { Readiness } from "../http/operations.ts"
import { PageBoundaries } from "../http/page-boundaries.ts"
import { RateLimits } from "../http/rate-limits.ts"
import { ReleaseWorker } from "../identification/credits/worker.ts"
import { Erasure } from "../identification/erasure/erasure.ts"
import { LaterErasure } from "../identification/erasure/later-erasure.ts"
import { Identification } from "../identification/identification.ts"
import { KnownRows } from "../identification/known.ts"
import { LinkedEvents } from "../identification/links/linked-events.ts"
import { Acquaintances } from "../identification/merging/acquaintances.ts"
import { Merging } from "../identification/merging/merging.ts"
import { Resolution } from "../identification/resolving/resolution.ts"
import { ResolvedEvents } from "../identification/resolving/resolved-events.ts"
import { Retention, RetentionWorker } from "../identification/retention/retention.ts"
import { IdentificationWorker } from "../identification/worker.ts"
import { JobWakes } from "../jobs/wakes.ts"
import { Mail } from "../outbound/mail/mail.ts"
import { Outbound } from "../outbound/outbound.ts"
import { ErasedPeople } from "../people/erased-people.ts"
import { DataVersions } from "../people/import/data-versions.ts"
import { ImportKinds } from "../people/import/import-kind.ts"
import { Imports } from "../people/import/imports.ts"
import { Links } from "../people/links/links.ts"
import { People } from "../people/people.ts"
import { Tombstones } from "../people/tombstones/tombstones.ts"
import { ForeignEvents } from "../pixels/foreign-events.ts"
import { ImmutableScripts } from "../pixels/immutable/immutable-scripts.ts"
import { PixelChanges } from "../pixels/pixel-changes.ts"
import { Pixels } from "../pixels/pixels.ts"
import { PixelScript } from "../pixels/script.ts"
import { Verification } from "../pixels/verification/verification.ts"
import { cancelledRuns } from "../runs/cancelled-runs.ts"
import { DailyRuns, DailyRunWorker } from "../runs/daily/daily-runs.ts"
import { Materialization } from "../runs/materialization/materialization.ts"
import { erasedResults } from "../runs/results/erased-results.ts"
import { ResultErasureStore } from "../runs/results/erasure-store.ts"
import { Results } from "../runs/results/results.ts"
import { ResultRetentionWorker } from "../runs/retention/worker.ts"
import { RunCsv } from "../runs/exports/csv/run-csv.ts"
import { CsvStore } from "../runs/exports/csv/store.ts"
import { erasedExports } from "../runs/exports/erased-exports.ts"
import { DownloadPlaces } from "../runs/exports/download-places.ts"
import { Exports } from "../runs/exports/exports.ts"
import { ExportFiles } from "../runs/exports/files/export-files.ts"
import { ExportLinks } from "../runs/exports/links.ts"
import { ReadyMails } from "../runs/exports/ready-mail/ready-mails.ts"
import { ReadyMailWorker } from "../runs/exports/ready-mail/worker.ts"
import { ExportSweep, ExportWorker } from "../runs/exports/worker.ts"
import { RunCompletion } from "../runs/run-completion.ts"
import { Runs } from "../runs/runs.ts"
import { RunWorker } from "../runs/worker.ts"
import { SyncCycleWorker } from "../suppression/cycle/worker.ts"
import { Matching } from "../suppression/matching/matching.ts"
import { Suppression } from "../suppression/suppression.ts"
import { SiteAnalyses } from "../topics/analysis/site-analyses.ts"
import { Sites } from "../topics/analysis/sites.ts"
import { SiteAnalysisRetentionWorker } from "../topics/analysis/worker.ts"
import { Catalogue } from "../topics/catalogue/catalogue.ts"
import { TopicImports } from "../topics/import/topic-imports.ts"
import { TopicLists } from "../topics/lists/topic-lists.ts"
import { OwnIntent, OwnIntentWorker } from "../topics/own-intent/own-intent.ts"
import { RuleTopics } from "../topics/own-intent/rule-topics.ts"
import { erasedSignals } from "../topics/signals/erasure/erased-signals.ts"
import { SignalErasureStore } from "../topics/signals/erasure/store.ts"
import { SignalImports } from "../topics/signals/import/signal-imports.ts"
import {
  SignalRetention,
  SignalRetentionWorker,
} from "../topics/signals/retention/signal-retention.ts"
import { Signals } from "../topics/signals/signals.ts"
import { Trends } from "../topics/trends/trends.ts"
import { Coverages } from "../visitors/coverages/coverages.ts"
import { RuleTurns } from "../visitors/query/rule-turns.ts"
import { VisitorQueries } from "../visitors/query/visitor-queries.ts"
import { Segments } from "../visitors/segments/segments.ts"
import { Sessions } from "../visitors/sessions/sessions.ts"
import { Visitors } from "../visitors/visitors.ts"
import { Arrivals } from "../visits/arrivals.ts"
import { Collect } from "../visits/collect.ts"
import { WebhookHistory } from "../webhooks/history/history.ts"
import { Questions } from "../webhooks/questions/questions.ts"
import { QuestionWorker } from "../webhooks/questions/worker.ts"
import {
  WebhookRetention,
  WebhookRetentionWorker,
} from "../webhooks/retention/webhook-retention.ts"
import { Preparation } from "../webhooks/sending/preparation.ts"
import { Settlements } from "../webhooks/sending/settlements.ts"
import { WebhookTests } from "../webhooks/sending/test-call.ts"
import { WebhookWorker } from "../webhooks/sending/worker.ts"
import { Triggers } from "../webhooks/triggers/triggers.ts"
import { SessionEndWorker } from "../webhooks/triggers/worker.ts"
import { WebhookNotices } from "../webhooks/webhook-notices.ts"
import { Webhooks } from "../webhooks/webhooks.ts"
import type { Assets } from "./assets.ts"
import { Configuration, type AppOptions, type Replacements } from "./configuration.ts"
import { Keys } from "./keys.ts"
import { Queues } from "./queues.ts"
import { Stores } from "./stores.ts"

/** The configured database alone, for commands that come before its schema or its keys. */
export const BareDatabase = (options: AppOptions) =>
  Layer.provideMerge(Database.layerCommand, Configuration(options))

/** All services, over the configured database. */
export const App = (options: AppOptions, assets: Assets) => {
  const database = options.role === "server" ? Database.layer : Database.layerCommand
  const schema = options.migrate === false ? Layer.empty : Layer.effectDiscard(Migrations.run)
  return Services(assets, options.replacements ?? Layer.empty).pipe(
    Layer.provideMerge(Keys(options)),
    Layer.provideMerge(schema),
    Layer.provideMerge(database),
    Layer.provideMerge(Configuration(options)),
  )
}

/** What works in the background; runs for as long as its scope is open. */
export const Workers = Layer.mergeAll(
  AccountsWorker,
  DailyRunWorker,
  Layer.provide(DeliveryWorker, Deliverer.layer),
  ExportWorker,
  IdentificationWorker,
  OwnIntentWorker,
  ReadyMailWorker,
  ReleaseWorker,
  ResultRetentionWorker,
  RetentionWorker,
  RunWorker,
  SignalRetentionWorker,
  SiteAnalysisRetentionWorker,
  SyncCycleWorker,
  SessionEndWorker,
  Layer.provide(QuestionWorker, Questions.layer),
  Layer.provide(WebhookWorker, [
    Preparation.layer,
    Layer.provide(Settlements.layer, WebhookNotices.layer),
  ]),
  Layer.provide(WebhookRetentionWorker, WebhookRetention.layer),
)

/** What the import engine takes, from the rooms of the records. */
const Kinds = Layer.effect(
  ImportKinds,
  Effect.gen(function* () {
    return ImportKinds.of({
      topics: (yield* TopicImports).kind,
      signals: (yield* SignalImports).kind,
      people: (yield* People).kind,
      "identity-links": (yield* Links).kind,
    })
  }),
)

/** The account's figures on audiences and signals. */
const UseOfIntent = Layer.effect(
  IntentUse,
  Effect.gen(function* () {
    const audiences = yield* AudienceLifecycleStore
    const signals = yield* Signals
    return IntentUse.of({
      of: Effect.fnUntraced(function* (organizationId) {
        const { date, hasSignals } = yield* Effect.orDie(signals.dataDate(organizationId))
        const slotsUsed = yield* audiences.slotsUsed(organizationId)
        return { slotsUsed, dataDate: hasSignals ? date : null }
      }),
    })
  }),
)

/** What later rooms do in the transaction that changes an audience. */
const ChangesOfAudiences = Layer.effect(
  AudienceChanges,
  Effect.map(Effect.all([cancelledRuns, stoppedDestinations]), (parts) =>
    AudienceChanges.of({
      paused: (...key) => Effect.forEach(parts, (part) => part.paused(...key), { discard: true }),
      deleted: (...key) => Effect.forEach(parts, (part) => part.deleted(...key), { discard: true }),
    }),
  ),
)

/** What later rooms do in the transaction that completes a run. */
const CompletionOfRuns = Layer.effect(
  RunCompletion,
  Effect.gen(function* () {
    const parts = [yield* ReadyMails, yield* automaticDeliveries]
    return RunCompletion.of({
      completed: (run) => Effect.forEach(parts, (part) => part.completed(run), { discard: true }),
    })
  }),
).pipe(Layer.provide(ReadyMails.layer))

/** What an erasure takes out of later rooms, in their order; exports ask whose results they are. */
const Erasures = Layer.effect(
  LaterErasure,
  Effect.gen(function* () {
    const signals = yield* SignalErasureStore
    const results = yield* ResultErasureStore
    return LaterErasure.of({
      parts: yield* Effect.all([erasedSignals, erasedExports, erasedResults, erasedDeliveries]),
      knows: Effect.fnUntraced(function* (organizationId, emailHash) {
        if ((yield* signals.numbersOf(organizationId, [emailHash])).length > 0) return true
        return yield* results.knows(organizationId, emailHash)
      }),
    })
  }),
)

/** Streams and files of results; the files are beside the embedded database. */
const ExportServices = Layer.merge(Exports.layer, ExportSweep).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ExportLinks.layer,
      DownloadPlaces.layer,
      Layer.provide(RunCsv.layer, CsvStore.layer),
      Layer.unwrap(
        Effect.map(DatabaseConfig, ({ dataDir }) => ExportFiles.layer(`${dataDir}/exports`)),
      ),
    ),
  ),
)

/** Destinations, and what deliveries ask of them. */
const DestinationServices = Layer.mergeAll(Destinations.layer, TestCalls.layer).pipe(
  Layer.provideMerge(Approval.layer),
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, Targets.layer)),
  Layer.provideMerge(Layer.provideMerge(AccountProbes.layer, Mailer.layer)),
)

/** Every service over the database; needs the platform's files and a database client. */
const Services = ({ directory }: Assets, replacements: Replacements) =>
  Demo.layer.pipe(
    Layer.provideMerge(WebhookTests.layer),
    Layer.provide(IntentData.layer(`${directory}/demo/topics.csv`)),
    Layer.provideMerge(
      Layer.mergeAll(
        Collect.layer,
        Account.layer.pipe(Layer.provide(UseOfIntent), Layer.provide(Signals.layer)),
        Erasure.layer,
        Identification.layer,
        Installation.layer,
        Retention.layer,
        Layer.provideMerge(VisitorQueries.layer, Segments.layer).pipe(
          Layer.provide(RuleTurns.layer),
        ),
        Sessions.layer,
        Layer.provideMerge(OwnIntent.layer, Signals.layer),
        TopicLists.layer,
        Layer.provideMerge(Audiences.layer, Configs.layer).pipe(Layer.provide(ChangesOfAudiences)),
        Filters.layer,
        Previews.layer.pipe(
          Layer.provide(Countings.layer),
          Layer.provide([Aliases.layer, RuleTurns.layer, Signals.layer]),
        ),
        Layer.mergeAll(
          Layer.provideMerge(Layer.merge(Results.layer, ExportServices), Runs.layer),
          Layer.provide(Materialization.layer, CompletionOfRuns),
          DailyRuns.layer,
        ).pipe(Layer.provide([Aliases.layer, Signals.layer])),
        Trends.layer,
        Layer.provide(SiteAnalyses.layer, Sites.layer),
        Visitors.layer,
        Deliveries.layer,
        WebhookHistory.layer,
        Webhooks.layer,
      ),
    ),
    Layer.provideMerge(DestinationServices),
    Layer.provideMerge(Layer.mergeAll(Erasures, Kinds, SignalRetention.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Imports.layer,
        Links.layer,
        People.layer,
        SignalImports.layer,
        TopicImports.layer,
      ),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        ErasedPeople.layer,
        LinkedEvents.layer,
        Merging.enrichment,
        Resolution.layer,
        ResolvedEvents.layer,
      ),
    ),
    Layer.provideMerge(Merging.layer),
    Layer.provideMerge(Layer.mergeAll(KnownRows.layer, PixelChanges.layer, Verification.layer)),
    Layer.provideMerge(Layer.provideMerge(RuleTopics, Catalogue.layer)),
    Layer.provideMerge(Layer.mergeAll(Acquaintances.layer, Copy.layer)),
    Layer.provideMerge(Tombstones.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        ApiKeys.layer,
        Arrivals.layer,
        Coverages.layer,
        ForeignEvents.layer,
        ImmutableScripts.layer,
        Matching.layer,
        Pixels.layer,
        Members.layer,
        Notices.layer,
        Organizations.layer,
        SignIn.layer,
        Suppression.layer,
      ),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(AccessTokens.layer, ExternalKeys.layer),
        Audit.layer,
        DataVersions.layer,
        Triggers.layer,
        Webhooks.segmentUse,
        JobWakes.layer,
        Queues,
        Memberships.layer,
        Mail.layer,
        Outbound.layer,
        RateLimits.layer,
        replacements,
      ),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(KeyedLists.layer, PageBoundaries.layer),
        PixelScript.layer(`${directory}/pixel`),
      ),
    ),
    Layer.provideMerge(Readiness.layer(Migrations.isCurrent)),
    Layer.provideMerge(Layer.merge(Stores, replacements)),
  )

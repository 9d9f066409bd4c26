// Updates the schema: forward only, each migration once, all pending ones in one transaction under one lock. Several
// processes may start together, and a kill leaves nothing half done. Migrations only add, so a running server keeps
// working on a newer schema. A server refuses to start on a schema newer than its own.
import { Effect, Schema } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "./advisory-locks.ts"
import { statements as visitors } from "./migrations/0001-visitors.ts"
import { statements as access } from "./migrations/0002-access.ts"
import { statements as people } from "./migrations/0003-people.ts"
import { statements as credits } from "./migrations/0004-credits.ts"
import { statements as query } from "./migrations/0005-query.ts"
import { statements as pixels } from "./migrations/0006-pixels.ts"
import { statements as suppression } from "./migrations/0007-suppression.ts"
import { statements as retention } from "./migrations/0008-retention.ts"
import { statements as topics } from "./migrations/0009-topics.ts"
import { statements as signals } from "./migrations/0010-signals.ts"
import { statements as siteAnalyses } from "./migrations/0011-site-analyses.ts"
import { statements as ruleIds } from "./migrations/0013-rule-ids.ts"
import { statements as audiences } from "./migrations/0014-audiences.ts"
import { statements as ownIntent } from "./migrations/0017-own-intent.ts"
import { statements as runs } from "./migrations/0018-runs.ts"
import { statements as destinations } from "./migrations/0019-destinations.ts"
import { statements as webhooks } from "./migrations/0020-webhooks.ts"
import { statements as exports } from "./migrations/0022-exports.ts"
import { statements as deliveries } from "./migrations/0024-deliveries.ts"
import { statements as webhookQuestions } from "./migrations/0025-webhook-questions.ts"
import { statements as deliveryPace } from "./migrations/0026-delivery-pace.ts"
import { statements as clickIds } from "./migrations/0027-click-ids.ts"
import { statements as segmentsInVain } from "./migrations/0028-segments-in-vain.ts"
import { statements as resultPerson } from "./migrations/0029-result-person.ts"
import { statements as inboxQueues } from "./migrations/0030-inbox-queues.ts"
import { statements as suppressionMarks } from "./migrations/0031-suppression-marks.ts"
import { internationalRules } from "./migrations/0032-international-rules.ts"
import { statements as ownKeys } from "./migrations/0033-own-keys.ts"
import { statements as listVersions } from "./migrations/0034-list-versions.ts"
import { statements as knownAddresses } from "./migrations/0036-known-addresses.ts"
import { statements as dataKeys } from "./migrations/0038-data-keys.ts"
import { statements as otherAddresses } from "./migrations/0040-other-addresses.ts"
import { statements as acceptedMembers } from "./migrations/0041-accepted-members.ts"
import { statements as inboxAddresses } from "./migrations/0042-inbox-addresses.ts"
import { statements as companies } from "./migrations/0043-companies.ts"
import { statements as overview } from "./migrations/0045-overview.ts"
import { statements as writeKeys } from "./migrations/0046-write-keys.ts"
import { statements as browserJoins } from "./migrations/0047-browser-joins.ts"
import { statements as notifications } from "./migrations/0048-notifications.ts"
import { statements as firstDay } from "./migrations/0049-first-day.ts"
import { statements as companySeen } from "./migrations/0050-company-seen.ts"
import { statements as deviceLogins } from "./migrations/0051-device-logins.ts"
import { statements as passwordResets } from "./migrations/0052-password-resets.ts"
import { statements as repeats } from "./migrations/0053-repeats.ts"
import { statements as consoleSessions } from "./migrations/0054-console-sessions.ts"
import { statements as userIdLinks } from "./migrations/0056-user-id-links.ts"
import { statements as deliveryTries } from "./migrations/0057-delivery-tries.ts"
import { statements as sessionClients } from "./migrations/0058-session-clients.ts"
import { statements as peopleVersions } from "./migrations/0059-people-versions.ts"
import { statements as withdrawnDeliveries } from "./migrations/0060-withdrawn-deliveries.ts"
import { statements as webhookFairness } from "./migrations/0061-webhook-fairness.ts"
import { statements as signalGenerations } from "./migrations/0062-signal-generations.ts"
import { statements as milestones } from "./migrations/0063-milestones.ts"
import { statements as peoplePerDay } from "./migrations/0064-people-per-day.ts"
import { statements as parquetExports } from "./migrations/0065-parquet-exports.ts"
import { statements as emptySuppressionLists } from "./migrations/0066-empty-suppression-lists.ts"
import { statements as ruleCounts } from "./migrations/0067-rule-counts.ts"
import { statements as eventArchive } from "./migrations/0068-event-archive.ts"
import { oneSpelling } from "./migrations/0072-one-spelling.ts"
import { statements as userIdClaims } from "./migrations/0073-user-id-claims.ts"
import { statements as plainPaths } from "./migrations/0076-plain-paths.ts"
import { statements as creators } from "./migrations/0077-creators.ts"
import { statements as suppressedCounts } from "./migrations/0080-suppressed-counts.ts"
import { statements as sharedUserIds } from "./migrations/0083-shared-user-ids.ts"
import { statements as timeZones } from "./migrations/0084-time-zones.ts"
import { statements as daysOfTimeZones } from "./migrations/0085-days-of-time-zones.ts"
import { statements as search } from "./migrations/0090-search.ts"
import { statements as failedSegments } from "./migrations/0096-failed-segments.ts"
import { statements as stagedImports } from "./migrations/0097-staged-imports.ts"
import { statements as listsWithoutVersions } from "./migrations/0098-lists-without-versions.ts"
import { statements as lists } from "./migrations/0099-lists.ts"
import { statements as fullNames } from "./migrations/0100-full-names.ts"
import { statements as alerts } from "./migrations/0101-alerts.ts"
import { statements as countedEvents } from "./migrations/0102-counted-events.ts"
import { statements as peopleWithoutScores } from "./migrations/0103-people-without-scores.ts"
import { statements as scores } from "./migrations/0104-scores.ts"
import { statements as emailAlerts } from "./migrations/0105-email-alerts.ts"
import { statements as segmentsOfCompanies } from "./migrations/0106-segments-of-companies.ts"
import { statements as visitorTopics } from "./migrations/0107-visitor-topics.ts"
import { statements as segmentAlerts } from "./migrations/0108-segment-alerts.ts"
import { statements as segmentAlertsOfCompanies } from "./migrations/0110-segment-alerts-of-companies.ts"
import { statements as ownersTagsAndNotes } from "./migrations/0111-owners-tags-and-notes.ts"
import { statements as dataOrigins } from "./migrations/0112-data-origins.ts"
import { statements as suppressionSources } from "./migrations/0114-suppression-sources.ts"
import { statements as scoreReasons } from "./migrations/0115-score-reasons.ts"
import { statements as connectors } from "./migrations/0116-connectors.ts"
import { statements as removals } from "./migrations/0117-removals.ts"
import { statements as webhookRequests } from "./migrations/0118-webhook-requests.ts"
import { statements as sourcesOfServices } from "./migrations/0119-sources-of-services.ts"
import { statements as keyRights } from "./migrations/0124-key-rights.ts"
import { statements as erasureReceipts } from "./migrations/0125-erasure-receipts.ts"
import { statements as inbound } from "./migrations/0127-inbound.ts"

/** Statements, a function that builds them if that takes a while, or an effect that also reads and computes. */
type Migration =
  | ReadonlyArray<string>
  | (() => ReadonlyArray<string>)
  | Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

const all: Readonly<Record<string, Migration>> = {
  "0001_visitors": visitors,
  "0002_access": access,
  "0003_people": people,
  "0004_credits": credits,
  "0005_query": query,
  "0006_pixels": pixels,
  "0007_suppression": suppression,
  "0008_retention": retention,
  "0009_topics": topics,
  "0010_signals": signals,
  "0011_site_analyses": siteAnalyses,
  "0013_rule_ids": ruleIds,
  "0014_audiences": audiences,
  "0017_own_intent": ownIntent,
  "0018_runs": runs,
  "0019_destinations": destinations,
  "0020_webhooks": webhooks,
  "0022_exports": exports,
  "0024_deliveries": deliveries,
  "0025_webhook_questions": webhookQuestions,
  "0026_delivery_pace": deliveryPace,
  "0027_click_ids": clickIds,
  "0028_segments_in_vain": segmentsInVain,
  "0029_result_person": resultPerson,
  "0030_inbox_queues": inboxQueues,
  "0031_suppression_marks": suppressionMarks,
  "0032_international_rules": internationalRules,
  "0033_own_keys": ownKeys,
  "0034_list_versions": listVersions,
  "0036_known_addresses": knownAddresses,
  "0038_data_keys": dataKeys,
  "0040_other_addresses": otherAddresses,
  "0041_accepted_members": acceptedMembers,
  "0042_inbox_addresses": inboxAddresses,
  "0043_companies": companies,
  "0045_overview": overview,
  "0046_write_keys": writeKeys,
  "0047_browser_joins": browserJoins,
  "0048_notifications": notifications,
  "0049_first_day": firstDay,
  "0050_company_seen": companySeen,
  "0051_device_logins": deviceLogins,
  "0052_password_resets": passwordResets,
  "0053_repeats": repeats,
  "0054_console_sessions": consoleSessions,
  "0056_user_id_links": userIdLinks,
  "0057_delivery_tries": deliveryTries,
  "0058_session_clients": sessionClients,
  "0059_people_versions": peopleVersions,
  "0060_withdrawn_deliveries": withdrawnDeliveries,
  "0061_webhook_fairness": webhookFairness,
  "0062_signal_generations": signalGenerations,
  "0063_milestones": milestones,
  "0064_people_per_day": peoplePerDay,
  "0065_parquet_exports": parquetExports,
  "0066_empty_suppression_lists": emptySuppressionLists,
  "0067_rule_counts": ruleCounts,
  "0068_event_archive": eventArchive,
  "0072_one_spelling": oneSpelling,
  "0073_user_id_claims": userIdClaims,
  "0076_plain_paths": plainPaths,
  "0077_creators": creators,
  "0080_suppressed_counts": suppressedCounts,
  "0083_shared_user_ids": sharedUserIds,
  "0084_time_zones": timeZones,
  "0085_days_of_time_zones": daysOfTimeZones,
  "0090_search": search,
  "0096_failed_segments": failedSegments,
  "0097_staged_imports": stagedImports,
  "0098_lists_without_versions": listsWithoutVersions,
  "0099_lists": lists,
  "0100_full_names": fullNames,
  "0101_alerts": alerts,
  "0102_counted_events": countedEvents,
  "0103_people_without_scores": peopleWithoutScores,
  "0104_scores": scores,
  "0105_email_alerts": emailAlerts,
  "0106_segments_of_companies": segmentsOfCompanies,
  "0107_visitor_topics": visitorTopics,
  "0108_segment_alerts": segmentAlerts,
  "0110_segment_alerts_of_companies": segmentAlertsOfCompanies,
  "0111_owners_tags_and_notes": ownersTagsAndNotes,
  "0112_data_origins": dataOrigins,
  "0114_suppression_sources": suppressionSources,
  "0115_score_reasons": scoreReasons,
  "0116_connectors": connectors,
  "0117_removals": removals,
  "0118_webhook_requests": webhookRequests,
  "0119_sources_of_services": sourcesOfServices,
  "0124_key_rights": keyRights,
  "0125_erasure_receipts": erasureReceipts,
  "0127_inbound": inbound,
}

const latestId = Math.max(...Object.keys(all).map((name) => Number.parseInt(name, 10)))

const table = "schema_migration"

/** The schema was created by a newer version of the server. */
export class SchemaNewer extends Schema.TaggedError<SchemaNewer>()("SchemaNewer", {
  /** The database's newest migration. */
  found: Schema.Int,
  /** The newest migration this server knows. */
  known: Schema.Int,
}) {
  override get message(): string {
    return (
      `The database has schema ${this.found}, and this version of the server uses schema ` +
      `${this.known}. Start a newer version of the server.`
    )
  }
}

const migrate = (migration: Migration) =>
  Effect.isEffect(migration)
    ? migration
    : Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const statements = typeof migration === "function" ? migration() : migration
        yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
      })

const runPending = Migrator.make({})({
  loader: Migrator.fromRecord(
    Object.fromEntries(Object.entries(all).map(([name, list]) => [name, migrate(list)])),
  ),
  table,
})

/** The database's newest migration; 0 without any. */
const appliedId = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ exists: boolean }>`
    select to_regclass(${table}) is not null as "exists"`
  if (found?.exists !== true) return 0
  const [latest] = yield* sql<{ id: number | null }>`
    select max(migration_id) as id from ${sql(table)}`
  return latest?.id ?? 0
})

/** Waits for the lock and runs pending migrations; returns their names. */
const runLocked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      // A migration may take longer than a request is allowed, and so may one in another process.
      yield* sql`set local statement_timeout = 0`
      yield* sql`set local lock_timeout = '10min'`
      yield* sql`select pg_advisory_xact_lock(${advisoryLocks.migration})`
      const found = yield* appliedId
      if (found > latestId) return yield* new SchemaNewer({ found, known: latestId })
      const done = yield* runPending
      return done.map(([id, name]) => `${id}_${name}`)
    }),
  )
})

/** Most starts find the schema up to date. They take no lock. */
const run = Effect.flatMap(appliedId, (found) =>
  found === latestId ? Effect.succeed([]) : runLocked,
).pipe(Effect.withSpan("Migrations.run"))

const isCurrent = Effect.map(appliedId, (found) => found >= latestId)

export const Migrations = {
  /**
   * Runs pending migrations and returns their names.
   *
   * *Errors*: SchemaNewer if the database has migrations this server lacks; MigrationError with the statement's error
   * as cause; SqlError. *Guarantee*: atomic and once, even with concurrent runs.
   */
  run,
  /** Whether the database has all of this server's migrations (`/readyz`). */
  isCurrent,
  /** The database's newest migration, 0 without any, and the newest this server knows. */
  state: Effect.map(appliedId, (found) => ({ found, known: latestId })),
}

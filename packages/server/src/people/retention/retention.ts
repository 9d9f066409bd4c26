// Keeps sessions and events exactly as long as an organization says, and click ids for 90 days (spec 1.8). A visitor
// shows totals of their remaining sessions; a person without any is no longer a visitor (spec 2.1) and is deleted.
// Imported people stay, because they are not visits. ADR 17.
import { Context, DateTime, Effect, Layer } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { Partitions } from "../../platform/database/partitions.ts"
import { Occasions } from "../visitors/occasions.ts"
import { CompanyUpkeepStore } from "../identification/companies/store.ts"
import { OwnershipStore } from "../identification/ownership/store.ts"
import { type KeptOrganization, RetentionStore } from "./store.ts"
import { every } from "../../platform/jobs/every.ts"

/** Sessions per transaction; identification gets its turn in between. */
export const sessionsPerBatchMax = 250
/** The shortest retention an organization can set. spec 1.8. */
const retentionDaysMin = 30
/** Events per statement. */
const eventsPerBatchMax = 5_000

export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Deletes everything past its organization's retention.
     *
     * *Errors*: DatabaseError; what was deleted until then stays deleted, the rest follows next time. *Guarantee*: a
     * session is deleted together with what it added to its person; safe from several processes.
     */
    readonly apply: Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/identification/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const store = yield* RetentionStore
      const ownership = yield* OwnershipStore
      const companies = yield* CompanyUpkeepStore
      const partitions = yield* Partitions
      const occasions = yield* Occasions

      const expireSome = Effect.fnUntraced(function* (organization: KeptOrganization) {
        const { organizationId } = organization
        yield* store.waitForTurn(organizationId)
        const expired = yield* store.deleteSessions(organization, sessionsPerBatchMax)
        const { anonymousIds, sessions, visitorIds } = expired
        if (sessions === 0) return 0
        yield* ownership.seen(
          [],
          visitorIds.map((visitorId) => ({ organizationId, visitorId })),
        )
        yield* store.forgetBrowsers(organizationId, anonymousIds)
        const forgotten = yield* store.forgetVisitors(organizationId, visitorIds)
        yield* occasions.forget(organizationId, forgotten)
        yield* companies.settle([organizationId])
        return sessions
      })

      const applyTo = Effect.fnUntraced(function* (organization: KeptOrganization) {
        yield* Effect.uninterruptible(store.transaction(expireSome(organization))).pipe(
          Effect.repeat({ while: (sessions) => sessions === sessionsPerBatchMax }),
        )
        yield* store
          .deleteEvents(organization, eventsPerBatchMax)
          .pipe(Effect.repeat({ while: (events) => events === eventsPerBatchMax }))
      })

      /** Sessions may stay forever, but not the ids by which an advertiser recognizes a person. */
      const forgetClickIds = Effect.fnUntraced(function* (organizationId: string) {
        yield* store
          .emptySessionClickIds(organizationId, sessionsPerBatchMax)
          .pipe(Effect.repeat({ while: (sessions) => sessions === sessionsPerBatchMax }))
        yield* store
          .deleteEventClickIds(organizationId, eventsPerBatchMax)
          .pipe(Effect.repeat({ while: (events) => events === eventsPerBatchMax }))
      })

      const apply = Effect.gen(function* () {
        yield* Effect.forEach(yield* store.organizations, applyTo, { discard: true })
        yield* Effect.forEach(yield* store.allOrganizations, forgetClickIds, { discard: true })
        const newest = DateTime.subtract(yield* DateTime.now, { days: retentionDaysMin })
        yield* partitions.dropEmpty(DateTime.formatIsoDateUtc(newest))
      }).pipe(Effect.withSpan("Retention.apply"))

      return Retention.of({ apply })
    }),
  )
}

/** Runs once an hour, and at start. */
export const RetentionWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "retention not applied",
    Effect.flatMap(Retention, ({ apply }) => apply),
  ),
)

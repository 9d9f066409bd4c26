// What the demo needs from the database beyond the rooms: one transaction around everything it creates, and, for its
// page, the state of one browser's events and its person. Reads raw events, which no route of the API does; the demo
// has few of them.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** One browser as the server knows it. */
export interface BrowserState {
  /** Processed events. */
  readonly events: number
  /** Acknowledged events that are not processed yet. */
  readonly pendingEvents: number
  /** Primary address hash of the person it belongs to. */
  readonly emailHash: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Runs the effect in one transaction. Guarantee: all or nothing. */
    transaction: sql.withTransaction,
    browser: (organizationId: string, anonymousId: string): Effect.Effect<BrowserState> =>
      sql<BrowserState>`
        select
          (select count(*)::int from event
           where organization_id = ${organizationId} and anonymous_id = ${anonymousId}) as events,
          (select count(*)::int from event_inbox
           where organization_id = ${organizationId} and anonymous_id = ${anonymousId})
            as "pendingEvents",
          (select email_hash from browser
           join visitor on visitor.organization_id = browser.organization_id
             and visitor.id = browser.visitor_id
           where browser.organization_id = ${organizationId}
             and anonymous_id = ${anonymousId}) as "emailHash"
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),
  }
})

export class DemoStore extends Context.Service<DemoStore, Effect.Success<typeof make>>()(
  "@footfall/server/demo/DemoStore",
) {
  static readonly layer = Layer.effect(DemoStore, make)
}

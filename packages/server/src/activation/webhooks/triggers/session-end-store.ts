// SQL for session-end events (spec 8.5): each is sent once, 30 minutes after the session's last event. A session
// written more than a day after its last event is history from a source or an import, and sends none.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** A session ends after this long without an event. Units: seconds. */ // spec 2.2
export const inactivitySeconds = 1_800
/** Sessions that ended longer ago are ignored. */ // spec 8.5.4
const watchedDays = 1
/** Longer than `watchedDays`, so that nothing about a session is sent twice. */
export const rememberedSessionDays = 3

export interface EndedSession {
  readonly organizationId: string
  readonly sessionId: string
  readonly visitorId: string
  readonly pixelId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

  /**
   * Schedules the end of these sessions, except those long past. Runs in the transaction that holds the organization's
   * turn.
   */
  const watch = Effect.fnUntraced(function* (
    sessions: ReadonlyArray<{ readonly organizationId: string; readonly sessionId: string }>,
  ) {
    if (sessions.length === 0) return
    yield* sql`
      insert into webhook_session (organization_id, session_id, ends_at)
      select s.organization_id, s.id, s.ended_at + make_interval(secs => ${inactivitySeconds})
      from jsonb_to_recordset(${json(sessions)}) as k ("organizationId" uuid, "sessionId" uuid)
      join session s on s.organization_id = k."organizationId" and s.id = k."sessionId"
        and s.ended_at > now() - make_interval(days => ${watchedDays})
      on conflict (organization_id, session_id) do nothing`
  })

  // A session that continued after it was scheduled is checked again when it may have ended.
  const ended = (organizationId: string, limit: number): Result<ReadonlyArray<EndedSession>> =>
    sql<EndedSession>`
      with due as materialized (
        select w.organization_id, w.session_id, s.visitor_id, s.pixel_id, s.ended_at
        from (
          select organization_id, session_id from webhook_session
          where organization_id = ${organizationId} and told_at is null and ends_at <= now()
          order by ends_at
          limit ${limit}
        ) as w
        left join session s on s.organization_id = w.organization_id and s.id = w.session_id
      ), noted as (
        update webhook_session w set
          ends_at = coalesce(due.ended_at, w.ends_at) + make_interval(secs => ${inactivitySeconds}),
          told_at = case when due.ended_at is null
            or due.ended_at <= now() - make_interval(secs => ${inactivitySeconds}) then now() end
        from due
        where w.organization_id = due.organization_id and w.session_id = due.session_id
        returning w.organization_id, w.session_id, w.told_at
      )
      select noted.organization_id as "organizationId", noted.session_id as "sessionId",
        due.visitor_id as "visitorId", due.pixel_id as "pixelId"
      from noted
      join due on due.organization_id = noted.organization_id
        and due.session_id = noted.session_id
      where noted.told_at is not null and due.visitor_id is not null
      order by due.ended_at, noted.session_id`

  /** Returns organizations with ended sessions, looking at the `limit` sessions that ended first. */
  const organizations = (limit: number): Result<ReadonlyArray<string>> =>
    sql<{ readonly id: string }>`
      select distinct organization_id as id
      from (
        select organization_id from webhook_session
        where told_at is null and ends_at <= now()
        order by ends_at
        limit ${limit}
      ) as due
      order by id`.pipe(Effect.map((rows) => rows.map(({ id }) => id)))

  /** Returns how many sessions it deleted. */
  const forgetSessions = (limit: number): Result<number> =>
    sql`
      delete from webhook_session w
      using (
        select organization_id, session_id from webhook_session
        where told_at < now() - make_interval(days => ${rememberedSessionDays})
        limit ${limit}
      ) as old
      where w.organization_id = old.organization_id and w.session_id = old.session_id
      returning 1`.pipe(Effect.map((rows) => rows.length))

  return {
    watch,
    organizations,
    /**
     * Takes at most `limit` ended sessions, each exactly once. Runs in the transaction that holds the organization's
     * turn.
     */
    ended,
    forgetSessions,
  }
})

export class SessionEndStore extends Context.Service<
  SessionEndStore,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/SessionEndStore") {
  static readonly layer = Layer.effect(SessionEndStore, make)
}

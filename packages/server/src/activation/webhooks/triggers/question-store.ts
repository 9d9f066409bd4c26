// SQL for those whose segment could not be evaluated yet (spec 8.5): one row per webhook and person, as of their latest
// activity, or per webhook and session of a company.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Asked, AskedPerson } from "./due-event.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const minute = 60
const hour = 60 * minute

/** Waits between evaluations, the same as between delivery attempts. Units: seconds. */
export const askSeconds = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  24 * hour,
] as const

/** Maximum number of questions per evaluation. */
export const questionsMax = 100
/** A worker that was killed loses the rows it took after this time. Units: seconds. */
const leaseSeconds = minute
/** Shown to the customer. */
export const notAskedMessage = "The rule of the segment could not be evaluated."

export interface Question extends Pick<
  AskedPerson,
  "kind" | "organizationId" | "pixelId" | "webhookId"
> {
  readonly id: string
  /** Null if it is about the company of a session. */
  readonly visitorId: string | null
  readonly view: NonNullable<AskedPerson["view"]> | null
  readonly sessionId: string | null
  /** The company of the session now. */
  readonly domain: string | null
  /** As the database prints it; used as the fence. */
  readonly askedAt: string
  /** `askedAt` in epoch milliseconds. */
  readonly askedAtMs: number
}

type OneWebhook = Pick<Question, "organizationId" | "webhookId">

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

  const noted = (webhooks: ReadonlyArray<OneWebhook>) => sql`
    update webhook w set segment_failed_at = clock_timestamp(), last_error_at = clock_timestamp(),
      last_error_message = ${notAskedMessage}
    from jsonb_to_recordset(${json(webhooks)}) as k ("organizationId" uuid, "webhookId" uuid)
    where w.organization_id = k."organizationId" and w.id = k."webhookId"`

  /**
   * Stores who could not be evaluated, and records the failure on their webhooks. Runs inside the
   * transaction of the evaluation.
   */
  const keep = Effect.fnUntraced(function* (
    unanswered: ReadonlyArray<Asked>,
    failedWebhooks: ReadonlyArray<OneWebhook>,
  ) {
    if (unanswered.length === 0) return
    yield* sql`
      with evaluated as materialized (
        select * from jsonb_to_recordset(${json(unanswered.map(rowOf))}) as k (
          "organizationId" uuid, "webhookId" uuid, "visitorId" uuid, "sessionId" uuid,
          "pixelId" uuid, kind text, view jsonb
        )
      ), noted as (${noted(failedWebhooks)})
      insert into webhook_question (organization_id, webhook_id, visitor_id, session_id, pixel_id,
        kind, view, ask_at)
      select distinct on ("organizationId", "webhookId", "visitorId", "sessionId")
        "organizationId", "webhookId", "visitorId", "sessionId", "pixelId", kind, view,
        now() + make_interval(secs => ${askSeconds[0]})
      from evaluated
      order by "organizationId", "webhookId", "visitorId", "sessionId"
      on conflict (organization_id, webhook_id, visitor_id, session_id) do update set
        pixel_id = excluded.pixel_id,
        view = excluded.view,
        -- An import says less than the activity it would replace.
        kind = case when excluded.kind = 'import' then webhook_question.kind else excluded.kind end,
        asked_at = excluded.asked_at`
  })

  // One index probe per active webhook, so rows waiting for other webhooks cost nothing.
  const take = sql<Question>`
    with listener as materialized (
      select w.organization_id, w.id
      from webhook w
      cross join lateral (
        select q.ask_at from webhook_question q
        where q.organization_id = w.organization_id and q.webhook_id = w.id and q.ask_at <= now()
        order by q.ask_at
        limit 1
      ) as oldest
      where w.status = 'active' and w.deleted_at is null
      order by oldest.ask_at, w.id
      limit 1
    ), due as materialized (
      select q.organization_id, q.webhook_id, q.id
      from listener
      join webhook_question q on q.organization_id = listener.organization_id
        and q.webhook_id = listener.id and q.ask_at <= now()
      order by q.ask_at, q.id
      limit ${questionsMax}
      for update of q skip locked
    )
    update webhook_question q set ask_at = now() + make_interval(secs => ${leaseSeconds})
    from due
    where q.organization_id = due.organization_id and q.webhook_id = due.webhook_id
      and q.id = due.id
    returning q.organization_id as "organizationId", q.webhook_id as "webhookId", q.id::text,
      q.visitor_id as "visitorId", q.session_id as "sessionId", (
        select case when s.visitor_id is null then s.network_domain else v.company_key end
        from session s
        left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
        where s.organization_id = q.organization_id and s.id = q.session_id
      ) as domain, q.pixel_id as "pixelId", q.kind, q.view, q.asked_at::text as "askedAt",
      (extract(epoch from q.asked_at) * 1000)::float8 as "askedAtMs"`

  const evaluated = (questions: ReadonlyArray<Question>) => sql`
    evaluated as materialized (
      select * from jsonb_to_recordset(${json(questions)}) as k (
        "organizationId" uuid, "webhookId" uuid, id bigint, "askedAt" timestamptz
      )
    )`
  const isEvaluated = sql`q.organization_id = evaluated."organizationId" and q.webhook_id = evaluated."webhookId"
    and q.id = evaluated.id and q.asked_at = evaluated."askedAt"`

  /** Removes evaluated questions, except those with newer activity. */
  const removeEvaluated = (questions: ReadonlyArray<Question>): Result<void> =>
    sql`
      with ${evaluated(questions)}
      delete from webhook_question q using evaluated where ${isEvaluated}`.pipe(Effect.asVoid)

  // Also postpones the webhook's other questions, so that a rule that always times out costs its time only once a minute.
  const postpone = (questions: ReadonlyArray<Question>): Result<number> =>
    sql<{ readonly count: number }>`
      with ${evaluated(questions)}, noted as (${noted(questions.slice(0, 1))}), others as (
        update webhook_question q set ask_at = now() + make_interval(secs => ${askSeconds[0]})
        from (select distinct "organizationId", "webhookId" from evaluated) as k
        where q.organization_id = k."organizationId" and q.webhook_id = k."webhookId"
          and q.ask_at <= now()
      ), waiting as (
        update webhook_question q set attempts = q.attempts + 1,
          ask_at = now() + make_interval(secs => (
            array(select value::float8 from jsonb_array_elements_text(${json(askSeconds)}))
          )[q.attempts + 1])
        from evaluated
        where ${isEvaluated} and q.attempts < ${askSeconds.length}
      ), given_up as (
        delete from webhook_question q using evaluated
        where ${isEvaluated} and q.attempts >= ${askSeconds.length}
        returning 1
      )
      select count(*)::int as count from given_up`.pipe(Effect.map(([row]) => row!.count))

  return {
    keep,
    /**
     * Takes the questions to evaluate now for the active webhook that has waited longest, at most `questionsMax`.
     * Holds them for a minute.
     */
    take,
    removeEvaluated,
    /** Schedules a retry for those who could not be evaluated, or gives up on them. Returns how many it gave up on. */
    postpone,
  }
})

const rowOf = (asked: Asked) => {
  const { organizationId, pixelId, webhookId } = asked
  const common = { organizationId, webhookId, pixelId }
  if ("domain" in asked) return { ...common, sessionId: asked.sessionId, kind: "activity" }
  return { ...common, visitorId: asked.visitorId, kind: asked.kind, view: asked.view }
}

export class QuestionStore extends Context.Service<QuestionStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/QuestionStore",
) {
  static readonly layer = Layer.effect(QuestionStore, make)
}

// SQL for the settings of scores, and for one score with what explains it (spec 2.23).
import { PgClient } from "@effect/sql-pg"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import type { HeldInterest, ScoreConfig } from "./score.ts"
import { countedPeopleMax } from "./sql/evaluation.ts"
import type { TooSlow } from "./sql/rounds.ts"
import { begun, daysBefore, milliseconds } from "./sql/values.ts"

export interface SettingsRow {
  /** Null for the default. */
  readonly config: ScoreConfig | null
  readonly tooSlow: ReadonlyArray<TooSlow>
}

export interface ScoreRow {
  readonly total: number
  readonly fit: number
  readonly interest: number
  readonly isHot: boolean
  readonly computedAt: string
  readonly fitHeld: number
  readonly interests: ReadonlyArray<HeldInterest>
  /** The settings that it was computed by. Null for the default. */
  readonly config: ScoreConfig | null
  readonly dayAgo: number | null
  readonly monday: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient

  /** What the day, or the week, began with. If it was not computed since, it is still the same. */
  const began = (unit: "day" | "week", asOf: DateTime.Utc) => sql`
    case when score.computed_at >= ${begun(sql, unit, asOf)}
      then ${sql.literal(`score.${unit}_total`)} else score.rank end`

  const columns = (asOf: DateTime.Utc) => sql`
    score.rank as total, score.fit, score.interest, score.is_hot as "isHot",
    ${sql.literal(isoTime("score.computed_at"))} as "computedAt", score.fit_held as "fitHeld",
    config.config, ${began("day", asOf)} as "dayAgo", ${began("week", asOf)} as monday`

  /** Settings that a later whole round replaced leave no scores behind, so a revision is 0 or found. */
  const settings = sql`
    join organization on organization.id = score.organization_id
    left join score_config as config on config.organization_id = score.organization_id
      and config.revision = score.revision`

  return {
    settings: (organizationId: string): Effect.Effect<SettingsRow> =>
      sql<SettingsRow>`
        select config.config, too_slow as "tooSlow"
        from score_state as state
        left join score_config as config on config.organization_id = state.organization_id
          and config.revision = state.revision
        where state.organization_id = ${organizationId}`.pipe(
        Effect.map(([row]) => row ?? { config: null, tooSlow: [] }),
        Effect.orDie,
      ),

    /** Stores settings, or the default, and begins a round of everyone. Returns whether they are new. */
    change: (organizationId: string, config: ScoreConfig | null): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        yield* sql`
          insert into score_state (organization_id) values (${organizationId})
          on conflict do nothing`
        const [state] = yield* sql<{ readonly revision: number; readonly last: number }>`
          select revision, last_revision as last from score_state
          where organization_id = ${organizationId} for update`
        const known = yield* sql`
          select from score_config
          where organization_id = ${organizationId} and revision = ${state!.revision}
            and config = ${config === null ? null : pg.json(config)}::jsonb`
        if (config === null ? state!.revision === 0 : known.length > 0) return false
        const revision = config === null ? 0 : state!.last + 1
        if (config !== null) {
          yield* sql`
            insert into score_config (organization_id, revision, config)
            values (${organizationId}, ${revision}, ${pg.json(config)})`
        }
        yield* sql`
          update score_state set
            revision = ${revision}, last_revision = greatest(last_revision, ${revision}),
            too_slow = '[]', round = 'people', round_is_whole = true, round_seen_at = null,
            round_key = null, whole_round_at = now(), next_round_at = now() + interval '6 hours'
          where organization_id = ${organizationId}`
        return true
      }).pipe(Effect.orDie),

    /** Of the person with an address. Undefined for someone unknown, suppressed or held back, or not computed yet. */
    ofPerson: (
      organizationId: string,
      emailHash: string,
      asOf: DateTime.Utc,
    ): Effect.Effect<ScoreRow | undefined> =>
      sql<ScoreRow>`
        select ${columns(asOf)}, jsonb_build_array(jsonb_build_object(
          'held', score.interest_held, 'days', ${daysBefore(sql, "score.seen_at", "score.computed_at")},
          'seenMs', ${milliseconds(sql, "score.seen_at")}
        )) as interests
        from visitor_address as address
        join visitor on visitor.organization_id = address.organization_id
          and visitor.id = address.visitor_id and not visitor.suppressed and not visitor.held_back
        join visitor_score as score on score.organization_id = address.organization_id
          and score.visitor_id = address.visitor_id and score.rank >= 0
        ${settings}
        where address.organization_id = ${organizationId} and address.email_hash = ${emailHash}`.pipe(
        Effect.map(([row]) => row),
        Effect.orDie,
      ),

    /** Undefined for a company that is unknown or suppressed, or not computed yet. */
    ofCompany: (
      organizationId: string,
      domain: string,
      asOf: DateTime.Utc,
    ): Effect.Effect<ScoreRow | undefined> =>
      sql<ScoreRow>`
        select ${columns(asOf)}, coalesce((
          select jsonb_agg(jsonb_build_object('held', held, 'days', days, 'seenMs', seen))
          from (
            (
              select person.interest_held as held,
                ${daysBefore(sql, "person.seen_at", "person.computed_at")} as days,
                ${milliseconds(sql, "person.seen_at")} as seen
              from visitor_score as person
              where person.organization_id = ${organizationId}
                and person.company_key = score.domain and person.interest > 0
                and person.revision = score.revision
              order by person.interest desc limit ${sql.literal(String(countedPeopleMax))}
            )
            union all
            select score.anonymous_held,
              ${daysBefore(sql, "score.anonymous_seen_at", "score.computed_at")},
              ${milliseconds(sql, "score.anonymous_seen_at")}
            where score.anonymous_seen_at is not null
          ) as each
        ), '[]') as interests
        from company
        join company_score as score on score.organization_id = company.organization_id
          and score.domain = company.domain and score.rank >= 0
        ${settings}
        where company.organization_id = ${organizationId} and company.domain = ${domain}
          and not company.suppressed`.pipe(
        Effect.map(([row]) => row),
        Effect.orDie,
      ),

    transaction: transactionOf(sql),
  }
})

export class ScoreStore extends Context.Service<ScoreStore, Effect.Success<typeof make>>()(
  "@footfall/server/score/ScoreStore",
) {
  static readonly layer = Layer.effect(ScoreStore, make)
}

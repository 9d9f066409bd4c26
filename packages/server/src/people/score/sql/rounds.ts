// SQL of rounds, which compute again those whose scores change without a note: by time, data of intent, and lists
// (spec 2.23).
import { DateTime, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { testsList } from "../../lists/store.ts"
import type { ScoreConfig } from "../score.ts"
import { interestHours } from "./evaluation.ts"
import { notedIn } from "./notes.ts"
import { type Result, valuesOf } from "./values.ts"

/** A little longer than interest looks back, so that a round still reaches everyone whose interest ended. */
const roundHours = interestHours + 24

/** What changes people's scores without a note: time, data of intent, and lists. A round computes them again. */
export interface RoundPlace {
  readonly part: "people" | "companies"
  /** Everyone, or those whose interest may count. */
  readonly isWhole: boolean
  readonly after: { readonly seenAt: string; readonly key: string } | undefined
}

export interface Picked {
  readonly id: string
  /** Its place in a round. */
  readonly seenAt: string
  readonly key: string
}

export interface TooSlow {
  readonly part: "fit" | "interest"
  readonly name: string
  /** ISO 8601. */
  readonly at: string
}

export interface ComputingState {
  readonly revision: number
  /** Null for the default. */
  readonly config: ScoreConfig | null
  readonly tooSlow: ReadonlyArray<TooSlow>
  readonly round: RoundPlace | null
}

export const rounds = (sql: SqlClient.SqlClient) => {
  const nothing = sql.literal("")
  const { json } = valuesOf(sql)

  /** The state of the lists that the rules of a revision name. */
  const listsSeen = sql`coalesce((
      select string_agg(list.id || ' ' || list.updated_at, ',' order by list.id)
      from list
      where list.organization_id = state.organization_id
        and jsonb_path_exists(config.config, ${testsList}::jsonpath,
          jsonb_build_object('list', list.id::text))
    ), '')`

  return {
    /** Organizations whose people, or companies, have to be computed again, or that a round is due for. */
    waiting: Effect.gen(function* () {
      yield* sql`
        insert into score_state (organization_id)
        select organization_id from (
          (${notedIn(sql, "score_stale")}) union (${notedIn(sql, "score_stale_company")})
        ) as noted
        where not exists (
          select from score_state where organization_id = noted.organization_id
        )
        order by organization_id
        on conflict do nothing`
      const ids = (statement: Statement.Fragment) =>
        Effect.map(
          sql<{ readonly organizationId: string }>`
            select organization_id as "organizationId" from (${statement}) as waiting`,
          (rows) => rows.map(({ organizationId }) => organizationId),
        )
      return {
        people: yield* ids(notedIn(sql, "score_stale")),
        companies: yield* ids(notedIn(sql, "score_stale_company")),
        rounds: yield* ids(sql`
          select state.organization_id
          from score_state as state
          left join score_config as config on config.organization_id = state.organization_id
            and config.revision = state.revision
          where round is not null or next_round_at <= now() or lists_seen <> ${listsSeen}`),
      }
    }),

    /** Begins the organization's round if one is due. A list that changed asks for everyone. */
    beginRound: (organizationId: string): Result<void> =>
      Effect.asVoid(sql`
        with due as (
          select state.organization_id, ${listsSeen} as lists
          from score_state as state
          left join score_config as config on config.organization_id = state.organization_id
            and config.revision = state.revision
          where state.organization_id = ${organizationId} and round is null
        )
        update score_state as state set
          round = 'people',
          round_is_whole = lists_seen <> due.lists or is_daily,
          whole_round_at = case when lists_seen <> due.lists or is_daily then now()
            else whole_round_at end,
          lists_seen = due.lists,
          too_slow = case when lists_seen <> due.lists or is_daily then '[]' else too_slow end,
          round_seen_at = null, round_key = null,
          next_round_at = now() + interval '6 hours'
        from due
        cross join lateral (
          select coalesce(whole_round_at < now() - interval '23 hours', true) as is_daily
          from score_state where organization_id = due.organization_id
        ) as whole
        where state.organization_id = due.organization_id and round is null
          and (next_round_at <= now() or lists_seen <> due.lists)`),

    state: (organizationId: string): Result<ComputingState> =>
      sql<{
        readonly revision: number
        readonly config: ScoreConfig | null
        readonly tooSlow: ReadonlyArray<TooSlow>
        readonly round: "people" | "companies" | null
        readonly isWhole: boolean
        readonly seenAt: string | null
        readonly key: string | null
      }>`
        select state.revision, config.config, too_slow as "tooSlow", round,
          round_is_whole as "isWhole", round_seen_at::text as "seenAt", round_key as key
        from score_state as state
        left join score_config as config on config.organization_id = state.organization_id
          and config.revision = state.revision
        where state.organization_id = ${organizationId}`.pipe(
        Effect.map(([row]) =>
          row === undefined
            ? { revision: 0, config: null, tooSlow: [], round: null }
            : {
                revision: row.revision,
                config: row.config,
                tooSlow: row.tooSlow,
                round:
                  row.round === null
                    ? null
                    : {
                        part: row.round,
                        isWhole: row.isWhole,
                        after:
                          row.seenAt === null ? undefined : { seenAt: row.seenAt, key: row.key! },
                      },
              },
        ),
      ),

    /** The next people, or companies, of a round, last seen first. */
    nextInRound: (
      organizationId: string,
      { after, isWhole, part }: RoundPlace,
      limit: number,
      asOf: DateTime.Utc,
    ): Result<ReadonlyArray<Picked>> => {
      const since = DateTime.toDateUtc(DateTime.subtract(asOf, { hours: roundHours }))
      const key = sql.literal(part === "people" ? "email_hash" : "domain")
      return sql<Picked>`
        select ${sql.literal(part === "people" ? "id" : "domain")} as id,
          last_seen_at::text as "seenAt", ${key} as key
        from ${sql.literal(part === "people" ? "visitor" : "company")}
        where organization_id = ${organizationId}
          ${part === "people" ? sql.literal("and not held_back") : nothing}
          ${isWhole ? nothing : sql`and last_seen_at >= ${since}::timestamptz`}
          ${
            after === undefined
              ? nothing
              : sql`and last_seen_at <= ${after.seenAt}::timestamptz
                  and (last_seen_at < ${after.seenAt}::timestamptz or ${key} > ${after.key})`
          }
        order by last_seen_at desc, ${key}
        limit ${sql.literal(String(limit))}`.unprepared
    },

    /** Remembers how far a round came; undefined: it has ended. */
    moveRound: (organizationId: string, place: RoundPlace | undefined): Result<void> =>
      Effect.gen(function* () {
        yield* sql`
          update score_state set round = ${place?.part ?? null},
            round_seen_at = ${place?.after?.seenAt ?? null}::timestamptz,
            round_key = ${place?.after?.key ?? null}
          where organization_id = ${organizationId}`
        if (place !== undefined) return
        // After a whole round no score is of an earlier revision.
        yield* sql`
          delete from score_config as config using score_state as state
          where state.organization_id = ${organizationId} and state.round_is_whole
            and config.organization_id = state.organization_id
            and config.revision <> state.revision`
      }),

    noteTooSlow: (organizationId: string, entries: ReadonlyArray<TooSlow>): Result<void> =>
      Effect.asVoid(sql`
        update score_state set too_slow = ${json(entries)}
        where organization_id = ${organizationId}`),
  }
}

// SQL that counts people. Statements run alone on their connection, without parallel workers that would take CPU from
// other requests. A statement is planned once per connection for all values, because planning takes longer than finding
// a few hundred people. It is planned again when one of its tables has doubled, because a plan for a small table may
// read all of it for each person.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type StatementTimedOut, withinLimit } from "../../platform/database/statement-timeout.ts"
import type { Holdings } from "./aliases/leads.ts"
import { fragmentOf, type SqlText } from "../../platform/database/sql-text.ts"
import {
  type AudienceQuestion,
  addressesStatement,
  type ConfigPart,
  explanationStatement,
  previewStatement,
  type ScoreRange,
} from "./matching/compile.ts"

/** The tables whose sizes affect the plan. */
const tables: ReadonlyArray<string> = [
  "person",
  "person_address",
  "signal",
  "signal_alias",
  "signal_person",
  "suppression_rule",
  "visitor",
  "visitor_address",
]

/** What decides, besides imports, who is in an audience. */
export interface AudienceBasis extends Holdings {
  /** Whether suppression rules exist, in force or not. */
  readonly hasRules: boolean
  readonly hasErased: boolean
  /** Equal texts mean the same rules in force and the same people erased. */
  readonly version: string
}

/** One of the first people of the results. */
export interface SampleRow {
  readonly hem: string
  /** Null without topics. */
  readonly score: number | null
  /** In ascending order of topics; null where a topic does not match. Null without topics. */
  readonly scores: ReadonlyArray<number | null> | null
  readonly email: string | null
  readonly company: string | null
  readonly jobTitle: string | null
}

export interface CountedPeople {
  readonly total: number
  readonly sample: ReadonlyArray<SampleRow>
}

/** How an audience comes about. */
export interface Explanation {
  /** How many people are left after each part of the configuration, in order. */
  readonly parts: ReadonlyArray<{ readonly part: ConfigPart; readonly count: number }>
  /** Everyone in the audience by score, whatever its range of scores; lowest first. */
  readonly scores: ReadonlyArray<{ readonly score: number; readonly people: number }>
}

export class AudienceStore extends Context.Service<
  AudienceStore,
  {
    standing(organizationId: string): Effect.Effect<AudienceBasis>
    /** Counts everyone in the audience and returns the first of them. */
    count(
      question: AudienceQuestion,
      sampleMax: number,
    ): Effect.Effect<CountedPeople, StatementTimedOut>
    /** How the audience comes about. `range`: the scores that count; the question asks for all of them. */
    explain(
      question: AudienceQuestion,
      range: ScoreRange,
    ): Effect.Effect<Explanation, StatementTimedOut>
    /** SHA-256 of every address of everyone in the audience, without repeats. */
    addresses(question: AudienceQuestion): Effect.Effect<ReadonlyArray<string>, StatementTimedOut>
  }
>()("@footfall/server/audiences/AudienceStore") {
  static readonly layer = Layer.effect(
    AudienceStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // The planner does not know the size of the arrays and would sort, although hashing takes three quarters of the
      // time.
      const beginTopics = sql<{ readonly sizes: string }>`
        select set_config('max_parallel_workers_per_gather', '0', true),
          set_config('work_mem', '64MB', true),
          set_config('enable_sort', 'off', true),
          set_config('enable_seqscan', 'off', true),
          set_config('plan_cache_mode', 'force_generic_plan', true),
          (
            select string_agg(
              floor(log(greatest(pg_relation_size(name::regclass), 1)) / log(2))::text, ' '
              order by name
            )
            from unnest(${tables}::text[]) as name
          ) as sizes`

      // A segment has a rule of its own, so its statement is planned for its values.
      const beginSegment = sql`
        select set_config('max_parallel_workers_per_gather', '0', true),
          set_config('work_mem', '64MB', true),
          set_config('jit', 'off', true)`

      const alone = <Row extends object>({ segment }: AudienceQuestion, statement: SqlText) => {
        const prepared = Effect.flatMap(
          beginTopics,
          ([row]) => sql<Row>`/* ${sql.literal(row!.sizes)} */ ${fragmentOf(statement)}`, // always one row
        )
        const planned = Effect.andThen(beginSegment, sql<Row>`${fragmentOf(statement)}`.unprepared)
        return (segment === undefined ? prepared : planned).pipe(sql.withTransaction, withinLimit)
      }

      const standing = (organizationId: string) =>
        sql<
          Holdings & {
            readonly cycleAt: string | null
            readonly erased: number
            readonly hasRules: boolean
          }
        >`
          select
            exists (
              select from visitor_address where organization_id = ${organizationId}
            ) as "hasVisitors",
            exists (select from person where organization_id = ${organizationId})
              or exists (
                select from person_address where organization_id = ${organizationId}
              ) as "hasPeople",
            exists (
              select from suppression_rule where organization_id = ${organizationId}
            ) as "hasRules",
            (
              select cycle_at::text from suppression_list
              where organization_id = ${organizationId}
            ) as "cycleAt",
            (
              select count(*)::int from tombstone where organization_id = ${organizationId}
            ) as erased`.pipe(
          Effect.map((rows) => {
            const { cycleAt, erased, ...has } = rows[0]! // always one row
            return { ...has, hasErased: erased > 0, version: `${cycleAt} ${erased}` }
          }),
        )

      return AudienceStore.of({
        standing: (organizationId) => Effect.orDie(standing(organizationId)),
        count: (question, sampleMax) =>
          alone<CountedPeople>(question, previewStatement(question, sampleMax)).pipe(
            Effect.map(([row]) => row!), // always one row
          ),
        explain: (question, range) =>
          alone<Explanation>(question, explanationStatement(question, range)).pipe(
            Effect.map(([row]) => row!), // always one row
          ),
        addresses: (question) =>
          alone<{ readonly hash: string }>(question, addressesStatement(question)).pipe(
            Effect.map((rows) => rows.map(({ hash }) => hash)),
          ),
      })
    }),
  )
}

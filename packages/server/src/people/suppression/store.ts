// SQL for the list of suppression rules. Each write first locks the organization's row in `suppression_list`. That
// serializes writes, and the row contains the counts, so a list of a million rules is counted without reading it. A
// removed rule stays, hidden, until the sync cycle takes it out of force (matching/store.ts).
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { isoTime } from "../../platform/database/iso-time.ts"
import { type ListStart } from "../../platform/database/lists.ts"
import { textArray } from "../../platform/database/text-array.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { type RuleCounts, type RuleType, ruleTypes, storedText } from "./rule.ts"
import { noteOf, type Origin, originOf } from "./origin-store.ts"
import type { KeyedRule } from "./submission.ts"

// Rule ids in creation order: version 7 UUIDs (RFC 9562) that start with the milliseconds of `created_at`. Each
// write of an organization has its own time, so the id ends with the row's position after the write's random
// digits.

const millisecondsOf = (sql: SqlClient.SqlClient, at: Fragment) =>
  sql`lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')`

export const ruleIds = (sql: SqlClient.SqlClient) => ({
  /** The first 16 digits of ids written at this moment. */
  prefix: (at: Fragment): Fragment =>
    sql`${millisecondsOf(sql, at)} || '7' || substr(md5(random()::text), 1, 3)`,

  /** The other 16 digits of the row at position 0, as a number: 8, three random digits and zeros. */
  base: sql`(8::bigint << 60) + (floor(random() * 4096)::bigint << 48)`,

  /** A lower bound for ids of rules created at this moment or later. */
  floor: (at: Fragment): Fragment =>
    sql`(${millisecondsOf(sql, at)} || '00000000000000000000')::uuid`,
})

export interface RuleRow {
  readonly id: string
  readonly type: RuleType
  readonly value: string
  readonly createdAt: string
  readonly origin: Origin | null
  readonly note: string | null
}

export interface RuleFilter {
  readonly organizationId: string
  readonly type: RuleType | undefined
  /** Part of a value, in lower case. */
  readonly text: string | undefined
  readonly originId: string | undefined
}

/** The rules a DELETE names: by id, by type and value, or both. */
export interface RuleNames {
  readonly ids: ReadonlyArray<string>
  readonly rules: ReadonlyArray<KeyedRule>
}

export const noRules: RuleCounts = { email: 0, domain: 0, company_domain: 0, industry: 0 }

type Counted = { readonly type: RuleType; readonly rows: number }

export const countsOf = (rows: ReadonlyArray<Counted>): RuleCounts => ({
  ...noRules,
  ...Object.fromEntries(rows.map(({ rows, type }) => [type, rows])),
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")
  const ids = ruleIds(sql)
  const createdAt = sql.literal(isoTime("created_at"))
  const origin = sql.literal(`${originOf("rule")} as origin`)
  const note = sql.literal(`${noteOf("rule")} as note`)

  /** Whether rules of the organization may be taken back: by undoing an import, or by a source. */
  const hasRetractable = (organizationId: string) => sql`exists (
    select from data_origin
    where organization_id = ${organizationId} and kind in ('import', 'source'))`

  /**
   * Waits for earlier writes and returns the time of this one: later than theirs, in whole milliseconds as in the
   * API, so that a cursor's key equals the row's. The organization's first write creates its list.
   */
  const lock = Effect.fnUntraced(function* (organizationId: string) {
    // Replacing a list of a million rules, or waiting for one, takes longer than other requests may. The rules of a
    // request are sorted in memory. No other plan of a write may need a sort: see `isAnyStored`.
    yield* sql`
      select set_config('statement_timeout', '60s', true), set_config('work_mem', '64MB', true),
        set_config('enable_sort', 'off', true)`
    yield* sql`
      insert into suppression_list (organization_id, cycle_at, changed_at)
      select ${organizationId}, at, at
      from date_trunc('milliseconds', now()) as at
      on conflict (organization_id) do nothing`
    const [row] = yield* sql<{ readonly at: string }>`
      select greatest(
        date_trunc('milliseconds', clock_timestamp()),
        changed_at + interval '1 millisecond',
        cycle_at
      )::text as at
      from suppression_list
      where organization_id = ${organizationId}
      for update`
    return row!.at
  })

  /**
   * Whether a rule with one of these keys is stored, in force or removed. Postgres walks the index once: 6 to 9 ms for
   * 25,000 keys in a list of 200,000 rules. The order excludes other indexes, because `lock` has turned sorting off;
   * with old statistics, Postgres would choose one and compare every rule with every key. Up to version 16 it always
   * does so, and the result is true.
   */
  const isAnyStored = (
    organizationId: string,
    keysByType: ReadonlyArray<readonly [RuleType, string]>,
  ) => {
    const tests = keysByType.map(
      ([type, keys]) => sql`(
        select true from suppression_rule
        where organization_id = ${organizationId} and type = ${type}
          and match_key = any((select ${keys}::text)::text[])
        order by match_key
        limit 1)`,
    )
    return Effect.map(
      sql<{ readonly isStored: boolean }>`
        select case
          when current_setting('server_version_num')::int < 170000 then true
          else coalesce(${sql.csv(tests)}, false)
        end as "isStored"`,
      ([row]) => row!.isStored,
    )
  }

  /** Puts a removed rule back. */
  const orBack = sql`
    on conflict (organization_id, type, match_key) do update set
      id = excluded.id,
      value = excluded.value,
      created_at = excluded.created_at,
      removed_at = null,
      origin_id = excluded.origin_id,
      is_held = true
    where suppression_rule.removed_at is not null`

  /**
   * Adds rules that do not exist; a rule still in force stays in force. Ids follow the order of the request. Rows are
   * inserted sorted by key, because a large index fills twice as fast in order. The index is in the order of bytes, whatever the database's is.
   * `on conflict` takes a third of the time, so a write without a stored rule does without: the list is locked, so no
   * other write adds one. The parameters are ready before the list is locked, so other writes wait less.
   */
  const insertion = (organizationId: string, rules: ReadonlyArray<KeyedRule>) => {
    const [{ type: firstType } = { type: ruleTypes[0] }] = rules
    const types = textArray(rules.map(({ type }) => (type === firstType ? null : type)))
    const values = textArray(rules.map(({ value }) => value))
    const keys = textArray(
      rules.map(({ matchKey, value }) => (matchKey === value ? null : matchKey)),
    )
    const alsoKeys = textArray(rules.map(({ alsoKey }) => alsoKey))
    const keysByType = Array.from(
      Map.groupBy(rules, ({ type }) => type),
      ([type, ofType]) => [type, textArray(ofType.map(({ matchKey }) => matchKey))] as const,
    )
    const submitted = sql`
      select coalesce(row.type, ${firstType}) as type, row.value,
        coalesce(row.key, row.value) as match_key, row.also_key, row.place
      from unnest(
        ${types}::text::text[], ${values}::text::text[],
        ${keys}::text::text[], ${alsoKeys}::text::text[]
      ) with ordinality as row (type, value, key, also_key, place)`
    return Effect.fnUntraced(function* (
      at: string,
      origin: Effect.Effect<string, SqlError.SqlError>,
    ) {
      const isAny = yield* isAnyStored(organizationId, keysByType)
      const originId = yield* origin
      // Whoever adds a rule again keeps it, even if its import is undone.
      if (isAny) {
        yield* sql`
          update suppression_rule as present set is_held = true
          from (${submitted}) as submitted
          where present.organization_id = ${organizationId} and present.type = submitted.type
            and present.match_key = submitted.match_key
            and present.removed_at is null and not present.is_held
            and ${hasRetractable(organizationId)}`
      }
      return yield* sql<Counted>`
      with request as (
        select ${at}::timestamptz as at, ${ids.prefix(sql`${at}::timestamptz`)} as prefix,
          ${ids.base} as base
      ), stored as (
        insert into suppression_rule
          (organization_id, id, type, value, match_key, also_key, created_at, takes_part_at, origin_id)
        select ${organizationId}::uuid, (request.prefix || to_hex(request.base + place))::uuid,
          type, value, match_key, also_key, at, at, ${originId}::uuid
        from request cross join (${submitted}) as submitted
        order by type collate "C", match_key collate "C"
        ${isAny ? orBack : nothing}
        returning type
      )
      select type, count(*)::int as rows from stored group by type`
    })
  }

  const removeTypes = (organizationId: string, types: ReadonlyArray<RuleType>, at: string) =>
    sql<Counted>`
      with removed as (
        update suppression_rule as rule set removed_at = ${at}::timestamptz
        where organization_id = ${organizationId} and removed_at is null
          and ${sql.in("type", types)}
          and not exists (
            select from suppression_source_rule as own
            where own.organization_id = ${organizationId} and own.type = rule.type
              and own.match_key = rule.match_key)
        returning type
      )
      select type, count(*)::int as rows from removed group by type`

  const removeNamed = (organizationId: string, { ids, rules }: RuleNames, at: string) => {
    const names = JSON.stringify({
      ids,
      rules: rules.map(({ matchKey, type }) => [type, matchKey]),
    })
    return sql<Counted>`
      with removed as (
        update suppression_rule set removed_at = ${at}::timestamptz
        where organization_id = ${organizationId} and removed_at is null
          and ${sql.in("type", ruleTypes)}
          and id in (
            select value::uuid from json_array_elements_text(${names}::text::json -> 'ids')
            union
            select rule.id
            from json_array_elements(${names}::text::json -> 'rules') as name
            join suppression_rule as rule
              on rule.organization_id = ${organizationId} and rule.type = name ->> 0
              and rule.match_key = name ->> 1
          )
        returning type
      )
      select type, count(*)::int as rows from removed group by type`
  }

  const present = (organizationId: string) =>
    Effect.map(
      sql<RuleCounts>`
        select email, domain, company_domain, industry
        from suppression_list where organization_id = ${organizationId}`,
      (rows) => rows[0]!, // The lock has made it.
    )

  /** Updates the counts by what was added and removed, and returns them. A write that changes nothing leaves no trace. */
  const recount = Effect.fnUntraced(function* (
    organizationId: string,
    { added = noRules, removed = noRules }: { added?: RuleCounts; removed?: RuleCounts },
    at: string,
  ) {
    const isSame = [added, removed].every((counts) =>
      Object.values(counts).every((rows) => rows === 0),
    )
    if (isSame) return yield* present(organizationId)
    const [counts] = yield* sql<RuleCounts>`
      update suppression_list set
        changed_at = ${at}::timestamptz,
        email = email + ${added.email - removed.email},
        domain = domain + ${added.domain - removed.domain},
        company_domain = company_domain + ${added.company_domain - removed.company_domain},
        industry = industry + ${added.industry - removed.industry}
      where organization_id = ${organizationId}
      returning email, domain, company_domain, industry`
    return counts!
  })

  const containing = ({ text }: RuleFilter) => {
    if (text === undefined) return nothing
    const stored = storedText(text)
    return stored === text
      ? sql`and position(${text} in value) > 0`
      : sql`and (position(${text} in value) > 0 or position(${stored} in value) > 0)`
  }

  const comingFrom = ({ originId }: RuleFilter) =>
    originId === undefined ? nothing : sql`and origin_id = ${originId}`

  const filtered = (filter: RuleFilter, type: RuleType) => sql`
    organization_id = ${filter.organizationId} and removed_at is null and type = ${type}
      ${containing(filter)} ${comingFrom(filter)}`

  /** Ids are in creation order. */
  const behind = (start: ListStart) =>
    "after" in start ? sql`and id < ${start.after[1]}::uuid` : nothing

  return {
    lock,
    recount,
    hasRetractable,

    /** Given the moment that `lock` returned, adds the rules, which come from `origin`. Returns the number added by type; the rest already existed. */
    insertion: (organizationId: string, rules: ReadonlyArray<KeyedRule>) => {
      if (rules.length === 0) return () => Effect.succeed(noRules)
      const insert = insertion(organizationId, rules)
      return (at: string, origin: Effect.Effect<string, SqlError.SqlError>) =>
        Effect.map(insert(at, origin), countsOf)
    },

    /** Returns the number removed by type. Rules that a source has stay. */
    removeTypes: (organizationId: string, types: ReadonlyArray<RuleType>, at: string) =>
      Effect.map(removeTypes(organizationId, types, at), countsOf),

    /** Returns the number removed by type; rules that do not exist are skipped. */
    removeNamed: (organizationId: string, names: RuleNames, at: string) =>
      Effect.map(removeNamed(organizationId, names, at), countsOf),

    /** The number of rules and the list's version: every write advances its time. */
    state: (
      organizationId: string,
    ): Effect.Effect<{ readonly counts: RuleCounts; readonly version: string }> =>
      sql<RuleCounts & { readonly version: string }>`
        select email, domain, company_domain, industry, changed_at::text as version
        from suppression_list where organization_id = ${organizationId}`.pipe(
        Effect.map(([found]) => {
          if (found === undefined) return { counts: noRules, version: "never written" }
          const { version, ...counts } = found
          return { counts, version }
        }),
        Effect.orDie,
      ),

    /** Counts the rules that match the filter. Reads them one by one, so it only runs for a filter by text or origin. */
    countFiltered: (filter: RuleFilter): Effect.Effect<number> => {
      const types = filter.type === undefined ? ruleTypes : [filter.type]
      return sql<{ readonly total: number }>`
        select count(*)::int as total from suppression_rule
        where organization_id = ${filter.organizationId} and removed_at is null
          and ${sql.in("type", types)}
          ${containing(filter)} ${comingFrom(filter)}
      `.pipe(
        Effect.map((rows) => rows[0]!.total),
        Effect.orDie,
      )
    },

    /** A page, newest first. Walks one index per type and merges the walks. */
    list: (
      filter: RuleFilter,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<RuleRow>> => {
      const offset = "offset" in start ? start.offset : 0
      const types = filter.type === undefined ? ruleTypes : [filter.type]
      const walks = types.map(
        (type) => sql`
          (select organization_id, id, type, value, created_at, origin_id from suppression_rule
           where ${filtered(filter, type)} ${behind(start)}
           order by id desc)`,
      )
      const merged = walks.slice(1).reduce((all, walk) => sql`${all} union all ${walk}`, walks[0]!)
      return sql<RuleRow>`
        select id, type, value, ${createdAt} as "createdAt", ${origin}, ${note}
        from (
          select * from (${merged}) as merged
          order by id desc
          limit ${limit} offset ${offset}::bigint
        ) as rule
        order by id desc`.pipe(Effect.orDie)
    },

    /** Runs a write in one transaction; a database failure is a defect. */
    transaction: <A>(effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A> =>
      transaction(effect).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.orDie),
  }
})

export class SuppressionStore extends Context.Service<
  SuppressionStore,
  Effect.Success<typeof make>
>()("@footfall/server/suppression/SuppressionStore") {
  static readonly layer = Layer.effect(SuppressionStore, make)
}

// SQL that computes scores (spec 2.23). A turn takes some people, or companies, of one organization, finds out for all of
// them in one statement which entries hold, and updates their rows, in one transaction. It deletes notes before it reads
// what they are about, so whatever changes meanwhile is noted again; a crash loses nothing. It skips rows that another
// transaction holds, and never waits while it holds rows itself.
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { advisoryLocks } from "../../platform/database/advisory-locks.ts"
import { fragmentOf, SqlText, sqlText } from "../../platform/database/sql-text.ts"
import {
  type StatementTimedOut,
  withinTransaction,
} from "../../platform/database/statement-timeout.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { testsList } from "../lists/store.ts"
import { compileRule } from "../visitors/query/compile.ts"
import type { RuleSubject } from "../visitors/query/predicate.ts"
import { lastSeen, type RuleScope } from "../visitors/query/rule-scope.ts"
import type { RuleNode } from "../visitors/query/rule.ts"
import type { ScoreConfig } from "./score.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** People whose interest counts for their company. Each has at least 1, and the sum is at most 100. */ // spec 2.23
export const countedPeopleMax = 100

/** How long interest looks back, and a little longer, so that a round still reaches everyone whose interest ended. */
const interestHours = 90 * 24
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

/** Someone, or a company, and which entries hold. */
export interface Evaluated {
  readonly id: string
  /** Null for someone without a score, and for whom an entry took too long. */
  readonly fit: ReadonlyArray<boolean> | null
  readonly interest: ReadonlyArray<boolean> | null
}

export interface EvaluatedPerson extends Evaluated {
  readonly emailHash: string
  readonly companyKey: string | null
  readonly hasScore: boolean
  readonly seenAt: string
  /** Milliseconds since 1970, with fractions. */
  readonly seenMs: number
}

export interface EvaluatedCompany extends Evaluated {
  readonly hasScore: boolean
  readonly seenAt: string
  readonly anonymousSeenAt: string | null
  readonly anonymousSeenMs: number | null
  /** Entries that hold for any of its people. */
  readonly peopleFit: number
  readonly peopleInterests: ReadonlyArray<number>
}

interface ScoreToWrite {
  readonly id: string
  readonly seenAt: string
  readonly rank: number
  readonly fit: number | null
  readonly interest: number | null
  readonly isHot: boolean
  readonly fitHeld: number
}

export interface PersonToWrite extends ScoreToWrite {
  readonly emailHash: string
  readonly companyKey: string | null
  readonly interestHeld: number
}

export interface CompanyToWrite extends ScoreToWrite {
  readonly anonymousHeld: number
  readonly anonymousSeenAt: string | null
}

/** An entry's rule and the part that it belongs to. */
export interface EntryRule {
  readonly part: "fit" | "interest"
  readonly index: number
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

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const idsIn = (ids: ReadonlyArray<string>) =>
    sql`(select jsonb_array_elements_text(${json(ids)})::uuid)`
  const domainsIn = (domains: ReadonlyArray<string>) =>
    sql`(select jsonb_array_elements_text(${json(domains)}) collate "C")`

  /** The organizations with notes in a table, each found by one look into its index. */
  const noted = (table: string) => {
    const from = sql.literal(table)
    return sql`
      with recursive noted as (
        (select organization_id from ${from} order by organization_id limit 1)
        union all
        select (
          select stale.organization_id from ${from} as stale
          where stale.organization_id > noted.organization_id
          order by stale.organization_id limit 1
        )
        from noted where noted.organization_id is not null
      )
      select organization_id from noted where organization_id is not null`
  }

  /** The segments of people, or companies, that alerts watch. */
  const watched = (organizationId: string, subject: RuleSubject) => sql`
    select segment_watch.id from segment_watch
    join segment on segment.organization_id = segment_watch.organization_id
      and segment.id = segment_watch.segment_id and segment.subject = ${subject}
    where segment_watch.organization_id = ${organizationId} and not segment_watch.is_over`

  /** The state of the lists that the rules of a revision name. */
  const listsSeen = sql`coalesce((
      select string_agg(list.id || ' ' || list.updated_at, ',' order by list.id)
      from list
      where list.organization_id = state.organization_id
        and jsonb_path_exists(config.config, ${testsList}::jsonpath,
          jsonb_build_object('list', list.id::text))
    ), '')`

  /** True and false in the order of the entries; an entry that is left out is false. */
  const conditions = (
    scope: RuleScope,
    entries: ReadonlyArray<{ readonly rule: RuleNode }>,
    isAsked: (index: number) => boolean,
  ): Statement.Fragment => {
    if (entries.length === 0) return sql`'{}'::boolean[]`
    const { from } = scope
    const inWindow =
      from === undefined
        ? SqlText.of("true")
        : sqlText`${lastSeen(scope)} >= ${DateTime.toDateUtc(from)}::timestamptz`
    const each = entries.map(({ rule }, index) =>
      isAsked(index)
        ? sqlText`coalesce(${inWindow} and ${compileRule(rule, scope)}, false)`
        : SqlText.of("false"),
    )
    return fragmentOf(
      SqlText.of("array[").followedBy(SqlText.join(each, ", ")).followedBy(SqlText.of("]")),
    )
  }

  const scopesOf = (organizationId: string, asOf: DateTime.Utc) => {
    const all = { organizationId, pixelId: undefined, from: undefined, until: undefined, asOf }
    return { all, lately: { ...all, from: DateTime.subtract(asOf, { hours: interestHours }) } }
  }

  /** Only one entry, or all of them. */
  const asks = (part: EntryRule["part"], only: EntryRule | undefined) => (index: number) =>
    only === undefined || (only.part === part && only.index === index)

  const evaluatePeople = (
    organizationId: string,
    config: ScoreConfig,
    ids: ReadonlyArray<string>,
    asOf: DateTime.Utc,
    only?: EntryRule,
  ): Result<ReadonlyArray<EvaluatedPerson>> => {
    const { all, lately } = scopesOf(organizationId, asOf)
    const ifScored = (array: Statement.Fragment) =>
      sql`case when not visitor.suppressed and not visitor.held_back then ${array} end`
    return sql<EvaluatedPerson>`
      select visitor.id, visitor.email_hash as "emailHash", visitor.company_key as "companyKey",
        not visitor.suppressed and not visitor.held_back as "hasScore",
        visitor.last_seen_at::text as "seenAt",
        (extract(epoch from visitor.last_seen_at) * 1000)::float8 as "seenMs",
        ${ifScored(conditions(all, config.fit, asks("fit", only)))} as fit,
        ${ifScored(conditions(lately, config.interest, asks("interest", only)))} as interest
      from visitor
      where visitor.organization_id = ${organizationId}
        and visitor.id = any (array${idsIn(ids)})`.unprepared
  }

  /** Entries that hold for any of a company's people, found by as many looks into an index as there are combinations. */
  const peopleFit = (organizationId: string, revision: number) => {
    const next = (after: Statement.Fragment) => sql`
      select fit_held from visitor_score
      where organization_id = ${organizationId} and company_key = c.domain
        and revision = ${revision} and fit_held <> 0 ${after}
      order by fit_held limit 1`
    return sql`(
      with recursive combination as (
        (${next(nothing)})
        union all
        select (${next(sql`and fit_held > combination.fit_held`)})
        from combination where combination.fit_held is not null
      )
      select coalesce(bit_or(fit_held), 0) from combination
    )`
  }

  /**
   * Fit is asked of the company with all of its sessions, and interest of its anonymous sessions alone. Only entries that
   * test nothing of a person are asked.
   */
  const evaluateCompanies = (
    organizationId: string,
    { askable, config, revision }: CompanyQuestion,
    domains: ReadonlyArray<string>,
    asOf: DateTime.Utc,
    only?: EntryRule,
  ): Result<ReadonlyArray<EvaluatedCompany>> => {
    const { all, lately } = scopesOf(organizationId, asOf)
    const isAsked = (part: EntryRule["part"]) => (index: number) =>
      askable(part, index) && asks(part, only)(index)
    /** Null for a company without a score. */
    const held = (array: Statement.Fragment) => sql`case when not c.suppressed then ${array} end`
    const subject = "companies" as const
    const fit = conditions({ ...all, subject, sessions: "counted" }, config.fit, isAsked("fit"))
    const interest = conditions(
      { ...lately, subject, sessions: "anonymous" },
      config.interest,
      isAsked("interest"),
    )
    return sql<EvaluatedCompany>`
      select c.domain as id, not c.suppressed as "hasScore", c.last_seen_at::text as "seenAt",
        c.anonymous_seen_at::text as "anonymousSeenAt",
        (extract(epoch from c.anonymous_seen_at) * 1000)::float8 as "anonymousSeenMs",
        ${peopleFit(organizationId, revision)} as "peopleFit",
        array(
          select interest from visitor_score
          where organization_id = ${organizationId} and company_key = c.domain and interest > 0
          order by interest desc limit ${sql.literal(String(countedPeopleMax))}
        ) as "peopleInterests",
        ${held(fit)} as fit, ${held(interest)} as interest
      from (
        select company.*, (
          select max(ended_at) from session
          where session.organization_id = ${organizationId}
            and session.network_domain = company.domain and session.visitor_id is null
            and session.ended_at >= ${DateTime.toDateUtc(lately.from)}::timestamptz
        ) as anonymous_seen_at
        from company
        where company.organization_id = ${organizationId}
          and company.domain in ${domainsIn(domains)}
        offset 0
      ) as c`.unprepared
  }

  /** Moments at which the organization's day and week of `asOf` began. */
  const begun = (unit: "day" | "week", asOf: DateTime.Utc) => sql`(
    date_trunc(${sql.literal(`'${unit}'`)},
      ${DateTime.toDateUtc(asOf)}::timestamptz at time zone organization.time_zone)
      at time zone organization.time_zone)`

  /** The columns that both kinds of scores have, from `n`. A total that began the day or the week is kept. */
  const written = (revision: number, asOf: DateTime.Utc) => {
    const kept = (unit: "day" | "week") => {
      const column = sql.literal(`s.${unit}_total`)
      return sql`case
        when s.computed_at >= ${begun(unit, asOf)} then ${column}
        else nullif(s.rank, -1) end`
    }
    return sql`
      seen_at = n."seenAt", rank = n.rank, fit = n.fit, interest = n.interest,
      is_hot = n."isHot", fit_held = n."fitHeld", revision = ${revision},
      computed_at = ${DateTime.toDateUtc(asOf)}, day_total = ${kept("day")},
      week_total = ${kept("week")}`
  }

  const newColumns = sql.literal(
    `"seenAt" timestamptz, rank smallint, fit smallint, interest smallint, "isHot" boolean, "fitHeld" integer`,
  )

  return {
    /** Organizations whose people, or companies, have to be computed again, or that a round is due for. */
    waiting: Effect.gen(function* () {
      yield* sql`
        insert into score_state (organization_id)
        select organization_id from (
          (${noted("score_stale")}) union (${noted("score_stale_company")})
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
        people: yield* ids(noted("score_stale")),
        companies: yield* ids(noted("score_stale_company")),
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

    /** Takes the turn to compute the organization's scores, held until the transaction ends. False: another has it. */
    takeTurn: (organizationId: string): Result<boolean> =>
      Effect.map(
        sql<{ readonly isMine: boolean }>`
          select pg_try_advisory_xact_lock(${advisoryLocks.scores}, hashtext(${organizationId}))
            as "isMine"`,
        ([row]) => row?.isMine === true,
      ),

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

    /**
     * Takes people who were noted, deletes their notes and passes them and their companies on to the alerts about segments.
     * `picked`: how many were noted, up to the limit.
     */
    takeNotedPeople: (
      organizationId: string,
      limit: number,
    ): Result<{ readonly picked: number; readonly ids: ReadonlyArray<string> }> =>
      sql<{ readonly picked: number; readonly ids: ReadonlyArray<string> }>`
        with noted as materialized (
          select distinct visitor_id from score_stale
          where organization_id = ${organizationId}
          order by visitor_id limit ${limit}
        ), locked as materialized (
          select visitor_id from visitor_score
          where organization_id = ${organizationId}
            and visitor_id in (select visitor_id from noted)
          for no key update skip locked
        ), done as (
          delete from score_stale as stale
          where stale.organization_id = ${organizationId}
            and stale.visitor_id in (select visitor_id from noted)
            and (stale.visitor_id in (select visitor_id from locked) or not exists (
              select from visitor_score
              where organization_id = ${organizationId} and visitor_id = stale.visitor_id
            ))
        ), passed_on as (
          insert into segment_stale (organization_id, watch_id, subject)
          select ${organizationId}::uuid, watch.id, locked.visitor_id::text
          from locked cross join (${watched(organizationId, "people")}) as watch
          union all
          select distinct ${organizationId}::uuid, watch.id, visitor.company_key
          from locked cross join (${watched(organizationId, "companies")}) as watch
          join visitor on visitor.organization_id = ${organizationId}
            and visitor.id = locked.visitor_id and visitor.company_key is not null
        )
        select (select count(*) from noted)::int as picked,
          array(select visitor_id::text from locked) as ids`.pipe(Effect.map(([row]) => row!)),

    /** Like `takeNotedPeople`, for companies. */
    takeNotedCompanies: (
      organizationId: string,
      limit: number,
    ): Result<{ readonly picked: number; readonly ids: ReadonlyArray<string> }> =>
      sql<{ readonly picked: number; readonly ids: ReadonlyArray<string> }>`
        with noted as materialized (
          select distinct domain from score_stale_company
          where organization_id = ${organizationId}
          order by domain limit ${limit}
        ), locked as materialized (
          select domain from company_score
          where organization_id = ${organizationId} and domain in (select domain from noted)
          for no key update skip locked
        ), done as (
          delete from score_stale_company as stale
          where stale.organization_id = ${organizationId}
            and stale.domain in (select domain from noted)
            and (stale.domain in (select domain from locked) or not exists (
              select from company_score
              where organization_id = ${organizationId} and domain = stale.domain
            ))
        ), passed_on as (
          insert into segment_stale (organization_id, watch_id, subject)
          select ${organizationId}::uuid, watch.id, locked.domain
          from locked cross join (${watched(organizationId, "companies")}) as watch
        )
        select (select count(*) from noted)::int as picked,
          array(select domain from locked) as ids`.pipe(Effect.map(([row]) => row!)),

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

    /** Those whose rows no one else holds. */
    lockPeople: (
      organizationId: string,
      ids: ReadonlyArray<string>,
    ): Result<ReadonlyArray<string>> =>
      Effect.map(
        sql<{ readonly id: string }>`
          select visitor_id as id from visitor_score
          where organization_id = ${organizationId} and visitor_id = any (array${idsIn(ids)})
          for no key update skip locked`,
        (rows) => rows.map(({ id }) => id),
      ),

    lockCompanies: (
      organizationId: string,
      domains: ReadonlyArray<string>,
    ): Result<ReadonlyArray<string>> =>
      Effect.map(
        sql<{ readonly id: string }>`
          select domain as id from company_score
          where organization_id = ${organizationId} and domain in ${domainsIn(domains)}
          for no key update skip locked`,
        (rows) => rows.map(({ id }) => id),
      ),

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

    evaluatePeople,
    evaluateCompanies,

    /** Fails with StatementTimedOut after the limit, and leaves the transaction intact. */
    within: <A>(
      evaluation: Result<A>,
      limitMs: number,
    ): Effect.Effect<A, SqlError.SqlError | StatementTimedOut> =>
      withinTransaction(sql, limitMs, evaluation),

    /** Updates locked rows. Notes the companies whose score this may change. */
    writePeople: (
      organizationId: string,
      people: ReadonlyArray<PersonToWrite>,
      revision: number,
      asOf: DateTime.Utc,
    ): Result<void> =>
      Effect.asVoid(sql`
        with n as materialized (
          select * from jsonb_to_recordset(${json(people)}) as n (
            id uuid, "emailHash" text, "companyKey" text, "interestHeld" integer, ${newColumns}
          )
        ), former as materialized (
          select s.visitor_id, s.company_key, s.fit_held, s.interest, s.revision
          from n
          join visitor_score s on s.organization_id = ${organizationId} and s.visitor_id = n.id
        ), written as (
          update visitor_score as s set
            email_hash = n."emailHash", company_key = n."companyKey",
            interest_held = n."interestHeld", ${written(revision, asOf)}
          from n, organization
          where s.organization_id = ${organizationId} and s.visitor_id = n.id
            and organization.id = ${organizationId}
        )
        insert into score_stale_company (organization_id, domain)
        select distinct ${organizationId}::uuid, company.domain
        from n
        join former on former.visitor_id = n.id
        cross join lateral (values (former.company_key), (n."companyKey")) as company (domain)
        where company.domain is not null
          and (former.company_key, former.fit_held, former.interest, former.revision)
            is distinct from (n."companyKey", n."fitHeld", n.interest, ${revision}::integer)`),

    writeCompanies: (
      organizationId: string,
      companies: ReadonlyArray<CompanyToWrite>,
      revision: number,
      asOf: DateTime.Utc,
    ): Result<void> =>
      Effect.asVoid(sql`
        update company_score as s set
          anonymous_held = n."anonymousHeld", anonymous_seen_at = n."anonymousSeenAt",
          ${written(revision, asOf)}
        from jsonb_to_recordset(${json(companies)}) as n (
          id text, "anonymousHeld" integer, "anonymousSeenAt" timestamptz, ${newColumns}
        ), organization
        where s.organization_id = ${organizationId} and s.domain = n.id
          and organization.id = ${organizationId}`),

    noteTooSlow: (organizationId: string, entries: ReadonlyArray<TooSlow>): Result<void> =>
      Effect.asVoid(sql`
        update score_state set too_slow = ${json(entries)}
        where organization_id = ${organizationId}`),

    transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
  }
})

/** How to ask about companies. */
export interface CompanyQuestion {
  readonly config: ScoreConfig
  readonly revision: number
  /** Whether an entry's rule tests only what companies have. */
  askable(part: EntryRule["part"], index: number): boolean
}

export class ScoreComputingStore extends Context.Service<
  ScoreComputingStore,
  Effect.Success<typeof make>
>()("@footfall/server/score/ScoreComputingStore") {
  static readonly layer = Layer.effect(ScoreComputingStore, make)
}

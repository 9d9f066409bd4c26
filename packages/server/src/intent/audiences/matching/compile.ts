// Compiles a configuration into SQL: one relation of the people in the audience, which a preview counts and a run
// inserts (spec 2.8, 2.9, 2.6). Pure; every value is a parameter. Profiles are joined only if a filter or rule needs
// them, after everyone with too few topics or outside the segment has been dropped.
import { type CandidateQuestion, candidates } from "../../signals/candidates-store.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { representativeOf } from "../aliases/compile.ts"
import type { Holdings } from "../aliases/leads.ts"
import { members } from "../aliases/leads.ts"
import { type AudienceConfig, type AudienceFilters, hasTopics } from "../config.ts"
import { filterConditions } from "./filters.ts"
import { described, located, type ProfileField } from "./profile.ts"
import { type AskedSegment, isInSegment } from "./segment.ts"

export interface AudienceQuestion extends Holdings {
  readonly organizationId: string
  readonly config: AudienceConfig
  /** `YYYY-MM-DD`. */
  readonly dataDate: string
  readonly segment?: AskedSegment | undefined
  /** Whether the organization has suppression rules. */
  readonly hasRules: boolean
  /** SHA-256 of addresses of people the organization has erased. */
  readonly erased: ReadonlyArray<string>
  /** Signals of the date that are not in Postgres. */
  readonly remote?: SqlText | undefined
}

/** The topics in the order of a person's `scores`. */
export const topicsInOrder = ({ topicIds }: AudienceConfig): ReadonlyArray<number> =>
  topicIds.toSorted((one, other) => one - other)

/**
 * Everyone who qualifies by topics and segment, before filters and suppression: `person`, `score`, `overlap` and
 * `scores`, all null without topics; located if there is a segment.
 */
export const qualifying = (question: AudienceQuestion): SqlText => {
  const { config, segment } = question
  if (segment === undefined) return withTopics(question)
  return hasTopics(config) ? inBoth(question, segment) : inSegment(question, segment)
}

const inBoth = (question: AudienceQuestion, segment: AskedSegment) =>
  inSegmentOf(question, sqlText`(${withTopics(question)})`, segment)

const inSegmentOf = (question: AudienceQuestion, source: SqlText, segment: AskedSegment) => sqlText`
  select known.*
  from (${located(question, source)}) as known
  join visitor on visitor.organization_id = ${question.organizationId}::uuid
    and visitor.id = known.visitor_id
  where ${isInSegment(segment)}`

/** A visitor's primary address represents the person. */
const inSegment = (question: AudienceQuestion, segment: AskedSegment) => {
  const [root, visitorId] = [SqlText.of("found.root"), SqlText.of("found.visitor_id")]
  return sqlText`
    select null::integer as person, null::integer as score, null::integer as overlap,
      null::smallint[] as scores, found.root, found.visitor_id,
      ${members(question, { root, visitorId })} as members
    from (
      select visitor.email_hash as root, visitor.id as visitor_id
      from visitor
      where visitor.organization_id = ${question.organizationId}::uuid and ${isInSegment(segment)}
    ) as found`
}

/** Everyone with qualifying scores, in the form of `candidates`. */
const withTopics = (question: AudienceQuestion): SqlText => {
  const { config, dataDate, erased, organizationId, remote } = question
  const candidateQuestion: CandidateQuestion = {
    ...config,
    organizationId,
    date: dataDate,
    topicIds: topicsInOrder(config),
    erased,
    remote,
  }
  return candidates(candidateQuestion, representativeOf(question))
}

/** The fields that rules are compared with. */
const fieldsOfRules: ReadonlyArray<ProfileField> = [
  "email_domain",
  "company_domain",
  "industry",
  "is_marked",
]

/** Whether profiles decide who is in the audience. */
const asksProfiles = ({ config, hasRules }: AudienceQuestion): boolean =>
  hasRules || Object.keys(config.filters).length > 0

/** Everyone who qualifies, as a relation. */
const everyoneWho = (question: AudienceQuestion): SqlText => sqlText`(${qualifying(question)})`

/** Adds addresses and visitor, unless the segment has added them. */
const everyoneLocated = (question: AudienceQuestion, source: SqlText): SqlText =>
  question.segment === undefined
    ? located(question, source)
    : sqlText`select * from ${source} as own`

/**
 * Everyone in the audience after filters and suppression, without erased people: `person`, `score`, `overlap`,
 * `scores`, and located if there is a segment or profiles were needed.
 */
const matched = (question: AudienceQuestion, qualifiedOfEveryone: SqlText): SqlText => {
  if (!asksProfiles(question)) return sqlText`select * from ${qualifiedOfEveryone} as qualified`
  const { config, hasRules, organizationId } = question
  const conditions = filterConditions(config.filters)
  const tests = [
    ...conditions.map(({ test }) => test),
    // A record may name an address other than the visitor's.
    ...(hasRules ? [sqlText`not known.is_marked and not ${isSuppressed(organizationId)}`] : []),
  ]
  const columns = new Set([
    ...conditions.map(({ reads }) => reads),
    ...(hasRules ? fieldsOfRules : []),
  ])
  const everyone = sqlText`(${everyoneLocated(question, qualifiedOfEveryone)})`
  return sqlText`
    select known.person, known.score, known.overlap, known.scores, known.root, known.members,
      known.visitor_id
    from (${described(question, everyone, [...columns])}) as known
    where ${SqlText.join(tests, " and ")}`
}

/** Like `matched`, always located. `qualified`: the relation of those who qualify, if it was already computed. */
export const audience = (
  question: AudienceQuestion,
  qualified: SqlText = everyoneWho(question),
): SqlText =>
  asksProfiles(question) ? matched(question, qualified) : everyoneLocated(question, qualified)

/** Whether a rule in force matches the person `known`. */ // spec 2.6; docs/adr/0018
export const isSuppressed = (organizationId: string): SqlText => sqlText`exists (
  select
  from suppression_list as list
  cross join lateral (
    select 'email' as type, own.hash as match_key from unnest(known.members) as own (hash)
    union all select 'domain', known.email_domain
    union all select 'company_domain', known.company_domain
    union all select 'industry', known.industry
  ) as own
  join suppression_rule_key as rule on rule.organization_id = list.organization_id
    and rule.type = own.type and rule.match_key = own.match_key
  where list.organization_id = ${organizationId}::uuid
    and rule.takes_part_at < list.cycle_at
    and (rule.removed_at is null or rule.removed_at >= list.cycle_at)
)`

/** The fields of a sample. spec 2.10. */
const sampleFields: ReadonlyArray<ProfileField> = ["email", "company_name", "job_title"]

/**
 * Returns one row: `total` and `sample`, the first people of the results, with their fields not masked yet. Everyone
 * tied with the last of them by score and overlap is looked up too, because the address breaks the tie.
 */
export const previewStatement = (question: AudienceQuestion, sampleMax: number): SqlText => {
  const limit = SqlText.of(String(sampleMax))
  const first = SqlText.of("first")
  const isLocated = asksProfiles(question) || question.segment !== undefined
  return sqlText`
    with matched as materialized (${matched(question, everyoneWho(question))}), first as materialized (
      select * from matched order by score desc, overlap desc fetch first ${limit} rows with ties
    ), shown as materialized (
      select * from ${isLocated ? first : sqlText`(${located(question, first)}) as first`}
      order by score desc, overlap desc, root collate "C"
      limit ${limit}
    )
    select (select count(*)::integer from matched) as total, coalesce((
      select json_agg(json_build_object(
        'hem', known.root, 'score', known.score, 'scores', known.scores, 'email', known.email,
        'company', known.company_name, 'jobTitle', known.job_title
      ) order by known.score desc, known.overlap desc, known.root collate "C")
      from (${described(question, SqlText.of("shown"), sampleFields)}) as known
    ), '[]') as sample`
}

/** A part of a configuration; filters by their names. */
export type ConfigPart = "topics" | "segment" | "suppression" | keyof AudienceFilters

/** Scores that count for an audience. */
export type ScoreRange = Pick<AudienceConfig, "minScore" | "maxScore">

/**
 * Returns one row: `parts`, how many people are left after each part of the configuration, in order; and `scores`, how many
 * people are in the audience by score, whatever its range of scores. Topics, segment and profiles are looked up once.
 *
 * *Requires*: the question asks for every score, and `range` says which ones the configuration asks for.
 */
export const explanationStatement = (question: AudienceQuestion, range: ScoreRange): SqlText => {
  const { config, hasRules, organizationId, segment } = question
  const conditions = filterConditions(config.filters)
  const tests: ReadonlyArray<{ readonly part: ConfigPart; readonly test: SqlText }> = [
    ...(segment === undefined ? [] : [{ part: "segment" as const, test: SqlText.of("true") }]),
    ...conditions.map(({ name, test }) => ({ part: name, test })),
    ...(hasRules
      ? [
          {
            part: "suppression" as const,
            test: sqlText`not known.is_marked and not ${isSuppressed(organizationId)}`,
          },
        ]
      : []),
  ]
  const columns = new Set([
    ...conditions.map(({ reads }) => reads),
    ...(hasRules ? fieldsOfRules : []),
  ])
  const everyone = sqlText`(${qualifiedAmong(question, SqlText.of("everyone"), columns.size > 0)})`
  const known =
    columns.size === 0 ? everyone : sqlText`(${described(question, everyone, [...columns])})`
  const passes = tests.map(({ test }, place) => sqlText`${test} as ${SqlText.of(`test_${place}`)}`)
  const passed = (until: number) =>
    SqlText.of(["true", ...tests.slice(0, until).map((_, place) => `test_${place}`)].join(" and "))
  const counts = tests.map(
    ({ part }, place) => sqlText`json_build_object('part', ${part}::text, 'count',
      (select count(*)::integer from tested where in_range and ${passed(place + 1)}))`,
  )
  const topics = hasTopics(config)
    ? [
        sqlText`json_build_object('part', 'topics', 'count',
        (select count(*)::integer from everyone where in_range))`,
      ]
    : []
  const scores = hasTopics(config)
    ? sqlText`coalesce((
        select json_agg(json_build_object('score', score, 'people', people) order by score)
        from (
          select score, count(*)::integer as people from tested where ${passed(tests.length)}
          group by score
        ) as counted
      ), '[]')`
    : SqlText.of("'[]'::json")
  return sqlText`
    with everyone as materialized (${inRange(question, range)}), tested as materialized (
      select ${list([SqlText.of("known.score, known.in_range"), ...passes])} from ${known} as known
    )
    select json_build_array(${list([...topics, ...counts])}) as parts, ${scores} as scores`
}

/** Everyone with any scores for the topics, and whether enough of them are in the range; everyone in a segment alone. */
const inRange = (question: AudienceQuestion, { maxScore, minScore }: ScoreRange): SqlText => {
  const { config, segment } = question
  if (!hasTopics(config))
    return sqlText`select true as in_range, own.* from (${inSegment(question, segment!)}) as own`
  return sqlText`
    select scored.*, (
      select count(*) from unnest(scored.scores) as own (score)
      where own.score between ${minScore}::integer and ${maxScore}::integer
    ) >= ${config.minTopicOverlap}::integer as in_range
    from (${withTopics(question)}) as scored`
}

/** Those of a relation of people with topics who are in the segment, located if there is one or if that is needed. */
const qualifiedAmong = (
  question: AudienceQuestion,
  source: SqlText,
  isLocated: boolean,
): SqlText => {
  const { config, segment } = question
  if (!hasTopics(config)) return sqlText`select * from ${source} as own`
  if (segment !== undefined) return inSegmentOf(question, source, segment)
  return isLocated ? located(question, source) : sqlText`select * from ${source} as own`
}

const list = (pieces: ReadonlyArray<SqlText>) => SqlText.join(pieces, ", ")

/** `hash` of every address of everyone in the audience. */
export const addressesStatement = (question: AudienceQuestion): SqlText => sqlText`
  select distinct address.hash
  from (${audience(question)}) as known
  cross join unnest(known.members || known.root) as address (hash)`

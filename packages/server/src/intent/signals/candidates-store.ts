// Finds who has signals for given topics on one date: the query that previews and runs start with (spec 2.8). It
// reads a few dozen rows of `signal`, unpacks them into people's numbers and sums them up in one pass. Returned as
// SQL text with its values, to which the caller joins profiles.
import { sharedOrganizationId } from "../../access/organization.ts"
import { SqlText, sqlText } from "../../platform/database/sql-text.ts"

export interface CandidateQuestion {
  readonly organizationId: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Distinct. */
  readonly topicIds: ReadonlyArray<number>
  readonly minScore: number
  readonly maxScore: number
  readonly minTopicOverlap: number
  /** SHA-256 of addresses whose signals do not count, in lowercase hex. */
  readonly erased: ReadonlyArray<string>
  /** Signals outside Postgres: a relation of `person`, `topic_id` and `score` (remote-signals.ts). */
  readonly remote?: SqlText | undefined
}

/** The highest score. spec 2.18. */
const scoreMax = 100

/**
 * Selects everyone who qualifies: `person`, `score` (the highest among the matched topics), `overlap` (their count)
 * and `scores` (in topic order; null where a topic does not match).
 *
 * `standsFor` maps a number to the person's representative number. If a person has several scores for a topic, the
 * highest counts, even if it is above the range.
 */
export const candidates = (
  question: CandidateQuestion,
  standsFor: (person: SqlText) => SqlText,
): SqlText => {
  const { maxScore, minTopicOverlap, topicIds } = question
  const places = topicIds.map((_, place) => SqlText.of(`score_${place}`))
  const highest = topicIds.map((topicId, place) => {
    const score = sqlText`max(s.score) filter (where s.topic_id = ${topicId}::integer)`
    return sqlText`${inRange(score, maxScore)} as ${places[place]!}`
  })
  const overlap = SqlText.join(
    places.map((score) => sqlText`(${score} is not null)::integer`),
    " + ",
  )
  return sqlText`
    select scored.person, greatest(${list(places)})::integer as score, ${overlap} as overlap,
      array[${list(places)}] as scores
    from (
      select ${standsFor(SqlText.of("s.person"))} as person, ${list(highest)}
      from (${signals(question)}) as s
      group by 1
    ) as scored
    where ${overlap} >= ${minTopicOverlap}::integer`
}

const inRange = (score: SqlText, maxScore: number): SqlText =>
  maxScore === scoreMax
    ? score
    : sqlText`case when ${score} <= ${maxScore}::integer then ${score} end`

/** One row per signal: shared ones, the organization's imports and its pixels'. */
const signals = (question: CandidateQuestion): SqlText => {
  const { erased, remote } = question
  if (remote === undefined) return signalsInPostgres(question)
  return sqlText`
    ${signalsInPostgres(question)}
    union all
    select named.person, named.topic_id, named.score
    from (${remote}) as named
    where true ${withoutErased(erased)}`
}

const signalsInPostgres = ({
  date,
  erased,
  minScore,
  organizationId,
  topicIds,
}: CandidateQuestion) => sqlText`
  select named.person, signal.topic_id, signal.score
  from signal_date as day
  join signal on signal.organization_id = day.organization_id and signal.date = day.date
    and signal.origin = day.origin
  cross join unnest(signal.people) as named (person)
  where day.organization_id = any(${[organizationId, sharedOrganizationId]}::text[]::uuid[])
    and day.date = ${date}::date
    and signal.topic_id = any(${topicIds.map(String)}::text[]::integer[])
    and signal.score >= ${minScore}::integer
    ${withoutErased(erased)}`

const withoutErased = (erased: ReadonlyArray<string>): SqlText =>
  erased.length === 0
    ? SqlText.of("")
    : sqlText`and named.person <> all (array(
            select id from signal_person
            where email_hash = any (array(
              select decode(hash, 'hex') from unnest(${erased}::text[]) as erased (hash)
            ))
          ))`

const list = (pieces: ReadonlyArray<SqlText>) => SqlText.join(pieces, ", ")

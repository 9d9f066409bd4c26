// The statement that finds a run's people and stores them: one pass from signals to rows (spec 2.8, 2.13). Pure; every
// value is a parameter. Qualifying people are found once, for the count and the rows. Positions are assigned before
// profiles are read, so little data is sorted.
import { Context } from "effect"
import { companySizes, employeesOf } from "../../audiences/config.ts"
import {
  audience,
  type AudienceQuestion,
  qualifying,
  topicsInOrder,
} from "../../audiences/matching/compile.ts"
import { described, type ProfileField } from "../../audiences/matching/profile.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

/** The columns of `run_result` and their source in a person. */
const columns = {
  first_name: "first_name",
  last_name: "last_name",
  email: "email",
  business_email: "business_email",
  personal_email: "personal_email",
  email_status: "email_status",
  phone: "phone",
  linkedin_url: "linkedin_url",
  headline: "headline",
  job_title: "job_title",
  seniority: "seniority",
  department: "department",
  company_name: "company_name",
  company_domain: "company_domain",
  company_industry: "industry",
  company_industry_group: "company_industry_group",
  company_revenue_range: "company_total_revenue",
  company_size: "company_employee_count",
  company_linkedin_url: "company_linkedin_url",
  city: "city",
  state: "state",
  country: "country",
  age_range: "age_range",
  gender: "gender",
  is_b2b: "is_b2b",
} as const satisfies Readonly<Record<string, ProfileField>>

/** The band of a head count; null outside all bands. */
const companySize = SqlText.of(
  `case ${companySizes
    .map((size) => {
      const [least, most] = employeesOf(size)
      return `when who.company_employee_count between ${least} and ${most} then '${size}'`
    })
    .join(" ")} end`,
)

const values = SqlText.of(
  Object.entries(columns)
    .map(([column, field]) => (column === "company_size" ? companySize.text : `who.${field}`))
    .join(", "),
)

/**
 * Returns one row: `candidates`, everyone who qualifies, and `found`, those left after filters and suppression. They
 * are stored if there are at most `resultsMax`. If several numbers turn out to be one person, the first is kept.
 * Numbers are looked up in order, so each page of the index is read once.
 */
export const runStatement = (
  question: AudienceQuestion,
  { resultsMax, runId }: { readonly resultsMax: number; readonly runId: string },
): SqlText => {
  const topicIds = topicsInOrder(question.config).map(String)
  const topics = sqlText`${topicIds}::text[]::integer[]`
  // Most people have one topic, with the same score: this saves a sort for each.
  const matchedTopics = sqlText`case who.overlap
    when 1 then array[(${topics})[array_position(who.scores, who.score::smallint)]]
    else array(
      select matched.topic_id
      from unnest(who.scores, ${topics}) as matched (score, topic_id)
      where matched.score is not null
      order by matched.score desc, matched.topic_id
    )
  end`
  return sqlText`
    with candidate as materialized (
      select * from (${qualifying(question)}) as qualified
      order by person
    ),
    found as materialized (
      select known.root, known.members, known.visitor_id, known.score, known.overlap, known.scores,
        row_number() over (
          order by known.score desc, known.overlap desc, known.root collate "C"
        ) as position
      from (${audience(question, SqlText.of("candidate"))}) as known
    ),
    kept as (
      insert into run_result (
        organization_id, run_id, position, hashed_email, score, topic_overlap, matched_topics,
        ${SqlText.of(Object.keys(columns).join(", "))}
      )
      select ${question.organizationId}::uuid, ${runId}::uuid, who.position,
        decode(who.root, 'hex'), who.score, who.overlap, ${matchedTopics}, ${values}
      from (${described(question, SqlText.of("found"), [...new Set(Object.values(columns))])}) as who
      where (select count(*) from found) <= ${resultsMax}::integer
      on conflict (organization_id, run_id, hashed_email) where position > 0 do nothing
    )
    select (select count(*)::integer from candidate) as candidates,
      (select count(*)::integer from found) as found`
}

// Limits of a run. spec 2.11 names the errors for exceeding them: `RESULT_TOO_LARGE` and `QUERY_TIMEOUT`.
export interface Limits {
  /** Maximum people per run. */
  readonly resultsMax: number
  /** Per statement. Units: milliseconds. */
  readonly statementTimeoutMs: number
  /** A lost worker's statement may hold the same positions until it ends. Units: milliseconds. */
  readonly lockTimeoutMs: number
}

export const RunLimits = Context.Reference<Limits>("@footfall/server/runs/RunLimits", {
  defaultValue: () => ({
    resultsMax: 5_000_000,
    statementTimeoutMs: 300_000,
    lockTimeoutMs: 360_000,
  }),
})

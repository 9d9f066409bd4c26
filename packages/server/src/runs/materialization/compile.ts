// The statement that finds the people of a run and keeps them: one pass from signals to rows (spec
// 2.8, 2.13). Pure, and every value a parameter. Who qualifies is found once, for the count and for the
// rows; positions are given before profiles are read, so that what is sorted is small.
import { companySizes, employeesOf } from "../../audiences/company-size.ts"
import {
  audience,
  type AudienceQuestion,
  qualifying,
  topicsInOrder,
} from "../../audiences/matching/compile.ts"
import { described, type ProfileField } from "../../audiences/matching/profile.ts"
import { SqlText, sqlText } from "../../database/sql-text.ts"
import { Context } from "effect"

/** Columns of `run_result`, and what of a person they are. */
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

/** The band of a head-count; a number that is in none has no band. */
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
 * Answers one row: `candidates`, everyone who qualifies, and `found`, those after filters and suppression,
 * who are kept where they are at most `resultsMax`. Of several numbers that turn out to be one person the
 * first in order is kept.
 */
export const runStatement = (
  question: AudienceQuestion,
  { resultsMax, runId }: { readonly resultsMax: number; readonly runId: string },
): SqlText => {
  const topicIds = topicsInOrder(question.config).map(String)
  const matchedTopics = sqlText`array(
    select matched.topic_id
    from unnest(who.scores, ${topicIds}::text[]::integer[]) as matched (score, topic_id)
    where matched.score is not null
    order by matched.score desc, matched.topic_id
  )`
  return sqlText`
    with candidate as materialized (${qualifying(question)}),
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

// What a run may take. Our bounds; spec 2.11 names the errors of those that go beyond them:
// `RESULT_TOO_LARGE` and `QUERY_TIMEOUT`.
export interface Limits {
  /** People of one run. */
  readonly resultsMax: number
  /** Of one statement. Units: milliseconds. */
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

// The tallies of some rows of `result` as a JSON object, in SQL.
import type { SqlClient } from "effect/sql"
import { scoreBuckets, type FillPath } from "./statistics.ts"

/** What must not be null for a path to be filled. */
const filled: Readonly<Record<FillPath, string>> = {
  businessEmail: "business_email",
  personalEmail: "personal_email",
  firstName: "first_name",
  lastName: "last_name",
  fullName: "coalesce(first_name, last_name)",
  email: "email",
  primaryContactEmail: "coalesce(business_email, personal_email)",
  emailStatus: "email_status",
  phone: "phone",
  linkedinUrl: "linkedin_url",
  headline: "headline",
  jobTitle: "job_title",
  seniority: "seniority",
  department: "department",
  "company.name": "company_name",
  "company.domain": "company_domain",
  "company.industry": "company_industry",
  "company.industryGroup": "company_industry_group",
  "company.revenueRange": "company_revenue_range",
  "company.size": "company_size",
  "company.linkedinUrl": "company_linkedin_url",
  "geo.city": "city",
  "geo.state": "state",
  "geo.country": "country",
  "demographics.ageRange": "age_range",
  "demographics.gender": "gender",
  isB2b: "is_b2b",
}

const texts = [
  ...Object.entries(filled).map(([path, value]) => `'${path}', count(${value})`),
  ...Object.entries(scoreBuckets).map(
    ([bucket, [least, most]]) =>
      `'${bucket}', count(*) filter (where score between ${least} and ${most})`,
  ),
  "'intent.score', coalesce(sum(score), 0)",
  "'intent.topicOverlap', coalesce(sum(topic_overlap), 0)",
].join(",\n  ")

/** An aggregate over rows of `run_result`. */
export const talliesOf = (sql: SqlClient.SqlClient) => sql.literal(`jsonb_build_object(${texts})`)

/** Tallies less those of some of their rows; both are columns. */
export const talliesWithout = (sql: SqlClient.SqlClient, whole: string, part: string) =>
  sql.literal(`(
    select jsonb_object_agg(one.key, one.value::bigint - (${part} ->> one.key)::bigint)
    from jsonb_each_text(${whole}) as one
  )`)

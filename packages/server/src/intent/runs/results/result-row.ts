// One person of a run's results, as shown by the API, exports and deliveries (spec 2.13). Every key is always present
// and in this order, because deliveries sign the text. Full name and primary contact are derived; topic names are those
// of the run.
import { Schema } from "effect"
import { yesOrNo } from "../../../people/person/vocabulary.ts"
import { Topic } from "../../topics/topic.ts"

const text = Schema.NullOr(Schema.String)

export class ResultRow extends Schema.Opaque<ResultRow>()(
  Schema.Struct({
    hashedEmail: Schema.String,
    firstName: text,
    lastName: text,
    fullName: text,
    email: text,
    businessEmail: text,
    personalEmail: text,
    primaryContactEmail: text,
    emailStatus: text,
    phone: text,
    linkedinUrl: text,
    headline: text,
    jobTitle: text,
    seniority: text,
    department: text,
    company: Schema.Struct({
      name: text,
      domain: text,
      industry: text,
      industryGroup: text,
      revenueRange: text,
      size: text,
      linkedinUrl: text,
    }),
    geo: Schema.Struct({ city: text, state: text, country: text }),
    demographics: Schema.Struct({ ageRange: text, gender: text }),
    isB2b: Schema.NullOr(Schema.Literals(yesOrNo)),
    /** Null in an audience without topics. */
    intent: Schema.NullOr(
      Schema.Struct({
        score: Schema.Int,
        topicOverlap: Schema.Int,
        matchedTopics: Schema.Array(Topic),
      }),
    ),
  }).annotate({ identifier: "AudienceResultRow" }),
) {}

/** A row of `run_result`, as selected by `resultColumns`. */
export interface ResultDbRow {
  /** Position in the results, from 1; erased people leave gaps. */
  readonly position: number
  readonly hashedEmail: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  readonly emailStatus: string | null
  readonly phone: string | null
  readonly linkedinUrl: string | null
  readonly headline: string | null
  readonly jobTitle: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly companyIndustry: string | null
  readonly companyIndustryGroup: string | null
  readonly companyRevenueRange: string | null
  readonly companySize: string | null
  readonly companyLinkedinUrl: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly ageRange: string | null
  readonly gender: string | null
  readonly isB2b: "y" | "n" | null
  /** Null in an audience without topics, as is the overlap. */
  readonly score: number | null
  readonly topicOverlap: number | null
  /** Topic ids, highest score first, then lowest id. */
  readonly matchedTopics: ReadonlyArray<number>
}

/** The columns of `run_result as result` that make a `ResultDbRow`. */
export const resultColumns = `
  result.position, encode(result.hashed_email, 'hex') as "hashedEmail",
  result.first_name as "firstName", result.last_name as "lastName", result.email,
  result.business_email as "businessEmail", result.personal_email as "personalEmail",
  result.email_status as "emailStatus", result.phone, result.linkedin_url as "linkedinUrl",
  result.headline, result.job_title as "jobTitle", result.seniority, result.department,
  result.company_name as "companyName", result.company_domain as "companyDomain",
  result.company_industry as "companyIndustry",
  result.company_industry_group as "companyIndustryGroup",
  result.company_revenue_range as "companyRevenueRange", result.company_size as "companySize",
  result.company_linkedin_url as "companyLinkedinUrl", result.city, result.state, result.country,
  result.age_range as "ageRange", result.gender, result.is_b2b as "isB2b", result.score,
  result.topic_overlap as "topicOverlap", result.matched_topics as "matchedTopics"`

/** `topics`: the run's, by id. */
export const resultRow = (row: ResultDbRow, topics: ReadonlyMap<number, Topic>): ResultRow => ({
  hashedEmail: row.hashedEmail,
  firstName: row.firstName,
  lastName: row.lastName,
  fullName: fullName(row),
  email: row.email,
  businessEmail: row.businessEmail,
  personalEmail: row.personalEmail,
  primaryContactEmail: row.businessEmail ?? row.personalEmail,
  emailStatus: row.emailStatus,
  phone: row.phone,
  linkedinUrl: row.linkedinUrl,
  headline: row.headline,
  jobTitle: row.jobTitle,
  seniority: row.seniority,
  department: row.department,
  company: {
    name: row.companyName,
    domain: row.companyDomain,
    industry: row.companyIndustry,
    industryGroup: row.companyIndustryGroup,
    revenueRange: row.companyRevenueRange,
    size: row.companySize,
    linkedinUrl: row.companyLinkedinUrl,
  },
  geo: { city: row.city, state: row.state, country: row.country },
  demographics: { ageRange: row.ageRange, gender: row.gender },
  isB2b: row.isB2b,
  intent:
    row.score === null
      ? null
      : {
          score: row.score,
          topicOverlap: row.topicOverlap!, // known together with the score
          // A run's topics are stored with it, so each of these exists.
          matchedTopics: row.matchedTopics.map((topicId) => topics.get(topicId)!),
        },
})

/** The names that are known. spec 13. */
const fullName = ({
  firstName,
  lastName,
}: Pick<ResultDbRow, "firstName" | "lastName">): string | null =>
  [firstName, lastName].filter((name) => name !== null).join(" ") || null

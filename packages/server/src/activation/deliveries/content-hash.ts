// The content hash of a contact in SQL (spec 2.16): SHA-256 of the RFC 8785 form of what is sent about a row of
// `run_result as result`. Postgres prints a row as JSON without spaces and escapes text exactly as RFC 8785 requires,
// every number here is an integer, and the keys are sorted here. It equals the hashes of ../content.ts for every row.
// Printing a whole row takes a third of the time of printing its columns one by one.
import type {
  AutomationConfig,
  MappedAttribute,
} from "../destinations/connectors/automation-config.ts"
import { managedTag } from "../destinations/connectors/list-contact.ts"
import type { Topic } from "../../intent/topics/topic.ts"
import { SqlText, sqlText } from "../../platform/database/sql-text.ts"
import { byCodeUnits, topicText } from "./content.ts"

/** An object by its keys; each is a value or another object. */
interface Members {
  readonly [key: string]: SqlText | Members
}

/** What an automation destination is sent about a contact. */
export interface ListContent {
  readonly audienceId: string
  readonly config: AutomationConfig
}

/** Content for the webhook type. */
export const webhookContentHash = (topics: ReadonlyArray<Topic>): SqlText =>
  hashOf(sqlText`row_to_json(${object(contact(topics))})::text`)

/** Content for the automation type, of a contact with an address. */
export const listContentHash = (
  { audienceId, config }: ListContent,
  topics: ReadonlyArray<Topic>,
): SqlText => {
  const tags = [...new Set([...config.tags, managedTag(audienceId)])]
  const fields = SqlText.join(mappedFields(config, topics), ", ")
  return hashOf(sqlText`concat(
    '{"email":', to_json(result.email),
    ',"fields":{', array_to_string(array[${fields}]::text[], ','),
    '},"tags":', ${JSON.stringify(tags)}::text, '}'
  )`)
}

const column = (name: string): SqlText => SqlText.of(`result.${name}`)

const fullName = "nullif(concat_ws(' ', result.first_name, result.last_name), '')"

/** The text from `texts` of each matched topic, joined. */
const ofTopics = (
  topics: ReadonlyArray<Topic>,
  texts: ReadonlyArray<string>,
  separator: string,
): SqlText => {
  const places = topics.map(({ topicId }) => String(topicId))
  return sqlText`(
    select string_agg(
      (${texts}::text[])[array_position(${places}::text[]::integer[], one.id)], ${separator}
      order by one.place
    )
    from unnest(result.matched_topics) with ordinality as one (id, place)
  )`
}

const contact = (topics: ReadonlyArray<Topic>): Members => ({
  hashedEmail: SqlText.of("encode(result.hashed_email, 'hex')"),
  firstName: column("first_name"),
  lastName: column("last_name"),
  fullName: SqlText.of(fullName),
  email: column("email"),
  businessEmail: column("business_email"),
  personalEmail: column("personal_email"),
  primaryContactEmail: SqlText.of("coalesce(result.business_email, result.personal_email)"),
  emailStatus: column("email_status"),
  phone: column("phone"),
  linkedinUrl: column("linkedin_url"),
  headline: column("headline"),
  jobTitle: column("job_title"),
  seniority: column("seniority"),
  department: column("department"),
  company: {
    name: column("company_name"),
    domain: column("company_domain"),
    industry: column("company_industry"),
    industryGroup: column("company_industry_group"),
    revenueRange: column("company_revenue_range"),
    size: column("company_size"),
    linkedinUrl: column("company_linkedin_url"),
  },
  geo: { city: column("city"), state: column("state"), country: column("country") },
  demographics: { ageRange: column("age_range"), gender: column("gender") },
  isB2b: column("is_b2b"),
  intent:
    topics.length === 0
      ? SqlText.of("null::json")
      : {
          score: column("score"),
          topicOverlap: column("topic_overlap"),
          matchedTopics: sqlText`concat('[', ${ofTopics(topics, topics.map(topicText), ",")}, ']')::json`,
        },
})

/** A row whose columns are the sorted keys. */
const object = (node: Members): SqlText => {
  const members = Object.entries(node)
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .map(([key, value]) => {
      const written = value instanceof SqlText ? value : object(value)
      return sqlText`${written} as ${SqlText.of(`"${key}"`)}`
    })
  return sqlText`(select one from (select ${SqlText.join(members, ", ")}) as one)`
}

const attributes: Readonly<Record<Exclude<MappedAttribute, `intent.${string}`>, string>> = {
  firstName: "result.first_name",
  lastName: "result.last_name",
  fullName,
  jobTitle: "result.job_title",
  headline: "result.headline",
  seniority: "result.seniority",
  department: "result.department",
  linkedinUrl: "result.linkedin_url",
  "company.name": "result.company_name",
  "company.domain": "result.company_domain",
  "company.industry": "result.company_industry",
  "company.industryGroup": "result.company_industry_group",
  "company.revenueRange": "result.company_revenue_range",
  "company.linkedinUrl": "result.company_linkedin_url",
  "geo.city": "result.city",
  "geo.state": "result.state",
  "geo.country": "result.country",
}

/** The JSON text of an attribute; null without a value. */
const attributeJson = (attribute: MappedAttribute, topics: ReadonlyArray<Topic>): SqlText => {
  switch (attribute) {
    case "intent.score":
      return SqlText.of("result.score::text")
    case "intent.topicOverlap":
      return SqlText.of("result.topic_overlap::text")
    case "intent.matchedTopics": {
      const names = topics.map(({ topicName }) => topicName)
      return sqlText`to_json(nullif(${ofTopics(topics, names, "|")}, ''))::text`
    }
    default:
      return SqlText.of(`to_json(nullif(${attributes[attribute]}, ''))::text`)
  }
}

/** One member per field; null for a field without a value. */
const mappedFields = (
  { fieldMapping }: AutomationConfig,
  topics: ReadonlyArray<Topic>,
): ReadonlyArray<SqlText> =>
  Object.entries(fieldMapping)
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .map(
      ([field, attribute]) =>
        sqlText`${`${JSON.stringify(field)}:`}::text || ${attributeJson(attribute, topics)}`,
    )

const hashOf = (text: SqlText): SqlText => sqlText`sha256(convert_to(${text}, 'UTF8'))`

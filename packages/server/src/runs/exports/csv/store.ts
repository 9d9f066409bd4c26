// The one statement that makes CSV of a run's results, part by part, in Postgres itself (spec 2.13).
// The snapshot does not change but for people who are erased, so parts that are read one after the other,
// each in a transaction of its own, are one whole: a slow reader holds nothing in the database.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { CsvRows } from "../../../database/copied-rows.ts"
import { copiesOutMax, Copy } from "../../../database/copy.ts"
import { connectionError } from "../../../database/silent-database.ts"
import { makeFairTurns } from "../../../jobs/fair-turns.ts"

export interface CsvQuestion {
  readonly organizationId: string
  readonly runId: string
  /** Those of the run: the names that ids are written as. */
  readonly topics: ReadonlyArray<{ readonly topicId: number; readonly topicName: string }>
  /** Leaves alone what a spreadsheet would take for a formula. */
  readonly keepsFormulas: boolean
}

/** Places in the results, both included, from 1 on. */
export interface CsvPart {
  readonly from: number
  readonly to: number
}

/** A column of the file but the last: its path in the result row, and its value in `run_result as result`. */
interface Column {
  readonly path: string
  readonly value: string
  /** Made by this server, never the beginning of a formula. */
  readonly isSafe?: true
}

const text = (path: string, value: string): Column => ({ path, value: `result.${value}` })

const columns: ReadonlyArray<Column> = [
  { path: "hashedEmail", value: "encode(result.hashed_email, 'hex')", isSafe: true },
  text("firstName", "first_name"),
  text("lastName", "last_name"),
  {
    path: "fullName",
    // concat_ws costs as much as ten other columns.
    value: `case when result.first_name is null then result.last_name
      else result.first_name || coalesce(' ' || result.last_name, '') end`,
  },
  text("email", "email"),
  text("businessEmail", "business_email"),
  text("personalEmail", "personal_email"),
  {
    path: "primaryContactEmail",
    value: "coalesce(result.business_email, result.personal_email)",
  },
  text("emailStatus", "email_status"),
  text("phone", "phone"),
  text("linkedinUrl", "linkedin_url"),
  text("headline", "headline"),
  text("jobTitle", "job_title"),
  text("seniority", "seniority"),
  text("department", "department"),
  text("company.name", "company_name"),
  text("company.domain", "company_domain"),
  text("company.industry", "company_industry"),
  text("company.industryGroup", "company_industry_group"),
  text("company.revenueRange", "company_revenue_range"),
  text("company.size", "company_size"),
  text("company.linkedinUrl", "company_linkedin_url"),
  text("geo.city", "city"),
  text("geo.state", "state"),
  text("geo.country", "country"),
  text("demographics.ageRange", "age_range"),
  text("demographics.gender", "gender"),
  text("isB2b", "is_b2b"),
  { path: "intent.score", value: "result.score", isSafe: true },
  { path: "intent.topicOverlap", value: "result.topic_overlap", isSafe: true },
]

/** The header row: the paths of a result, in the documented order. */ // spec 2.13
export const csvColumns: ReadonlyArray<string> = [
  ...columns.map(({ path }) => path),
  "intent.matchedTopics",
]

/** How a cell begins that a spreadsheet would take for a formula. spec 2.13. */
const formula = String.raw`^[=+\-@\t\r]`
const isFormula = new RegExp(formula)

/** How long a part waits for a connection before it fails as one that the database did not give. Our bound. */
const turnWait = "10 seconds"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const copy = yield* Copy
  // A part is small, so an organization that has all connections gives one to others soon.
  const turns = makeFairTurns({
    turns: copiesOutMax,
    turnsOfOne: copiesOutMax,
    wait: turnWait,
    busy: () => connectionError("no connection was free in time", "connect"),
  })

  /** spec 2.13: an apostrophe before it makes it text for every spreadsheet. */
  const defused = (value: Statement.Fragment) => sql`
    case when ${value} ~ ${formula} then ${"'"} || ${value} else ${value} end`

  /**
   * Comparisons with at most ten ids, where a look-up in JSON costs as much as the rest of the row. Only the
   * name in the first place begins the cell.
   */
  const topicNames = ({ keepsFormulas, topics }: CsvQuestion) => {
    const nameAt = (place: number) => (name: string) =>
      place === 1 && !keepsFormulas && isFormula.test(name) ? `'${name}` : name
    const places = topics.map((_, at) => {
      const written = nameAt(at + 1)
      const cases = topics.map(
        ({ topicId, topicName }) => sql`when ${topicId}::integer then ${written(topicName)}::text`,
      )
      return sql`case result.matched_topics[${at + 1}::integer] ${sql.join(" ", false)(cases)} end`
    })
    return places.length === 0 ? sql`''` : sql`concat_ws('|', ${sql.csv(places)})`
  }

  const cells = (question: CsvQuestion) =>
    sql.csv([
      ...columns.map(({ isSafe = false, value }) =>
        isSafe || question.keepsFormulas ? sql.literal(value) : defused(sql.literal(value)),
      ),
      topicNames(question),
    ])

  return {
    /** The lines of a part, in the order of the results. */
    part: (
      question: CsvQuestion,
      { from, to }: CsvPart,
    ): Effect.Effect<CsvRows, SqlError.SqlError> =>
      turns.run(
        question.organizationId,
        copy.csv(sql`
        select ${cells(question)}
        from run_result as result
        where result.organization_id = ${question.organizationId}
          and result.run_id = ${question.runId}
          and result.position between ${from} and ${to}
        order by result.position`),
      ),
  }
})

export class CsvStore extends Context.Service<CsvStore, Effect.Success<typeof make>>()(
  "@footfall/server/runs/CsvStore",
) {
  static readonly layer = Layer.effect(CsvStore, make)
}

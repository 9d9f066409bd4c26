// Writes runs with results straight to the tables, for tests of exports, and sends requests about them.
import { randomUUID } from "node:crypto"
import type { TestOrganization, TestServer } from "../../support/server.ts"
import { type Answered, ask, type Asked } from "../support.ts"

export interface PutRun {
  readonly organizationId: string
  readonly audienceId: string
  readonly runId: string
}

/** Columns of `run_result`, named as in the database. The rest is null. */
export type PutRow = Readonly<Record<string, unknown>>

export interface PutRunOptions {
  readonly name?: string
  readonly status?: string
  readonly createdBy?: string
  readonly topics?: ReadonlyArray<{ readonly topicId: number; readonly topicName: string }>
  readonly rows?: ReadonlyArray<PutRow>
}

export const dataDate = "2026-03-10"

/** Puts a run after its worker has ended, by default completed. No worker claims a queued one. */
export const putRun = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId }: Pick<TestOrganization, "organizationId">,
  options: PutRunOptions = {},
): Promise<PutRun> => {
  const { createdBy = null, name = "Buyers", rows = [], status = "completed" } = options
  const [audienceId, runId] = [randomUUID(), randomUUID()]
  const topics = (options.topics ?? [{ topicId: 1, topicName: "Freight" }]).map((topic) => ({
    ...topic,
    type: "b2b",
    industry: "logistics",
    category: "software",
  }))
  const config = {
    topicIds: topics.map(({ topicId }) => topicId),
    minScore: 70,
    maxScore: 100,
    minTopicOverlap: 1,
    filters: {},
  }
  await sql(
    `insert into audience (organization_id, id, name, status, config, created_by, activated_at)
     values ($1, $2, $3, 'active', $5, $4, now())`,
    [organizationId, audienceId, name, createdBy, JSON.stringify(config)],
  )
  await sql(
    `insert into audience_run (organization_id, id, audience_id, status, run_type, config, config_hash,
       topics, data_date, has_signals, candidate_count, result_count, idempotency_key, completed_at,
       next_attempt_at)
     values ($1, $2, $3, $4::text, 'manual', '{}', '', $5, $6, true, $7, $7, $8, now(),
       case when $4::text = 'queued' then now() + interval '1 hour' end)`,
    [
      organizationId,
      runId,
      audienceId,
      status,
      JSON.stringify(topics),
      dataDate,
      rows.length,
      `manual:${runId}`,
    ],
  )
  const run = { organizationId, audienceId, runId }
  await putRows({ sql }, run, rows)
  return run
}

/** `count` people, each found for one topic. */
export const people = (count: number): ReadonlyArray<PutRow> =>
  Array.from({ length: count }, (_, at) => ({
    first_name: `First ${at + 1}`,
    last_name: "Last",
    business_email: `person${at + 1}@acme.example`,
  }))

/** Puts rows in this order. People without a hash get a new one. */
const putRows = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId, runId }: PutRun,
  rows: ReadonlyArray<PutRow>,
): Promise<void> => {
  await sql(
    `insert into run_result
     select made.*
     from jsonb_array_elements($3::jsonb) with ordinality as given (row, place)
     cross join lateral jsonb_populate_record(null::run_result, jsonb_build_object(
       'organization_id', $1::text, 'run_id', $2::text, 'position', place,
       'hashed_email', '\\x' || encode(sha256(convert_to(coalesce(row ->> 'business_email', place::text), 'UTF8')), 'hex'),
       'score', 90, 'topic_overlap', 1, 'matched_topics', array[1]
     ) || row) as made`,
    [organizationId, runId, JSON.stringify(rows)],
  )
}

export interface ExportAnswer {
  readonly export: Readonly<Record<string, unknown>> & {
    readonly id: string
    readonly status: string
    readonly byteSize: number | null
    readonly rowCount: number | null
    readonly contentSha256: string | null
    readonly fileName: string
  }
  readonly downloadUrl: string | null
  readonly downloadUrlExpiresAt: string | null
  readonly downloadUrlTtlSeconds: number | null
}

type Server = Pick<TestServer, "apiKey" | "url">

export const runPath = ({ audienceId, runId }: PutRun): string => `/${audienceId}/runs/${runId}`

export const requestExport = (
  server: Server,
  run: PutRun,
  asked: Asked = {},
): Promise<Answered<ExportAnswer>> => ask(server, "POST", `${runPath(run)}/exports`, asked)

export const readExport = (
  server: Server,
  run: PutRun,
  exportId: string,
): Promise<Answered<ExportAnswer>> => ask(server, "GET", `${runPath(run)}/exports/${exportId}`)

/** Requests the export until it is finished. Needs workers. */
export const endedExport = async (server: Server, run: PutRun): Promise<ExportAnswer> => {
  const { data } = await requestExport(server, run)
  for (let tries = 0; tries < 400; tries++) {
    const now = await readExport(server, run, data.export.id)
    if (now.data.export.status !== "processing") return now.data
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error("the export is not finished")
}

/** Returns the stream as text. */
export const exportCsv = async (
  { apiKey, url }: Server,
  run: PutRun,
  query = "",
  headers: Readonly<Record<string, string>> = { "accept-encoding": "identity" },
): Promise<{ readonly response: Response; readonly text: string }> => {
  const response = await fetch(`${url}/v1/intent/audiences${runPath(run)}/export.csv${query}`, {
    headers: { "x-api-key": apiKey, ...headers },
  })
  return { response, text: await response.text() }
}

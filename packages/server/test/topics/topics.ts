// Writes topics and their figures like an import does, for tests that read them.
import type { Topic } from "../../src/intent/topics/topic.ts"
import type { TestServer } from "../support/server.ts"

export const topic = (topicId: number, topicName: string, more: Partial<Topic> = {}): Topic => ({
  topicId,
  topicName,
  type: "b2b",
  industry: "logistics",
  category: "software",
  ...more,
})

/** Adds or changes topics like an import does, and raises the version of the data. */
export const putTopics = async (
  { sql }: Pick<TestServer, "sql">,
  topics: ReadonlyArray<Topic>,
): Promise<void> => {
  await sql(
    `with changed as (
       insert into topic (topic_id, topic_name, type, industry, category)
       select "topicId", "topicName", type, industry, category
       from json_to_recordset($1) as t(
         "topicId" integer, "topicName" text, type text, industry text, category text)
       on conflict (topic_id) do update set topic_name = excluded.topic_name,
         type = excluded.type, industry = excluded.industry, category = excluded.category
     )
     update data_version set version = version + 1 where kind = 'topics'`,
    [JSON.stringify(topics)],
  )
}

/** The figures of a topic on a date. */
export interface TopicDayRow {
  readonly topicId: number
  readonly date: string
  readonly audience: number
  readonly scoreSum?: number
  readonly high?: number
  readonly medium?: number
}

/** Adds days to the totals of the shared signals. */
export const putDays = async (
  { sql }: Pick<TestServer, "sql">,
  days: ReadonlyArray<TopicDayRow>,
): Promise<void> => {
  const rows = days.map(({ audience, high = 0, medium = 0, scoreSum = audience * 80, ...key }) => ({
    ...key,
    audience,
    scoreSum,
    high,
    medium,
    low: audience - high - medium,
  }))
  await sql(
    `with changed as (
       insert into topic_day (topic_id, date, unique_audience, total_signals, score_sum,
         high_audience, medium_audience, low_audience)
       select "topicId", date, audience, audience, "scoreSum", high, medium, low
       from json_to_recordset($1) as t("topicId" integer, date date, audience integer,
         "scoreSum" bigint, high integer, medium integer, low integer)
     )
     update data_version set version = version + 1 where kind = 'signals'`,
    [JSON.stringify(rows)],
  )
}

/** Returns a public endpoint's response to a request without credentials. */
export const askPublic =
  ({ url }: Pick<TestServer, "url">) =>
  async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, init)
    // Each test checks the type of its response.
    const body = (await response.json()) as { readonly data: never; readonly meta: never }
    return { status: response.status, headers: response.headers, body }
  }

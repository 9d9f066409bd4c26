// Rules on each field of counted events, intent, scores, lists and names, over 2,000,000 visitors: which of them are on the
// next page, by the server's statement and by one written by hand, both in psql. And how long a request takes with 25
// predicates on these fields.
import { makeFieldsFixture, companyList, peopleList, topic } from "./fields-fixture.ts"
import type { BenchPostgres } from "./database.ts"
import { type HandScope, page, sessions } from "./query-by-hand.ts"
import { measure, type Query, servedLarge } from "./query.ts"
import type { Row } from "./report.ts"

/** A field, and what an expert would write for it. */
interface Field {
  readonly predicate: object
  readonly byHand: (scope: HandScope) => string
}

const topics = ({ organizationId }: HandScope): string =>
  `visitor_topic t where t.organization_id = '${organizationId}' and t.visitor_id = v.id
    and t.source_id = any ((select b.sources from visitor_topic_basis b
      where b.organization_id = '${organizationId}')::int[])`

const fields: Readonly<Record<string, Field>> = {
  "contact.name": {
    predicate: { field: "contact.name", op: "contains", value: "mercer 1234" },
    byHand: () => "lower(v.first_name || ' ' || v.last_name) like '%mercer 1234%'",
  },
  "behavior.event_count": {
    predicate: { field: "behavior.event_count", of: "signed up", op: "gte", value: 3 },
    byHand: (scope) =>
      `(select sum((s.tracked -> 'signed up' ->> 0)::int) from ${sessions(scope)}) >= 3`,
  },
  "behavior.event_property": {
    predicate: { field: "behavior.event_property", of: "signed up.plan", op: "eq", value: "pro" },
    byHand: (scope) =>
      `exists (select from ${sessions(scope)} and s.tracked -> 'signed up' -> 1 -> 'plan' @> '"pro"')`,
  },
  "behavior.path_views": {
    predicate: { field: "behavior.path_views", of: "/pricing", op: "gte", value: 2 },
    byHand: (scope) =>
      `(select sum((select sum(p.views) from unnest(s.page_urls, s.page_views) as p (url, views)
          where substring(p.url from '^https?://[^/]*([^?#]*)') ~ '^/pricing(/|$)'))
        from ${sessions(scope)} and s.paths like E'%\\n/pricing%') >= 2`,
  },
  "intent.topics": {
    predicate: { field: "intent.topics", op: "any_in", value: [topic] },
    byHand: (scope) => `exists (select from ${topics(scope)} and t.topic_id = ${topic})`,
  },
  "intent.score": {
    predicate: { field: "intent.score", op: "gte", value: 98 },
    byHand: (scope) => `(select max(t.score) from ${topics(scope)}) >= 98`,
  },
  "intent.score of a topic": {
    predicate: { field: "intent.score", of: topic, op: "gte", value: 60 },
    byHand: (scope) =>
      `(select max(t.score) from ${topics(scope)} and t.topic_id = ${topic}) >= 60`,
  },
  "score.total": {
    predicate: { field: "score.total", op: "gte", value: 95 },
    byHand: ({ organizationId }) =>
      `(select s.rank from visitor_score s
        where s.organization_id = '${organizationId}' and s.visitor_id = v.id) >= 95`,
  },
  "company.list": {
    predicate: { field: "company.list", op: "in_list", value: companyList },
    byHand: () =>
      `exists (select from list_member m where m.list_id = '${companyList}' and m.key = v.company_key)`,
  },
  "contact.list": {
    predicate: { field: "contact.list", op: "in_list", value: peopleList },
    byHand: ({ organizationId }) =>
      `exists (select from visitor_address a
        join list_member m on m.list_id = '${peopleList}' and m.key = a.email_hash
        where a.organization_id = '${organizationId}' and a.visitor_id = v.id)`,
  },
}

const alone = Object.entries(fields).map(([name, { byHand, predicate }]): Query => ({
  name: `${name}, next page`,
  timeframe: "30d",
  rule: {
    ruleAst: { version: 1, rule: { all: [predicate] } },
    byHand: (scope) => page(scope, byHand(scope)),
  },
}))

/** No one passes, so everyone in the window is read to the end. */
const together = {
  version: 1,
  rule: {
    any: Array.from({ length: 5 }, (_, n) => ({
      all: [
        { field: "intent.score", op: "gte", value: 90 + n },
        { field: "behavior.path_views", of: `/pricing/*/${n}`, op: "gte", value: 1 },
        { field: "behavior.event_count", of: `downloaded ${n}`, op: "gte", value: 1 },
        { field: "company.list", op: "in_list", value: companyList },
        { field: "score.total", op: "gte", value: 100 },
      ],
    })),
  },
}

export const newFields = (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> =>
  servedLarge(postgres, "bench_fields", makeFieldsFixture, async (place) => {
    const rows: Array<Row> = []
    for (const question of alone) {
      const [, byHand] = await measure(question, place)
      rows.push(byHand!)
    }
    for (const window of ["24h", "30d", "90d"]) {
      const begin = performance.now()
      const answer = await fetch(`http://127.0.0.1:${place.port}/v1/data/query`, {
        method: "POST",
        headers: { "x-api-key": place.apiKey, "content-type": "application/json" },
        body: JSON.stringify({ ruleAst: together, window, limit: 50 }),
      })
      await answer.arrayBuffer()
      const ms = performance.now() - begin
      rows.push({
        name: `(q) 25 predicates of these fields in ${window}, page 1 and its total: ${answer.status}, ms`,
        floor: "–",
        ours: `${ms.toFixed(0)} ms`,
        ratio: ms,
        bar: { atMost: 10_500 },
      })
    }
    return rows
  })

// The calls of topics, topic lists, analyses and audiences: one row per endpoint of spec 5.7 and 5.8.

import type { Row } from "./call-row.ts"

const id = "cdd19037-47fb-4e21-a054-2da787925aea"
const runId = "efb5aab5-6869-4672-9dc1-601e8732e865"
const runs = `/v1/intent/audiences/${id}/runs`
const config = { topicIds: [3377, 1204], minScore: 70, filters: { seniority: ["vp"] } } as const

/** PUB: sends the key, or the token if there is no key, or nothing. */
export const byAnyone: ReadonlyArray<Row> = [
  ["topics.list", (f) => f.topics.list(), { line: "GET /v1/intent/topics" }],
  [
    "topics.list with everything",
    (f) =>
      f.topics.list({
        type: "b2b",
        industry: "i",
        category: "c",
        q: "crm",
        pageSize: 500,
        page: 2,
      }),
    {
      line: "GET /v1/intent/topics",
      query: { type: "b2b", industry: "i", category: "c", q: "crm", pageSize: "500", page: "2" },
    },
  ],
  [
    "topics.search",
    (f) => f.topics.search({ q: "crm sofware", type: "both", industry: "i", limit: 50 }),
    {
      line: "GET /v1/intent/topics/search",
      query: { q: "crm sofware", type: "both", industry: "i", limit: "50" },
    },
  ],
  ["topics.facets", (f) => f.topics.facets(), { line: "GET /v1/intent/topics/facets" }],
  ["topics.trend", (f) => f.topics.trend(1204), { line: "GET /v1/intent/topics/1204/trend" }],
  [
    "topics.trend of some days",
    (f) => f.topics.trend(1204, { from: "2026-03-01", to: "2026-03-10" }),
    {
      line: "GET /v1/intent/topics/1204/trend",
      query: { from: "2026-03-01", to: "2026-03-10" },
    },
  ],
  [
    "topics.compare",
    (f) => f.topics.compare([3377, 1204]),
    { line: "POST /v1/intent/topics/compare", body: { topicIds: [3377, 1204] } },
  ],
  [
    "topics.movers",
    (f) => f.topics.movers({ direction: "down", limit: 5, type: "b2c", industry: "i" }),
    {
      line: "GET /v1/intent/topics/movers",
      query: { direction: "down", limit: "5", type: "b2c", industry: "i" },
    },
  ],
  [
    "topics.analyze",
    (f) => f.topics.analyze({ url: "https://tidewater.example" }),
    { line: "POST /v1/intent/topics/analyze", body: { url: "https://tidewater.example" } },
  ],
]

/** BK: sends the key, or the token if there is no key. */
export const intentByEither: ReadonlyArray<Row> = [
  [
    "siteTopics.list",
    (f) => f.siteTopics.list({ limit: 10, offset: 20 }),
    { line: "GET /v1/intent/site-topics", query: { limit: "10", offset: "20" } },
  ],
  [
    "topicLists.list",
    (f) => f.topicLists.list({ cursor: "c" }),
    { line: "GET /v1/intent/topic-lists", query: { cursor: "c" } },
  ],
  [
    "topicLists.create",
    (f) => f.topicLists.create({ name: "Warehouse", topicIds: [1204] }),
    { line: "POST /v1/intent/topic-lists", body: { name: "Warehouse", topicIds: [1204] } },
  ],
  ["topicLists.get", (f) => f.topicLists.get(id), { line: `GET /v1/intent/topic-lists/${id}` }],
  [
    "topicLists.update",
    (f) => f.topicLists.update(id, { topicIds: [3377] }),
    { line: `PATCH /v1/intent/topic-lists/${id}`, body: { topicIds: [3377] } },
  ],
  [
    "topicLists.delete",
    (f) => f.topicLists.delete(id),
    { line: `DELETE /v1/intent/topic-lists/${id}` },
  ],
  ["audiences.filters", (f) => f.audiences.filters(), { line: "GET /v1/intent/audiences/filters" }],
  [
    "audiences.filters with counts",
    (f) => f.audiences.filters({ includeCounts: true }),
    { line: "GET /v1/intent/audiences/filters", query: { include: "counts" } },
  ],
  [
    "audiences.validate",
    (f) => f.audiences.validate({ ...config, sourceUrl: "https://tidewater.example" }),
    {
      line: "POST /v1/intent/audiences/validate",
      body: { ...config, sourceUrl: "https://tidewater.example" },
    },
  ],
  [
    "audiences.list",
    (f) => f.audiences.list({ status: "paused", limit: 10, offset: 20 }),
    { line: "GET /v1/intent/audiences", query: { status: "paused", limit: "10", offset: "20" } },
  ],
  [
    "audiences.create",
    (f) => f.audiences.create({ name: "Warehouse buyers", status: "active", config }),
    {
      line: "POST /v1/intent/audiences",
      body: { name: "Warehouse buyers", status: "active", config },
    },
  ],
  ["audiences.get", (f) => f.audiences.get(id), { line: `GET /v1/intent/audiences/${id}` }],
  [
    "audiences.update",
    (f) => f.audiences.update(id, { name: "Buyers", config }),
    { line: `PATCH /v1/intent/audiences/${id}`, body: { name: "Buyers", config } },
  ],
  [
    "audiences.activate",
    (f) => f.audiences.activate(id),
    { line: `PATCH /v1/intent/audiences/${id}`, body: { status: "active" } },
  ],
  [
    "audiences.pause",
    (f) => f.audiences.pause(id),
    { line: `PATCH /v1/intent/audiences/${id}`, body: { status: "paused" } },
  ],
  [
    "audiences.delete",
    (f) => f.audiences.delete(id),
    { line: `DELETE /v1/intent/audiences/${id}` },
  ],
  ["runs.start", (f) => f.runs.start(id), { line: `POST ${runs}` }],
  [
    "runs.list",
    (f) => f.runs.list(id, { status: "failed", limit: 10, offset: 20 }),
    { line: `GET ${runs}`, query: { status: "failed", limit: "10", offset: "20" } },
  ],
  ["runs.get", (f) => f.runs.get(id, runId), { line: `GET ${runs}/${runId}` }],
  ["runs.cancel", (f) => f.runs.cancel(id, runId), { line: `DELETE ${runs}/${runId}` }],
  ["runs.stats", (f) => f.runs.stats(id, runId), { line: `GET ${runs}/${runId}/stats` }],
]

/** K: sends the key, even if there is a token. */
export const intentByKey: ReadonlyArray<Row> = [
  [
    "audiences.preview",
    (f) => f.audiences.preview(config),
    { line: "POST /v1/intent/audiences/preview", body: config },
  ],
]

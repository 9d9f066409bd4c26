// The example in spec 12.9 on a server: an audience is created and activated, and both responses match the document,
// except for this server's ids and times.
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { putTopics, topic } from "../../topics/topics.ts"
import { path, type Saved } from "./support.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [
    topic(1204, "Warehouse Management Software"),
    topic(3377, "Freight Visibility", { category: "operations" }),
  ])
})
afterAll(() => server.close())

const audienceJson = `{"name": "Warehouse buyers", "config": {"topicIds": [1204, 3377], "minScore": 70, "filters": {"seniority": ["vp", "c_suite"], "companySize": ["201-500"], "isB2b": "y"}}}`

/** The first response in the document. */
const created = {
  data: {
    id: "70865832-8a6e-409c-95c5-d15bafae1a05",
    organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
    name: "Warehouse buyers",
    status: "draft",
    config: {
      segmentId: null,
      topicIds: [1204, 3377],
      minScore: 70,
      maxScore: 100,
      minTopicOverlap: 1,
      filters: { companySize: ["201-500"], isB2b: "y", seniority: ["c_suite", "vp"] },
      sourceUrl: null,
      topics: [
        {
          topicId: 1204,
          topicName: "Warehouse Management Software",
          type: "b2b",
          industry: "logistics",
          category: "software",
        },
        {
          topicId: 3377,
          topicName: "Freight Visibility",
          type: "b2b",
          industry: "logistics",
          category: "operations",
        },
      ],
    },
    accessType: "paid",
    dailyRefreshEnabled: false,
    audienceSize: 0,
    createdBy: null,
    lastRefreshedAt: null,
    createdAt: "2026-03-11T09:02:30.000Z",
    updatedAt: "2026-03-11T09:02:30.000Z",
    pausedAt: null,
  },
  meta: { timestamp: "2026-03-11T09:02:30.000Z", request_id: "req_l5pc247bv7t3iqou2krc6ql7f7" },
}

interface Envelope {
  readonly data: Saved
  readonly meta: { readonly timestamp: string; readonly request_id: string }
}

const send = async (method: string, at: string, body: string) => {
  const response = await fetch(`${server.url}${at}`, {
    method,
    headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
    body,
  })
  // This test checks its shape.
  return { status: response.status, body: (await response.json()) as Envelope }
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

it("12.9: create and activate an audience", async () => {
  const first = await send("POST", path, audienceJson)
  const { createdAt, id } = first.body.data
  const own = { id, organizationId: server.organizationId, createdAt }

  expect(first.status).toBe(201)
  expect(first.body).toEqual({
    data: { ...created.data, ...own, updatedAt: createdAt },
    meta: {
      timestamp: expect.stringMatching(timestamp),
      request_id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
    },
  })

  const second = await send("PATCH", `${path}/${id}`, '{"status": "active"}')
  const { updatedAt } = second.body.data

  expect(second.status).toBe(200)
  expect(second.body).toEqual({
    data: { ...created.data, ...own, status: "active", dailyRefreshEnabled: true, updatedAt },
    meta: { timestamp: expect.stringMatching(timestamp), request_id: expect.any(String) },
  })
  expect(createdAt).toMatch(timestamp)
  expect(updatedAt >= createdAt).toBe(true)
})

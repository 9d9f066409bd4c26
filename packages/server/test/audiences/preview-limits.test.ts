// The response when counting exceeds its time limit (docs/reference/audiences.md; spec 9).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { post, putSignals, putTopics, shared } from "./support.ts"

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [5])
  await putSignals(server, shared, [{ email: "jane@acme.example", topicId: 5, score: 80 }])
})

afterAll(() => server.close())

describe("a preview that takes longer than a request may", () => {
  it("is QUERY_TOO_SLOW, says what to change, and is counted again the next time", async () => {
    await server.sql("alter table signal rename to signal_of_before")
    await server.sql(
      "create view signal as select said.* from signal_of_before as said, pg_sleep(60) as slept",
    )
    const refused = await post(server, "preview", { topicIds: [5] })
    await server.sql("drop view signal")
    await server.sql("alter table signal_of_before rename to signal")

    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      error: {
        code: "QUERY_TOO_SLOW",
        message:
          "Counting took longer than 10 seconds. Use fewer topics, a higher minimum score or a simpler segment, then try again.",
        details: { seconds: 10 },
      },
    })
    expect((await post(server, "preview", { topicIds: [5] })).body).toMatchObject({
      data: { totalCount: 1 },
    })
  })

  it("still has its count if only its explanation takes that long, and says so", async () => {
    await putSignals(server, shared, [
      { email: "jane@acme.example", topicId: 5, score: 80 },
      { email: "omar@acme.example", topicId: 5, score: 20 },
    ])
    await server.sql("alter table signal rename to signal_of_before")
    // The explanation reads every score.
    await server.sql(
      `create view signal as select * from signal_of_before
       where case when score < 70 then pg_sleep(11) is not null else true end`,
    )
    const config = { topicIds: [5], minScore: 70, explain: true }
    const slow = await post(server, "preview", config)
    await server.sql("drop view signal")
    await server.sql("alter table signal_of_before rename to signal")

    const counted = { totalCount: 1, explanation: null, explanationTooSlow: true }
    expect(slow.body).toMatchObject({ data: counted })
    expect((await post(server, "preview", config)).body).toMatchObject({
      data: {
        totalCount: 1,
        explanation: { parts: [{ part: "topics", count: 1 }] },
        explanationTooSlow: false,
      },
    })
  })
})

// Suppression rules through the SDK: the requests, and how an upload handles chunks, limits and failures.

import { describe, expect, it } from "vitest"
import {
  AbortedError,
  BadRequestError,
  Footfall,
  type SuppressionRuleInput,
  type SuppressionUpload,
} from "../src/index.ts"
import { collect } from "./support/collect.ts"
import { apiKey } from "./support/credentials.ts"
import { scriptedServer, type Step } from "./support/scripted-server.ts"
import { refuse, reset, succeed } from "./support/steps.ts"

const client = (server: { readonly baseUrl: string }) =>
  new Footfall({ apiKey, baseUrl: server.baseUrl })

const email = (name: string): SuppressionRuleInput => ({
  type: "email",
  value: `${name}@tidewater.example`,
})

const written = (changes: object = {}) =>
  succeed({
    added: 0,
    removed: 0,
    duplicates: 0,
    rejectedCount: 0,
    rejected: [],
    total: 0,
    ...changes,
  })

/** The step, with headers that say how many requests are left and for how many seconds. */
const limited =
  (step: Step, remaining: number, resetSeconds: number): Step =>
  (response, request) => {
    response.setHeader("ratelimit-limit", 30)
    response.setHeader("ratelimit-remaining", remaining)
    response.setHeader("ratelimit-reset", resetSeconds)
    step(response, request)
  }

const bodiesOf = (server: { readonly received: ReadonlyArray<{ readonly body: string }> }) =>
  server.received.map(({ body }) => JSON.parse(body))

describe("the list", () => {
  it("follows cursors, and each page has the counts of the whole list", async () => {
    const about = { counts: { email: 2 }, total: 2, filteredTotal: 2, limit: 1, offset: 0 }
    const page = (name: string, nextCursor: string | null) =>
      succeed(
        { rules: [email(name)], ...about, hasMore: nextCursor !== null },
        { nextCursor, hasMore: nextCursor !== null },
      )
    await using server = await scriptedServer([page("a", "c1"), page("b", null)])

    const rules = await collect(client(server).suppression.list({ type: "email", limit: 1 }))

    expect(rules).toEqual([email("a"), email("b")])
    expect(server.received.map(({ query }) => query.toString())).toEqual([
      "type=email&limit=1",
      "type=email&limit=1&cursor=c1",
    ])
  })
})

describe("a replacement", () => {
  it("of everything with nothing is rejected unless confirmed", async () => {
    await using server = await scriptedServer([written(), written(), written()])
    const { suppression } = client(server)

    await expect(suppression.replace({ rules: [] })).rejects.toThrow(/confirmClearAll/)
    expect(server.received).toHaveLength(0)
    await suppression.replace({ rules: [], confirmClearAll: true })
    await suppression.replace({ rules: [], types: ["industry"] })
    await suppression.replace({ rules: [email("a")] })

    expect(bodiesOf(server)).toEqual([
      { rules: [] },
      { rules: [], types: ["industry"] },
      { rules: [email("a")] },
    ])
  })
})

it("add, remove and preview are retried after a failure: they are idempotent", async () => {
  await using server = await scriptedServer([reset, written(), reset, written(), reset, written()])
  const { suppression } = client(server)

  await suppression.add([email("a")])
  await suppression.preview([email("a")])
  await suppression.remove({ rules: [email("a")], ids: ["x"] })

  expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual(
    [
      "POST /v1/data/suppression-rules",
      "POST /v1/data/suppression-rules/preview",
      "DELETE /v1/data/suppression-rules",
    ].flatMap((call) => [call, call]),
  )
})

it("one rule, the industries and a visitor's rules have their own paths", async () => {
  await using server = await scriptedServer([succeed({}), succeed([]), succeed({})])
  const { suppression } = client(server)

  await suppression.removeOne("b8460a14-0bbe-4a55-b1c1-00a6a3064e5b")
  await suppression.industries({ limit: 5 })
  await suppression.ofVisitor("ab".repeat(32))

  expect(server.received.map(({ method, path, query }) => `${method} ${path} ${query}`)).toEqual([
    "DELETE /v1/data/suppression-rules/b8460a14-0bbe-4a55-b1c1-00a6a3064e5b ",
    "GET /v1/data/suppression-rules/industries limit=5",
    `GET /v1/data/visitors/${"ab".repeat(32)}/suppression `,
  ])
})

describe("an upload", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => email(`p${n}`))

  it("sends the rows of any source in order, in requests of the given size, and adds up the results", async () => {
    await using server = await scriptedServer([
      written({ added: 2, total: 2 }),
      written({ added: 1, duplicates: 1, total: 3 }),
      written({ added: 1, total: 4 }),
    ])
    async function* source() {
      yield* rows(5)
    }

    const upload = await client(server).suppression.upload(source(), { rowsPerRequest: 2 })

    expect(upload).toEqual({
      rowsDone: 5,
      added: 4,
      duplicates: 1,
      rejectedCount: 0,
      rejected: [],
      total: 4,
    })
    expect(bodiesOf(server).map(({ rules }) => rules)).toEqual([
      rows(5).slice(0, 2),
      rows(5).slice(2, 4),
      rows(5).slice(4),
    ])
  })

  it("without rows sends nothing", async () => {
    await using server = await scriptedServer([])

    expect(await client(server).suppression.upload([])).toMatchObject({ rowsDone: 0, total: null })
  })

  it("reports rejected rows by their position in the source, the first 100 in the result", async () => {
    const rejection = { index: 1, type: "email", value: "x", reason: "invalid_email" }
    const many = Array.from({ length: 100 }, (_, index) => ({ ...rejection, index }))
    await using server = await scriptedServer([
      written({ rejectedCount: 1, rejected: [rejection] }),
      written({ rejectedCount: 150, rejected: many }),
    ])
    const heard: Array<number> = []

    const upload = await client(server).suppression.upload(rows(4), {
      rowsPerRequest: 2,
      onRejected: (rejected) => heard.push(...rejected.map(({ index }) => index)),
    })

    expect(upload.rejectedCount).toBe(151)
    expect(upload.rejected).toHaveLength(100)
    expect(upload.rejected.slice(0, 2).map(({ index }) => index)).toEqual([1, 2])
    expect(heard).toHaveLength(101)
  })

  it("resumes after the rows of an earlier upload", async () => {
    await using server = await scriptedServer([
      written(),
      refuse(400, "VALIDATION_ERROR"),
      written(),
    ])
    const { suppression } = client(server)
    const heard: Array<SuppressionUpload> = []
    const first = suppression.upload(rows(5), {
      rowsPerRequest: 2,
      onProgress: (upload) => void heard.push(upload),
    })
    await expect(first).rejects.toBeInstanceOf(BadRequestError)

    const skipRows = heard.at(-1)?.rowsDone
    const upload = await suppression.upload(rows(5), { rowsPerRequest: 3, skipRows })

    expect(skipRows).toBe(2)
    expect(bodiesOf(server)[2].rules).toEqual(rows(5).slice(2))
    expect(upload.rowsDone).toBe(5)
  })

  it("calls the call's hooks for each request", async () => {
    await using server = await scriptedServer([written(), written()])
    const heard: Array<string> = []

    await client(server).suppression.upload(rows(2), {
      rowsPerRequest: 1,
      hooks: { onResponse: ({ method, status }) => void heard.push(`${method} ${status}`) },
    })

    expect(heard).toEqual(["POST 200", "POST 200"])
  })

  it("sends a second request before the first response, and reports both in source order", async () => {
    let answerFirst = (): void => {}
    const later =
      (step: Step): Step =>
      (response, request) => {
        answerFirst = () => step(response, request)
      }
    const thenFirst =
      (step: Step): Step =>
      (response, request) => {
        response.once("finish", answerFirst)
        step(response, request)
      }
    await using server = await scriptedServer([
      later(written({ added: 2, total: 2 })),
      thenFirst(written({ duplicates: 1, total: 3 })),
      written({ added: 1, total: 4 }),
    ])
    const heard: Array<SuppressionUpload> = []

    const upload = await client(server).suppression.upload(rows(5), {
      rowsPerRequest: 2,
      requestsAtOnce: 2,
      onProgress: (progress) => void heard.push(progress),
    })

    expect(heard.map(({ rowsDone, added }) => [rowsDone, added])).toEqual([
      [2, 2],
      [4, 2],
      [5, 3],
    ])
    expect(upload).toMatchObject({ rowsDone: 5, added: 3, duplicates: 1, total: 4 })
  })

  it("reports the total of the write that came last, even if it belongs to an earlier request", async () => {
    await using server = await scriptedServer([
      written({ added: 1, total: 2 }),
      written({ added: 1, total: 1 }),
      written({ added: 1, total: 3 }),
    ])
    const totals: Array<number | null> = []

    await client(server).suppression.upload(rows(3), {
      rowsPerRequest: 1,
      requestsAtOnce: 2,
      onProgress: ({ total }) => void totals.push(total),
    })

    expect(totals).toEqual([2, 2, 3])
  })

  it("reports the total of the last request if each waits for the one before, even if it is smaller", async () => {
    await using server = await scriptedServer([
      written({ added: 1, total: 9 }),
      written({ added: 1, total: 5 }),
    ])

    const upload = await client(server).suppression.upload(rows(2), { rowsPerRequest: 1 })

    expect(upload.total).toBe(5)
  })

  it("waits for the request in flight if the limit may not allow another", async () => {
    let isInFlight = false
    const alone: Step = (response, request) => {
      if (isInFlight) return refuse(400, "VALIDATION_ERROR")(response, request)
      isInFlight = true
      setTimeout(() => {
        isInFlight = false
        limited(written(), 1, 60)(response, request)
      }, 50)
    }
    await using server = await scriptedServer([limited(written(), 1, 60), alone, alone])

    const upload = await client(server).suppression.upload(rows(4), {
      rowsPerRequest: 1,
      requestsAtOnce: 2,
      skipRows: 1,
    })

    expect(upload.rowsDone).toBe(4)
  })

  it("that fails ends after the other request in flight, and reports nothing after the failure", async () => {
    let isSecondAnswered = false
    const slow: Step = (response, request) => {
      setTimeout(() => {
        isSecondAnswered = true
        written({ added: 1 })(response, request)
      }, 200)
    }
    await using server = await scriptedServer([refuse(400, "VALIDATION_ERROR"), slow])
    const heard: Array<SuppressionUpload> = []

    const upload = client(server).suppression.upload(rows(3), {
      rowsPerRequest: 1,
      requestsAtOnce: 2,
      onProgress: (progress) => void heard.push(progress),
    })

    await expect(upload).rejects.toBeInstanceOf(BadRequestError)
    expect(isSecondAnswered).toBe(true)
    expect(heard).toEqual([])
    expect(server.received).toHaveLength(2)
  })

  it("waits for an exhausted limit before the next request, and reports the wait", async () => {
    await using server = await scriptedServer([limited(written(), 0, 1), written()])
    const waits: Array<number> = []

    await client(server).suppression.upload(rows(2), {
      rowsPerRequest: 1,
      onWait: (seconds) => waits.push(seconds),
    })

    expect(waits).toEqual([1])
  })

  it("waits as long as each 429 asks, however often others use up the limit", async () => {
    const refused = refuse(429, "RATE_LIMITED", { headers: { "retry-after": "1" } })
    await using server = await scriptedServer([refused, refused, written({ added: 1 })])
    const waits: Array<number> = []

    const upload = await client(server).suppression.upload(rows(1), {
      maxRetries: 0,
      onWait: (seconds) => waits.push(seconds),
    })

    expect(waits).toEqual([1, 1])
    expect(upload.added).toBe(1)
  })

  it("aborts during a wait when its signal aborts; what it reported is stored", async () => {
    await using server = await scriptedServer([limited(written({ added: 1 }), 0, 60)])
    const controller = new AbortController()
    const heard: Array<SuppressionUpload> = []

    const upload = client(server).suppression.upload(rows(2), {
      rowsPerRequest: 1,
      signal: controller.signal,
      onProgress: (progress) => void heard.push(progress),
      onWait: () => controller.abort(new Error("enough")),
    })

    await expect(upload).rejects.toBeInstanceOf(AbortedError)
    expect(heard.map(({ rowsDone }) => rowsDone)).toEqual([1])
    expect(server.received).toHaveLength(1)
  })

  it.each([0, 25_001, 1.5])(
    "rejects %s rows per request before sending anything",
    async (rowsPerRequest) => {
      await using server = await scriptedServer([])

      await expect(client(server).suppression.upload(rows(1), { rowsPerRequest })).rejects.toThrow(
        /rowsPerRequest must be a whole number from 1 to 25000/,
      )
    },
  )

  it.each([0, 5, 1.5])(
    "rejects %s requests at once before sending anything",
    async (requestsAtOnce) => {
      await using server = await scriptedServer([])

      await expect(client(server).suppression.upload(rows(1), { requestsAtOnce })).rejects.toThrow(
        /requestsAtOnce must be a whole number from 1 to 4/,
      )
    },
  )

  it("passes through an error of its source, after sending the rows before it", async () => {
    await using server = await scriptedServer([written()])
    function* source() {
      yield* rows(2)
      throw new Error("the file was removed")
    }

    await expect(
      client(server).suppression.upload(source(), { rowsPerRequest: 2 }),
    ).rejects.toThrow("the file was removed")
    expect(server.received).toHaveLength(1)
  })
})

// Runs: the request that starts one, waiting for one, and its results as a list. Source: spec 1.7, 5.9.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { ConflictError, Footfall, type Run, TimeoutError } from "../src/index.ts"
import { Runs } from "../src/extensions/runs.ts"
import { apiKey } from "./support/credentials.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { testTransport } from "./support/transport.ts"

const audienceId = "70865832-8a6e-409c-95c5-d15bafae1a05"
const run = { id: "efb5aab5-6869-4672-9dc1-601e8732e865", audienceId, status: "queued" } as Run
const meta = { timestamp: "2026-03-11T09:00:00.000Z", request_id: "req_1" }

interface Heard {
  readonly line: string
  readonly key: string | undefined
  readonly body: string
}

interface Answered {
  readonly status: number
  readonly body: unknown
}

const close: Array<() => void> = []
afterEach(() => close.splice(0).forEach((each) => each()))

/** A server that sends these responses in turn and repeats the last one. */
const serverOf = async (...answers: ReadonlyArray<Answered>) => {
  const heard: Array<Heard> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const answer = answers[Math.min(heard.length, answers.length - 1)]!
      const key = request.headers["idempotency-key"]
      heard.push({ line: `${request.method} ${request.url}`, key: key?.toString(), body })
      response.writeHead(answer.status, { "content-type": "application/json" })
      response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  close.push(() => server.close().closeAllConnections())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseUrl, heard }
}

const ok = (data: unknown, more: object = {}): Answered => ({
  status: 200,
  body: { data, meta: { ...meta, ...more } },
})
const at = (status: Run["status"]) => ok({ ...run, status })

it("a start sends its key, no body, and one request however often it is awaited", async () => {
  const { baseUrl, heard } = await serverOf(at("queued"))

  const started = new Footfall({ baseUrl, apiKey }).runs.start(audienceId, {
    idempotencyKey: "first-run",
  })
  expect(heard).toEqual([])
  expect([await started, await started]).toEqual([run, run])

  const line = `POST /v1/intent/audiences/${audienceId}/runs`
  expect(heard).toEqual([{ line, key: "first-run", body: "" }])
})

it("a rejected start names the run in progress", async () => {
  const error = {
    code: "RUN_IN_PROGRESS",
    message: "…",
    details: { status: "running", runId: "r" },
  }
  const { baseUrl } = await serverOf({ status: 409, body: { error, meta } })

  const refused = await new Footfall({ baseUrl, apiKey }).runs.start(audienceId).then(
    () => undefined,
    (reason: unknown) => reason,
  )

  expect(refused).toBeInstanceOf(ConflictError)
  expect((refused as ConflictError).runId).toBe("r")
})

it("waiting polls at growing intervals, reports each poll, and ends with the run", async () => {
  const looks = Array.from({ length: 10 }, () => at("running"))
  const { baseUrl } = await serverOf(at("queued"), at("queued"), ...looks, at("failed"))
  const clock = new ManualClock()
  const told: Array<string> = []

  const ended = await new Runs(testTransport({ baseUrl }, clock))
    .start(audienceId)
    .wait({ onLook: ({ status }) => told.push(status) })

  expect(ended.status).toBe("failed")
  expect(told).toEqual(["queued", ...looks.map(() => "running"), "failed"])
  expect(clock.waitsMs.slice(0, 4)).toEqual([250, 375, 563, 844])
  expect(clock.waitsMs.slice(-2)).toEqual([5_000, 5_000])
})

it("waiting never sleeps past its time limit", async () => {
  const { baseUrl } = await serverOf(at("running"))
  const clock = new ManualClock()
  const beganMs = clock.nowMs()
  Object.assign(clock, {
    nowMs: () => beganMs + clock.waitsMs.reduce((sum, waitMs) => sum + waitMs, 0),
  })
  const runs = new Runs(testTransport({ baseUrl }, clock))

  await expect(runs.wait(run, { waitMaxMs: 1_000 })).rejects.toBeInstanceOf(TimeoutError)
  expect(clock.waitsMs).toEqual([250, 375, 375])
})

it("waiting ends with its signal or after its time limit", async () => {
  const { baseUrl } = await serverOf(at("running"))
  const { runs } = new Footfall({ baseUrl, apiKey })
  const over = new AbortController()

  const waiting = runs.wait(run, { signal: over.signal, onLook: () => over.abort() })

  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" })
  await expect(runs.wait(run, { waitMaxMs: 20 })).rejects.toBeInstanceOf(TimeoutError)
  await expect(runs.wait(run, { waitMaxMs: 0 })).rejects.toMatchObject({
    code: "CONFIGURATION_INVALID",
  })
})

it("results are a paged list, and include the run", async () => {
  const page = (hashedEmail: string, offset: number, nextCursor: string | null) =>
    ok(
      { run, results: [{ hashedEmail }], total: 2, limit: 1, offset },
      { hasMore: nextCursor !== null, nextCursor },
    )
  const { baseUrl, heard } = await serverOf(
    page("a", 0, "c1"),
    page("b", 1, null),
    page("a", 0, "c1"),
  )
  const results = new Footfall({ baseUrl, apiKey }).runs.results(audienceId, run.id, { limit: 1 })

  const read: Array<string> = []
  for await (const { hashedEmail } of results) read.push(hashedEmail)
  const first = await results

  expect(read).toEqual(["a", "b"])
  expect(heard[1]!.line).toMatch(/results\?limit=1&cursor=c1$/)
  expect(first.meta).toMatchObject({ run, total: 2, limit: 1, offset: 0, nextCursor: "c1" })
})

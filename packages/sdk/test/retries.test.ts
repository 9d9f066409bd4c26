// The retry loop against a real server that follows a script. No test waits: the clock records each wait and ends it.

import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import {
  AbortedError,
  ApiError,
  ConnectionError,
  InternalServerError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
} from "../src/index.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { hang, hangInsideBody, refuse, reset, resetInsideBody, succeed } from "./support/steps.ts"
import { call, testTransport } from "./support/transport.ts"

const unavailable = refuse(503, "SERVICE_UNAVAILABLE")
const limited = (retryAfter: string) =>
  refuse(429, "RATE_LIMITED", { headers: { "retry-after": retryAfter } })

/** A sending function that ignores everything, even its signal. */
const neverResponds = () => {
  const sent: Array<Request> = []
  const send = (request: Request): Promise<Response> => {
    sent.push(request)
    return new Promise(() => {})
  }
  return { send, sent }
}

describe("an idempotent call", () => {
  it.each([
    ["503", unavailable],
    ["a reset before the response", reset],
    ["a reset inside the body", resetInsideBody],
  ])("is retried after %s and returns the response", async (_name, failure) => {
    await using server = await scriptedServer([failure, succeed(["ok"])])
    const clock = new ManualClock()

    const answer = await testTransport({ baseUrl: server.baseUrl }, clock).request(call())

    expect(answer.data).toEqual(["ok"])
    expect(server.received).toHaveLength(2)
    expect(clock.waitsMs).toEqual([250])
  })

  it.each([
    ["before the headers", hang],
    ["inside the body", hangInsideBody],
  ])("that stalls %s is a TimeoutError", async (_name, stall) => {
    await using server = await scriptedServer([stall])
    const transport = testTransport({ baseUrl: server.baseUrl, maxRetries: 0 }, new ManualClock())

    const failed = transport.request(call({ options: { timeoutMs: 200 } }))

    await expect(failed).rejects.toThrow(TimeoutError)
    await expect(failed).rejects.toMatchObject({ timeoutMs: 200, code: "TIMEOUT" })
  })

  it("is retried after each timeout, and every attempt has the whole time limit", async () => {
    const { send, sent } = neverResponds()
    const transport = testTransport({ fetch: send, timeoutMs: 20 }, new ManualClock())

    await expect(transport.request(call())).rejects.toThrow(TimeoutError)
    expect(sent).toHaveLength(3)
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
  })

  it.each([0, 1, 2, 10])(
    "with maxRetries %d makes that many attempts plus one",
    async (maxRetries) => {
      await using server = await scriptedServer(Array.from({ length: 20 }, () => unavailable))

      const failed = testTransport(
        { baseUrl: server.baseUrl, maxRetries },
        new ManualClock(),
      ).request(call())

      await expect(failed).rejects.toThrow(ServiceUnavailableError)
      expect(server.received).toHaveLength(1 + maxRetries)
    },
  )

  it("with its own maxRetries ignores the client's", async () => {
    await using server = await scriptedServer([unavailable, unavailable])
    const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())

    await expect(transport.request(call({ options: { maxRetries: 0 } }))).rejects.toThrow(ApiError)
    expect(server.received).toHaveLength(1)
  })

  it("is not retried after 500, which is not a transient error", async () => {
    await using server = await scriptedServer([refuse(500, "INTERNAL_ERROR"), succeed([])])
    const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())

    await expect(transport.request(call())).rejects.toThrow(InternalServerError)
    expect(server.received).toHaveLength(1)
  })

  it("is a ConnectionError that names endpoint and cause when nothing listens", async () => {
    const server = await scriptedServer([])
    await server[Symbol.asyncDispose]()
    const clock = new ManualClock()

    const failed = testTransport({ baseUrl: server.baseUrl }, clock).request(
      call({ query: { email: "jane@harbor.example" } }),
    )

    await expect(failed).rejects.toThrow(ConnectionError)
    await expect(failed).rejects.toThrow(/GET \/v1\/data\/pixels at http.* ECONNREFUSED/)
    await expect(failed).rejects.not.toThrow(/jane/)
    expect(clock.waitsMs).toHaveLength(2)
  })
})

describe("a POST", () => {
  const post = call({ method: "POST", path: "/v1/data/query", body: { page: 1 } })

  it.each([
    ["503", unavailable, ServiceUnavailableError],
    ["a reset before the response", reset, ConnectionError],
    ["a reset inside the body", resetInsideBody, ConnectionError],
  ])("without a key is not retried after %s", async (_name, failure, expected) => {
    await using server = await scriptedServer([failure, succeed({})])
    const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())

    await expect(transport.request(post)).rejects.toThrow(expected)
    expect(server.received).toHaveLength(1)
  })

  it("without a key is not retried after a timeout", async () => {
    const { send, sent } = neverResponds()
    const transport = testTransport({ fetch: send, timeoutMs: 20 }, new ManualClock())

    await expect(transport.request(post)).rejects.toThrow(TimeoutError)
    expect(sent).toHaveLength(1)
  })

  it("with a key is retried with the same key and the same body", async () => {
    await using server = await scriptedServer([reset, unavailable, succeed({})])
    const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())

    await transport.request({ ...post, idempotencyKey: "run-7" })

    expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "run-7",
      "run-7",
      "run-7",
    ])
    expect(new Set(server.received.map(({ body }) => body))).toEqual(new Set(['{"page":1}']))
    expect(server.received[0]?.headers["content-type"]).toBe("application/json")
  })

  it("is retried after 429, because it was not processed", async () => {
    await using server = await scriptedServer([limited("1"), succeed({})])
    const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())

    await transport.request(post)

    expect(server.received).toHaveLength(2)
  })
})

describe("Retry-After", () => {
  it.each([
    ["seconds", "7", 7_000],
    ["a date", "Wed, 11 Mar 2026 09:00:30 GMT", 30_000],
    ["the longest time the client waits", "60", 60_000],
  ])("as %s is waited for in full", async (_name, header, expectedMs) => {
    await using server = await scriptedServer([limited(header), succeed([])])
    const clock = new ManualClock({ random: 0 })

    await testTransport({ baseUrl: server.baseUrl }, clock).request(call())

    expect(clock.waitsMs).toEqual([expectedMs])
  })

  it("above retryAfterMaxSeconds is thrown at once, with the time in the error", async () => {
    await using server = await scriptedServer([limited("61"), succeed([])])
    const clock = new ManualClock()

    const failed = testTransport({ baseUrl: server.baseUrl }, clock).request(call())

    await expect(failed).rejects.toThrow(RateLimitedError)
    await expect(failed).rejects.toMatchObject({ retryAfterSeconds: 61, code: "RATE_LIMITED" })
    expect(clock.waitsMs).toEqual([])
    expect(server.received).toHaveLength(1)
  })

  it("of a 503 is respected too", async () => {
    await using server = await scriptedServer([
      refuse(503, "SERVICE_UNAVAILABLE", { headers: { "retry-after": "3" } }),
      succeed([]),
    ])
    const clock = new ManualClock({ random: 0 })

    await testTransport({ baseUrl: server.baseUrl }, clock).request(call())

    expect(clock.waitsMs).toEqual([3_000])
  })
})

describe("the caller's signal", () => {
  it("sends nothing if it is already aborted", async () => {
    await using server = await scriptedServer([succeed([])])
    const signal = AbortSignal.abort(new Error("no longer needed"))

    const failed = testTransport({ baseUrl: server.baseUrl }, new ManualClock()).request(
      call({ options: { signal } }),
    )

    await expect(failed).rejects.toThrow(AbortedError)
    await expect(failed).rejects.toMatchObject({ cause: new Error("no longer needed") })
    expect(server.received).toHaveLength(0)
  })

  it.each([
    ["before the headers", () => {}],
    ["inside the body", hangInsideBody],
  ])("ends an attempt that stalls %s, and frees the connection", async (_name, stall) => {
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    await using server = await scriptedServer([
      (response, request) => {
        request.socket.once("close", () => closed.resolve())
        stall(response, request)
        controller.abort()
      },
    ])

    const failed = testTransport({ baseUrl: server.baseUrl }, new ManualClock()).request(
      call({ options: { signal: controller.signal } }),
    )

    await expect(failed).rejects.toThrow(AbortedError)
    await closed.promise
    expect(server.received).toHaveLength(1)
  })

  it("ends a wait between two attempts", async () => {
    await using server = await scriptedServer([limited("60"), succeed([])])
    const controller = new AbortController()
    const clock = new ManualClock({
      onWait: async (signal) => {
        controller.abort()
        signal?.throwIfAborted()
      },
    })

    const failed = testTransport({ baseUrl: server.baseUrl }, clock).request(
      call({ options: { signal: controller.signal } }),
    )

    await expect(failed).rejects.toThrow(AbortedError)
    expect(server.received).toHaveLength(1)
  })

  it("leaves no listener behind on a signal that outlives the call", async () => {
    await using server = await scriptedServer([succeed([]), unavailable])
    const { signal } = new AbortController()
    const transport = testTransport({ baseUrl: server.baseUrl, maxRetries: 0 }, new ManualClock())

    await transport.request(call({ options: { signal } }))
    await transport.request(call({ options: { signal } })).catch(() => {})

    expect(getEventListeners(signal, "abort")).toEqual([])
  })
})

describe("the system clock", () => {
  it("ends a wait of an hour when the signal aborts", async () => {
    const { systemClock } = await import("../src/core/clock.ts")
    const controller = new AbortController()
    const waiting = systemClock.wait(3_600_000, controller.signal)

    controller.abort()

    await expect(waiting).rejects.toThrow()
  })
})

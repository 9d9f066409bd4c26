// imports.run: a source of any size is sent while it is read, and is closed when the call ends, however it ends
// (spec 5.14).

import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  AbortedError,
  Footfall,
  PermissionError,
  TimeoutError,
  type ImportResult,
  type UploadSource,
} from "../src/index.ts"
import { accessToken } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { succeed } from "./support/steps.ts"

const result: ImportResult = {
  kind: "people",
  received: 2,
  inserted: 1,
  updated: 0,
  unchanged: 0,
  rejectedCount: 1,
  rejected: [{ row: 2, field: "email", reason: "missing_field" }],
}

const text = '{"email":"zoë@harbor.example"}\n{}\n'
const bytes = new TextEncoder().encode(text)
// Splits the two bytes of ë.
const halves = [bytes.subarray(0, 13), bytes.subarray(13)]

async function* generated(pieces: Iterable<string | Uint8Array>) {
  yield* pieces
}

describe("what is sent", () => {
  const sources: ReadonlyArray<readonly [string, () => UploadSource]> = [
    ["text", () => text],
    ["bytes", () => bytes],
    ["a list of texts", () => text.match(/.*\n/g) ?? []],
    ["a generator of bytes", () => generated(halves)],
    ["a generator of texts and bytes", () => generated([text.slice(0, 8), bytes.subarray(8)])],
    ["a Node stream", () => Readable.from(halves)],
    ["a web stream", () => new Blob(halves).stream()],
    ["nothing", () => []],
  ]

  it.each(sources)("%s arrives byte for byte, and the result is returned", async (name, source) => {
    await using server = await scriptedServer([succeed(result)])
    const footfall = new Footfall({ accessToken, baseUrl: server.baseUrl })

    const given = await footfall.imports.run("people", source(), { format: "ndjson" })

    expect(given).toEqual(result)
    const { method, path, query, headers, body } = server.received[0] ?? expect.fail()
    expect(`${method} ${path}?${query}`).toBe("POST /v1/admin/import/people?")
    expect(headers["content-type"]).toBe("application/x-ndjson")
    expect(headers["content-encoding"]).toBeUndefined()
    expect(body).toBe(name === "nothing" ? "" : text)
  })

  it("sends the CSV content type, and requests shared rows in the query", async () => {
    await using server = await scriptedServer([succeed({ ...result, kind: "identity-links" })])
    const footfall = new Footfall({ accessToken, baseUrl: server.baseUrl })

    await footfall.imports.run("identity-links", "kind,value,emailHash\n", {
      format: "csv",
      shared: true,
    })

    const { path, query, headers } = server.received[0] ?? expect.fail()
    expect(`${path}?${query}`).toBe("/v1/admin/import/identity-links?shared=true")
    expect(headers["content-type"]).toBe("text/csv")
  })

  it("goes through the fetch option as a stream, too", async () => {
    const received: Array<string> = []
    const footfall = new Footfall({
      accessToken,
      fetch: async (request) => {
        received.push(await request.text())
        return Response.json({ data: result, meta: {} })
      },
    })

    await footfall.imports.run("people", generated(halves), { format: "ndjson" })

    expect(received).toEqual([text])
  })
})

/** An endless source that records how much was taken and whether it was closed. */
function endless() {
  const state = { chunks: 0, ended: Promise.withResolvers<void>() }
  async function* source() {
    try {
      for (;;) {
        state.chunks += 1
        yield chunk
      }
    } finally {
      state.ended.resolve()
    }
  }
  return { state, source: source() }
}

const chunk = new Uint8Array(64 * 1024).fill(10)

/** A server whose handler sees the request before its body is read. */
async function server(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const http = createServer(handle).listen(0, "127.0.0.1")
  await once(http, "listening")
  // A server that listens on a port has an address object, not a pipe name.
  const { port } = http.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, "close")
    },
  }
}

describe("an upload without an end", () => {
  it("waits for a server that does not read, and times out without progress", async () => {
    await using deaf = await server((request) => void request.pause())
    const footfall = new Footfall({ accessToken, baseUrl: deaf.baseUrl })
    const { state, source } = endless()

    const failed = footfall.imports.run("people", source, { format: "csv" }, { timeoutMs: 500 })

    await expect(failed).rejects.toThrow(TimeoutError)
    await state.ended.promise
    // The system's socket buffers take a few MiB on loopback. The SDK adds a chunk or two.
    expect(state.chunks * chunk.byteLength).toBeLessThan(32 * 1024 * 1024)
  })

  it("fails with the server's error if the server does not read it", async () => {
    await using strict = await server((_request, response) => {
      response.writeHead(403, { "content-type": "application/json" })
      response.end('{"error":{"code":"FORBIDDEN","message":"Owners only."},"meta":{}}')
    })
    const footfall = new Footfall({ accessToken, baseUrl: strict.baseUrl })
    const { state, source } = endless()

    const failed = footfall.imports.run("people", source, { format: "csv" })

    await expect(failed).rejects.toThrow(PermissionError)
    await state.ended.promise
  })

  it("ends with the caller's signal", async () => {
    const controller = new AbortController()
    await using reading = await server((request) => {
      request.resume()
      controller.abort()
    })
    const footfall = new Footfall({ accessToken, baseUrl: reading.baseUrl })
    const { state, source } = endless()

    const failed = footfall.imports.run(
      "people",
      source,
      { format: "csv" },
      { signal: controller.signal },
    )

    await expect(failed).rejects.toThrow(AbortedError)
    await state.ended.promise
  })
})

describe("a source that fails", () => {
  it("fails the call with its own error, and the server sees the body cut off", async () => {
    const cut = Promise.withResolvers<void>()
    await using reading = await server((request) => {
      request.on("error", () => cut.resolve()).resume()
    })
    const footfall = new Footfall({ accessToken, baseUrl: reading.baseUrl })
    const broken = new Error("the disk was removed")
    async function* source() {
      yield chunk
      throw broken
    }

    const failed = footfall.imports.run("people", source(), { format: "csv" })

    await expect(failed).rejects.toBe(broken)
    await cut.promise
  })
})

it("without a token the source is not read", async () => {
  await using unasked = await scriptedServer([])
  const footfall = new Footfall({ baseUrl: unasked.baseUrl })
  const { state, source } = endless()

  const failed = footfall.imports.run("people", source, { format: "csv" })

  await expect(failed).rejects.toMatchObject({ code: "CREDENTIALS_MISSING" })
  expect(state.chunks).toBe(0)
})

describe("the time limit", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it("counts from the last progress, so a large upload may take long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const footfall = new Footfall({
      accessToken,
      timeoutMs: 1_000,
      fetch: async (request) => {
        await request.text()
        return Response.json({ data: result, meta: {} })
      },
    })
    let taken = 0
    async function* source() {
      for (; taken < 5; taken += 1) {
        await new Promise((resolve) => setTimeout(resolve, 900))
        yield "x\n"
      }
    }

    const running = footfall.imports.run("people", source(), { format: "csv" })
    for (let second = 0; second < 5; second += 1) await vi.advanceTimersByTimeAsync(900)

    expect(await running).toEqual(result)
    expect(taken).toBe(5)
  })

  it("applies to the response once everything is sent", async () => {
    const footfall = new Footfall({ accessToken, fetch: () => new Promise(() => {}) })

    const failed = footfall.imports.run("people", text, { format: "csv" }, { timeoutMs: 20 })

    await expect(failed).rejects.toThrow(TimeoutError)
  })

  it("is longer while the server merges the rows", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const merged = Promise.withResolvers<Response>()
    const footfall = new Footfall({
      accessToken,
      timeoutMs: 1_000,
      fetch: async (request) => {
        await request.text()
        return merged.promise
      },
    })
    const answers: Array<unknown> = []

    const patient = footfall.imports.run("signals", text, { format: "csv" })
    const hasty = footfall.imports.run("signals", text, { format: "csv", answerTimeoutMs: 60_000 })
    void hasty.catch((error: unknown) => answers.push(error))
    await vi.advanceTimersByTimeAsync(59_999)
    expect(answers).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(answers).toMatchObject([{ timeoutMs: 60_000 }])
    await vi.advanceTimersByTimeAsync(3_500_000)
    merged.resolve(Response.json({ data: result, meta: {} }))

    expect(await patient).toEqual(result)
  })

  it.each([0, 86_400_001])(
    "of %s ms for the response is rejected before anything is sent",
    async (answerTimeoutMs) => {
      await using unasked = await scriptedServer([])
      const footfall = new Footfall({ accessToken, baseUrl: unasked.baseUrl })

      const failed = footfall.imports.run("topics", text, { format: "csv", answerTimeoutMs })

      await expect(failed).rejects.toThrow(/answerTimeoutMs/)
      expect(unasked.received).toEqual([])
    },
  )
})

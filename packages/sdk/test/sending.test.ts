// The two ways to send, undici and a custom function, and the limits of both.

import { execFile } from "node:child_process"
import { getEventListeners } from "node:events"
import { promisify } from "node:util"
import { Agent, MockAgent } from "undici"
import { describe, expect, it, vi } from "vitest"
import { responseBytesMax } from "../src/core/buffered-response.ts"
import { Footfall, TimeoutError } from "../src/index.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { hang, hangInsideBody, succeed } from "./support/steps.ts"

describe("the fetch option", () => {
  it("receives one standard Request and needs no network", async () => {
    const requests: Array<Request> = []
    const footfall = new Footfall({
      apiKey,
      fetch: async (request) => {
        requests.push(request)
        return Response.json({ data: [{ id: "p" }], meta: {} })
      },
    })

    expect(await footfall.pixels.list()).toEqual([{ id: "p" }])
    expect(requests).toHaveLength(1)
    expect(requests[0]).toBeInstanceOf(Request)
    expect(requests[0]?.url).toBe("http://127.0.0.1:4100/v1/data/pixels")
    expect(requests[0]?.headers.get("x-api-key")).toBe(apiKey)
    expect(requests[0]?.redirect).toBe("manual")
  })

  it("leaves no listener on the caller's signal after a call", async () => {
    const { signal } = new AbortController()
    const footfall = new Footfall({
      apiKey,
      maxRetries: 0,
      fetch: async () => Response.json({ data: [], meta: {} }),
    })
    await footfall.pixels.list({ signal })
    const listeners = getEventListeners(signal, "abort")

    expect(listeners).toEqual([])
  })

  it("accepts the platform's own fetch", () => {
    expect(() => new Footfall({ apiKey, fetch })).not.toThrow()
  })

  it("cannot delay a call beyond its time limit by ignoring its signal", async () => {
    const footfall = new Footfall({ apiKey, maxRetries: 0, fetch: () => new Promise(() => {}) })

    await expect(footfall.pixels.list({ timeoutMs: 1 })).rejects.toThrow(TimeoutError)
  })

  it("cannot delay a call with a stalled body, which is cancelled", async () => {
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({ cancel: () => cancelled.resolve() })
    const footfall = new Footfall({
      apiKey,
      maxRetries: 0,
      fetch: async () => new Response(body),
    })

    await expect(footfall.pixels.list({ timeoutMs: 1 })).rejects.toThrow(TimeoutError)
    await cancelled.promise
  })
})

describe("maxStalenessSeconds", () => {
  it("of a call overrides the client's, and without either no header is sent", async () => {
    const sent: Array<string | null> = []
    const fetch = async (request: Request) => {
      sent.push(request.headers.get("footfall-max-staleness"))
      return Response.json({ data: [], meta: {} })
    }
    const footfall = new Footfall({ apiKey, fetch })
    const strict = new Footfall({ apiKey, fetch, maxStalenessSeconds: 0 })

    await footfall.pixels.list()
    await footfall.pixels.list({ maxStalenessSeconds: 0 })
    await strict.pixels.list()
    await strict.pixels.list({ maxStalenessSeconds: 30 })

    expect(sent).toEqual([null, "0", "0", "30"])
    await expect(footfall.pixels.list({ maxStalenessSeconds: -1 })).rejects.toThrow(
      "maxStalenessSeconds must be a whole number from 0 to 3600; received -1",
    )
  })
})

describe("a late response", () => {
  it.each([
    ["to a call", (footfall: Footfall) => footfall.pixels.list({ timeoutMs: 1 })],
    [
      "to a stream",
      (footfall: Footfall) => footfall.runs.exportCsv("a", "r", {}, { timeoutMs: 1 }),
    ],
  ])("%s from a function that ignored its signal is cancelled too", async (_name, send) => {
    const answer = Promise.withResolvers<Response>()
    const cancelled = Promise.withResolvers<void>()
    const footfall = new Footfall({ apiKey, maxRetries: 0, fetch: () => answer.promise })

    await expect(send(footfall)).rejects.toThrow(TimeoutError)
    answer.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })))

    await cancelled.promise
  })
})

describe("the dispatcher option", () => {
  it("sends the client's calls", async () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    agent
      .get("https://footfall.example")
      .intercept({ path: "/v1/data/pixels", headers: { "x-api-key": apiKey } })
      .reply(200, { data: [{ id: "mocked" }], meta: {} })
    const footfall = new Footfall({
      apiKey,
      baseUrl: "https://footfall.example",
      dispatcher: agent,
    })

    expect(await footfall.pixels.list()).toEqual([{ id: "mocked" }])
    agent.assertNoPendingInterceptors()
  })

  it("has only the time limits of the call, not undici's own", async () => {
    const seen: Array<unknown> = []
    const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
      seen.push([options.headersTimeout, options.bodyTimeout])
      return dispatch(options, handler)
    })
    await using server = await scriptedServer([succeed([])])

    await new Footfall({ apiKey, baseUrl: server.baseUrl, dispatcher }).pixels.list()

    expect(seen).toEqual([[0, 0]])
  })
})

describe("undici", () => {
  const clientOf = (baseUrl: string) => new Footfall({ apiKey, baseUrl, maxRetries: 0 })

  it("reads a character that is split between two chunks", async () => {
    const body = Buffer.from('{"data":["Zoë"],"meta":{}}')
    const middle = body.indexOf("ë") + 1
    await using server = await scriptedServer([
      (response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.write(body.subarray(0, middle), () =>
          setTimeout(() => response.end(body.subarray(middle)), 20),
        )
      },
    ])

    expect(await clientOf(server.baseUrl).pixels.list()).toEqual(["Zoë"])
  })

  it("skips 1xx responses", async () => {
    await using server = await scriptedServer([
      (response, request) => {
        response.writeEarlyHints({ link: "</style.css>; rel=preload" })
        succeed(["after the hints"])(response, request)
      },
    ])

    expect(await clientOf(server.baseUrl).pixels.list()).toEqual(["after the hints"])
  })

  it.each([
    ["before the headers", hang],
    ["inside the body", hangInsideBody],
  ])("closes the connection of a call that stalls %s", async (_name, stall) => {
    const closed = Promise.withResolvers<void>()
    await using server = await scriptedServer([
      (response, request) => {
        request.socket.on("close", () => closed.resolve())
        stall(response, request)
      },
    ])

    const failed = clientOf(server.baseUrl).pixels.list({ timeoutMs: 100 })

    await expect(failed).rejects.toThrow(TimeoutError)
    await closed.promise
  })

  it("rejects a response above the limit, and closes its connection", async () => {
    const closed = Promise.withResolvers<void>()
    const chunk = Buffer.alloc(1024 * 1024, " ")
    await using server = await scriptedServer([
      (response, request) => {
        request.socket.on("close", () => closed.resolve())
        response.writeHead(200, { "content-type": "application/json" })
        const more = (): void => void response.write(chunk, more)
        more()
      },
    ])

    const failed = clientOf(server.baseUrl).pixels.list()

    await expect(failed).rejects.toMatchObject({ code: "INVALID_RESPONSE", status: 200 })
    await closed.promise
  })

  it("is not used in Bun, where a dispatcher is rejected", () => {
    vi.stubGlobal("Bun", {})

    expect(() => new Footfall({ apiKey, dispatcher: new MockAgent() })).toThrow(
      "dispatcher works in Node 22.19 and newer only",
    )
    vi.unstubAllGlobals()
  })
})

describe("the size of a response", () => {
  const chunk = new TextEncoder().encode(" ".repeat(1024 * 1024))
  const start = new TextEncoder().encode('{"data":[],"meta":{}}')

  /** A response of exactly this many bytes, padded with white space. */
  function responseOf(bytes: number): Response {
    let left = bytes - start.byteLength
    return new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(start),
        pull: (controller) => {
          if (left === 0) return controller.close()
          const next = chunk.subarray(0, Math.min(left, chunk.byteLength))
          left -= next.byteLength
          controller.enqueue(next)
        },
      }),
    )
  }

  it.each([responseBytesMax - 1, responseBytesMax])("reads %d bytes", async (bytes) => {
    const footfall = new Footfall({ apiKey, fetch: async () => responseOf(bytes) })

    expect(await footfall.pixels.list()).toEqual([])
  })

  it("rejects one more byte", async () => {
    const footfall = new Footfall({ apiKey, fetch: async () => responseOf(responseBytesMax + 1) })

    await expect(footfall.pixels.list()).rejects.toMatchObject({ code: "INVALID_RESPONSE" })
  })
})

it("importing the SDK and creating a client does not load undici", async () => {
  const program = `
    import { createRequire } from "node:module"
    const { Footfall } = await import(${JSON.stringify(new URL("../src/index.ts", import.meta.url))})
    new Footfall({ baseUrl: "http://127.0.0.1:9" })
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(loaded.filter((file) => file.includes("undici")).length)
  `
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program])

  expect(stdout.trim()).toBe("0")
})

describe("a function that returns the token", () => {
  it("cannot delay a call beyond its time limit, and nothing is sent after it", async () => {
    const token = Promise.withResolvers<string>()
    const requests: Array<Request> = []
    const footfall = new Footfall({
      accessToken: () => token.promise,
      maxRetries: 0,
      fetch: async (request) => {
        requests.push(request)
        return Response.json({ data: {}, meta: {} })
      },
    })

    await expect(footfall.auth.me({ timeoutMs: 1 })).rejects.toThrow(TimeoutError)
    token.resolve(accessToken)
    await new Promise(setImmediate)

    expect(requests).toHaveLength(0)
  })

  it("is called again for a retry", async () => {
    const given = ["a.b.c", "d.e.f"]
    const sent: Array<string | null> = []
    const footfall = new Footfall({
      accessToken: () => given[sent.length] ?? "",
      fetch: async (request) => {
        sent.push(request.headers.get("authorization"))
        if (sent.length === 1) throw new Error("reset")
        return Response.json({ data: {}, meta: {} })
      },
    })

    await footfall.auth.me()

    expect(sent).toEqual(["Bearer a.b.c", "Bearer d.e.f"])
  })
})

// The HTTP resolver against a server in this process (spec 6.7): batches, limits, and the pause after failures.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { afterEach, describe, expect, it, vi } from "vitest"
import { httpResolver, type HttpResolverOptions } from "./http-resolver.ts"
import type { IdentityResolver } from "./identity-resolver.ts"

type Handler = (request: IncomingMessage, response: ServerResponse, body: Asked) => void
interface Asked {
  readonly questions: ReadonlyArray<{ readonly anonymousId: string }>
}

let server: Server | undefined
let resolver: IdentityResolver | undefined
afterEach(async () => {
  vi.useRealTimers()
  await resolver?.close?.()
  server?.closeAllConnections()
  server?.close()
})

const start = async (handler: Handler, options: Partial<HttpResolverOptions> = {}) => {
  server = createServer((request, response) => {
    void json(request).then((body) => handler(request, response, body as Asked))
  })
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  resolver = httpResolver({ url: `http://127.0.0.1:${port}/resolve?v=1`, ...options })
  return resolver
}

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ip: "192.0.2.1",
    ua: null,
    anonymousId: `b${index}`,
    emailHash: null,
  }))

const echo: Handler = (_request, response, body) => {
  const answers = body.questions.map(({ anonymousId }) => ({ company: { name: anonymousId } }))
  response.end(JSON.stringify({ answers }))
}

const ask = (one: IdentityResolver, count: number) =>
  one.resolve(questions(count), { signal: new AbortController().signal })

describe("the resolver behind HTTP", () => {
  it("asks in batches, with its headers, and answers in order", async () => {
    const seen: Array<readonly [number, string | undefined, string | undefined]> = []
    const one = await start(
      (request, response, body) => {
        seen.push([body.questions.length, request.headers["x-key"]?.toString(), request.url])
        echo(request, response, body)
      },
      { batchMax: 2, headers: { "x-key": "secret" } },
    )

    const answers = await ask(one, 5)

    expect(answers.map((answer) => answer?.company?.name)).toEqual(["b0", "b1", "b2", "b3", "b4"])
    expect(seen.toSorted(([a], [b]) => b - a)).toEqual([
      [2, "secret", "/resolve?v=1"],
      [2, "secret", "/resolve?v=1"],
      [1, "secret", "/resolve?v=1"],
    ])
  })

  const bad: ReadonlyArray<readonly [string, Handler]> = [
    ["another status", (_request, response) => void response.writeHead(500).end("{}")],
    ["no JSON", (_request, response) => void response.end("<html>")],
    ["too few answers", (_request, response) => void response.end(`{"answers":[null]}`)],
    ["more than 4 MiB", (_request, response) => void response.end("x".repeat(4 * 1024 * 1024 + 1))],
    ["a broken connection", (request) => void request.socket.destroy()],
  ]
  it.each(bad)("rejects for %s", async (_what, handler) => {
    await expect(ask(await start(handler), 2)).rejects.toThrow()
  })

  it("waits no longer than its timeout, and stops when it is interrupted", async () => {
    const one = await start(() => undefined, { timeoutMs: 20 })
    await expect(ask(one, 1)).rejects.toThrow()
    const stopped = await start(() => undefined)
    await expect(stopped.resolve(questions(1), { signal: AbortSignal.abort() })).rejects.toThrow()
  })

  it("is still called after failures that are not consecutive, however many they are", async () => {
    let asked = 0
    const one = await start((request, response, body) => {
      asked++
      if (asked % 5 === 0) echo(request, response, body)
      else response.writeHead(503).end()
    })

    for (let time = 0; time < 20; time++) await ask(one, 1).catch(() => undefined)

    expect(asked).toBe(20)
  })

  it("is not called for 30 seconds after five consecutive failures, then once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    let asked = 0
    let isBroken = true
    const one = await start((request, response, body) => {
      asked++
      if (isBroken) response.writeHead(503).end()
      else echo(request, response, body)
    })
    for (let time = 0; time < 5; time++) await expect(ask(one, 1)).rejects.toThrow()

    expect(await ask(one, 1)).toEqual([])
    expect(asked).toBe(5)
    vi.advanceTimersByTime(30_000)
    await expect(ask(one, 1)).rejects.toThrow()
    expect(await ask(one, 1)).toEqual([])
    isBroken = false
    vi.advanceTimersByTime(30_000)
    expect(await ask(one, 1)).toEqual([{ company: { name: "b0" } }])
    expect(await ask(one, 1)).toEqual([{ company: { name: "b0" } }])
    expect(asked).toBe(8)
  })

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: 2_001 },
    { timeoutMs: 1.5 },
    { batchMax: 0 },
    { batchMax: 1_001 },
  ])("refuses %o", (options) => {
    expect(() => httpResolver({ url: "http://127.0.0.1/", ...options })).toThrow(TypeError)
  })
})

// Webhooks on real sockets: what is sent, the status line as the response whatever the body does, the one time limit,
// and hostile receivers (spec 1.9, 8.1).
import { gzipSync } from "node:zlib"
import type { Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { type Sending, send } from "./outbound-layer.ts"
import { endlessly, startRawServer } from "./raw-server.ts"
import { startWebServer } from "./web-server.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const post = (url: string, request: Sending = {}) =>
  send(url, { isPrivateAllowed: true, ...request })

const serve = async (answer: Parameters<typeof startWebServer>[0]) => {
  const server = await startWebServer(answer)
  closing.push(server.close)
  return { ...server, url: `http://127.0.0.1:${server.port}/` }
}

const serveRaw = async (speak: (socket: Socket, connection: number) => void) => {
  const server = await startRawServer(speak)
  closing.push(server.close)
  return server
}

describe("a request", () => {
  it("has the given method, path, headers and body, and nothing else except host and length", async () => {
    const seen = Promise.withResolvers<string>()
    const server = await serve((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        seen.resolve(
          [request.method, request.url, ...request.rawHeaders, Buffer.concat(chunks)].join("|"),
        )
        response.end()
      })
    })

    await post(`${server.url}hook?a=b`, {
      method: "PUT",
      headers: { "content-type": "application/json", "webhook-id": "msg_1" },
      body: '{"name":"Zoë"}',
    })

    expect(await seen.promise).toBe(
      `PUT|/hook?a=b|host|127.0.0.1:${server.port}|connection|keep-alive|` +
        'content-type|application/json|webhook-id|msg_1|content-length|15|{"name":"Zoë"}',
    )
  })

  it("is a POST by default, and may have bytes as its body, or none", async () => {
    const seen: Array<string> = []
    const { url } = await serve(async (request, response) => {
      seen.push(`${request.method} ${Buffer.concat(await request.toArray()).toString("hex")}`)
      response.end()
    })

    await post(url, { body: Uint8Array.of(0, 255) })
    await post(url)
    await post(url, { method: "GET" })

    expect(seen).toEqual(["POST 00ff", "POST ", "GET "])
  })

  it("has no fragment in its path", async () => {
    const { requests, url } = await serve((_, response) => response.end())

    await post(`${url}hook?x=1#part`)

    expect(requests.at(-1)?.path).toBe("/hook?x=1")
  })
})

describe("a response", () => {
  it.each([200, 204, 301, 400, 410, 429, 500, 503])("may have any status: %i", async (status) => {
    const { url } = await serve((_, response) => {
      response.writeHead(status, { "retry-after": "7", "x-list": ["a", "b"] })
      response.end(status === 204 ? undefined : "why")
    })

    expect(await post(url)).toMatchObject({
      status,
      headers: { "retry-after": "7" },
      body: Buffer.from(status === 204 ? "" : "why"),
      bodyIsCut: false,
    })
  })

  it("may be a redirect, which is not followed, nor are Refresh or Alt-Svc", async () => {
    const elsewhere = await serve((_, response) => response.end())
    const { requests, url } = await serve((_, response) => {
      response.setHeader("location", elsewhere.url).setHeader("refresh", `0; url=${elsewhere.url}`)
      response.setHeader("alt-svc", `h2="127.0.0.1:${elsewhere.port}"`)
      response.writeHead(307).end()
    })

    expect(await post(url)).toMatchObject({ status: 307, headers: { location: elsewhere.url } })
    expect(requests.length).toBe(1)
    expect(elsewhere.connections()).toBe(0)
  })

  it("has the first value of a repeated header", async () => {
    const { url } = await serveRaw((socket) => {
      socket.end("HTTP/1.1 200 OK\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 0\r\n\r\n")
    })

    expect(await post(url)).toMatchObject({ headers: { "x-a": "1" } })
  })
})

describe("a 2xx remains a success with", () => {
  it.each([
    [65_535, false],
    [65_536, false],
    [65_537, true],
    [1_000_000, true],
  ])("a body of %i bytes, cut at 64 KiB: %s", async (size, bodyIsCut) => {
    const { url } = await serve((_, response) => response.end("x".repeat(size)))

    const answer = await post(url)

    expect(answer).toMatchObject({ status: 200, bodyIsCut })
    expect("body" in answer ? answer.body.length : answer).toBe(Math.min(size, 65_536))
  })

  it("a body of 10 GB, of which 64 KiB are read", async () => {
    const { gone, url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n")
      endlessly(socket, "x".repeat(65_536))
    })
    const before = process.memoryUsage().rss

    expect(await post(url)).toMatchObject({ status: 200, bodyIsCut: true })
    await gone
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024)
  })

  it("endless chunks", async () => {
    const { gone, url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n")
      endlessly(socket, `1000\r\n${"x".repeat(0x1000)}\r\n`)
    })

    expect(await post(url)).toMatchObject({ status: 202, bodyIsCut: true })
    await gone
  })

  it("a body that arrives byte by byte until the time limit", async () => {
    const { gone, url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      const timer = setInterval(() => socket.write("x"), 20)
      socket.on("close", () => clearInterval(timer))
    })

    const answer = await post(url, { timeoutMs: 300 })

    expect(answer).toMatchObject({ status: 200, bodyIsCut: true })
    await gone
  })

  it.each([
    ["a body that breaks off", "content-length: 100\r\n\r\nhalf", "half"],
    ["an invalid chunk", "transfer-encoding: chunked\r\n\r\nzz\r\n", ""],
  ])("%s", async (_, rest, body) => {
    const { url } = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))

    expect(await post(url)).toMatchObject({
      status: 200,
      bodyIsCut: true,
      body: Buffer.from(body),
    })
  })

  it("a gzip bomb, which is left as it was sent", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const { url } = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip").end(bomb)
    })

    expect(await post(url)).toMatchObject({ status: 200, body: bomb })
  })

  it("and the status of a failure remains one", async () => {
    const { url } = await serveRaw((socket) => {
      socket.end("HTTP/1.1 503 Busy\r\nretry-after: 5\r\ncontent-length: 100\r\n\r\n")
    })

    expect(await post(url)).toMatchObject({ status: 503, headers: { "retry-after": "5" } })
  })
})

describe("there is no response,", () => {
  it("if nothing listens", async () => {
    const server = await startRawServer(() => undefined)
    await server.close()

    expect(await post(server.url)).toMatchObject({
      _tag: "ConnectionRefused",
      code: "ECONNREFUSED",
    })
  })

  it("if nothing listens at any of several addresses", async () => {
    const server = await startRawServer(() => undefined)
    await server.close()
    const lookup = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]

    expect(await post(`http://two.example:${server.port}/`, { lookup })).toMatchObject({
      _tag: "ConnectionRefused",
    })
  })

  it("if the name has no address", async () => {
    expect(await post("http://nowhere.example/", { lookup: async () => [] })).toMatchObject({
      _tag: "NameNotResolved",
    })
  })

  it("if the receiver resets the connection or closes it", async () => {
    const reset = await serveRaw((socket) => socket.resetAndDestroy())
    const closed = await serveRaw((socket) => socket.end())

    expect(await post(reset.url)).toMatchObject({ _tag: "NoAnswer", code: "ECONNRESET" })
    expect(await post(closed.url)).toMatchObject({ _tag: "NoAnswer", code: "UND_ERR_SOCKET" })
  })

  it("if the connection breaks during the TLS handshake", async () => {
    const { url } = await serveRaw((socket) => socket.destroy())

    expect(await post(url.replace("http:", "https:"))).toMatchObject({
      _tag: "NoAnswer",
      code: "ECONNRESET",
    })
  })

  it("if the receiver does not speak TLS", async () => {
    const { url } = await serveRaw((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))

    expect(await post(url.replace("http:", "https:"))).toMatchObject({ _tag: "TlsFailed" })
  })

  it.each(["not HTTP at all\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n"])(
    "if it is not HTTP: %j",
    async (text) => {
      const { url } = await serveRaw((socket) => socket.end(text))

      expect(await post(url)).toMatchObject({
        _tag: "NoAnswer",
        code: expect.stringMatching(/^(?:NOT_HTTP|HPE_\w+)$/),
      })
    },
  )

  it("if its header has no end", async () => {
    const { gone, url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      endlessly(socket, `x-more: ${"y".repeat(1000)}\r\n`)
    })

    expect(await post(url)).toMatchObject({
      _tag: "NoAnswer",
      code: "UND_ERR_HEADERS_OVERFLOW",
    })
    await gone
  })

  it("if more than ten informational responses come first", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"
    const flood = await serveRaw((socket) => endlessly(socket, early))
    const ten = await serveRaw((socket) => {
      socket.end(`${early.repeat(10)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`)
    })

    expect(await post(flood.url)).toMatchObject({
      _tag: "NoAnswer",
      code: "INFORMATIONAL_FLOOD",
    })
    await flood.gone
    expect(await post(ten.url)).toMatchObject({ status: 200 })
  })

  it("if it switches protocols without being asked", async () => {
    const { url } = await serveRaw((socket) => {
      socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n")
    })

    expect(await post(url)).toMatchObject({ _tag: "NoAnswer" })
  })
})

describe("an interim response before the final one", () => {
  const then = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\nHTTP/1.1 100"

  it.each([100, 102, 103, 150])("%i is skipped, however it is split", async (code) => {
    const interim = `HTTP/1.1 ${code} Interim\r\nx-part: 1\r\n\r\n`
    const whole = await serveRaw((socket) => void socket.end(interim + interim + then))
    const inPieces = await serveRaw(async (socket) => {
      socket.setNoDelay(true)
      for (const piece of (interim + then).match(/.{1,7}/gs)!) {
        socket.write(piece)
        await new Promise(setImmediate)
      }
      socket.end()
    })

    for (const { url } of [whole, inPieces]) {
      const answer = await post(url, { body: "{}" })
      expect(answer).toMatchObject({ status: 200 })
      expect("body" in answer && Buffer.from(answer.body).toString()).toBe("HTTP/1.1 100")
    }
  })
})

describe("one time limit covers", () => {
  const timeoutMs = 300
  const timedOut = { _tag: "TimedOut", timeoutMs }

  it("a receiver that never responds, and its connection closes", async () => {
    const { gone, url } = await serveRaw(() => undefined)

    expect(await post(url, { timeoutMs })).toMatchObject(timedOut)
    await gone
  })

  it("a header that arrives byte by byte", async () => {
    const { gone, url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-slow: ")
      const timer = setInterval(() => socket.write("x"), 20)
      socket.on("close", () => clearInterval(timer))
    })

    expect(await post(url, { timeoutMs })).toMatchObject(timedOut)
    await gone
  })

  it("a TLS handshake without a response, and its connection closes", async () => {
    const { gone, url } = await serveRaw(() => undefined)

    expect(await post(url.replace("http:", "https:"), { timeoutMs })).toMatchObject(timedOut)
    await gone
  })

  it("the name look-up", async () => {
    const lookup = () => new Promise<never>(() => undefined)

    expect(await post("http://slow.example/", { timeoutMs, lookup })).toMatchObject(timedOut)
  })

  it("a body that is not read", async () => {
    const { url } = await serveRaw((socket) => socket.pause())

    expect(await post(url, { timeoutMs, body: "x".repeat(20_000_000) })).toMatchObject(timedOut)
  })
})

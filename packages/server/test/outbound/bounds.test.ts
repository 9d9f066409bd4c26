// The limits for reading a page, on real sockets: bytes, time, and hostile servers (spec 1.9).
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { afterEach, describe, expect, it, vi } from "vitest"
import { readPage, refusalOf, textOf, type Reading, withOutbound } from "./outbound-layer.ts"
import { endlessly, startRawServer } from "./raw-server.ts"
import { startWebServer, type WebServer } from "./web-server.ts"

const allowed: Reading = { isPrivateAllowed: true }
const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const serve = async (answer: Parameters<typeof startWebServer>[0]): Promise<string> => {
  const server: WebServer = await startWebServer(answer)
  closing.push(server.close)
  return `http://127.0.0.1:${server.port}/`
}

const serveRaw = async (speak: (socket: Socket) => void) => {
  const server = await startRawServer(speak)
  closing.push(server.close)
  return server
}

describe("the body", () => {
  const bytesMax = 1000

  it.each([
    ["with its length declared", true],
    ["without a declared length", false],
  ])("%s may be as large as the limit and not a byte larger", async (_, isDeclared) => {
    const url = await serve((request, response) => {
      const body = "x".repeat(Number(request.url?.slice(1)))
      if (isDeclared) response.setHeader("content-length", body.length)
      else response.flushHeaders()
      response.end(body)
    })
    const length = async (size: number) =>
      (await textOf(`${url}${size}`, { ...allowed, bytesMax })).length

    expect(await length(999)).toBe(999)
    expect(await length(1000)).toBe(1000)
    expect(await readPage(`${url}1001`, { ...allowed, bytesMax })).toMatchObject({
      _tag: "TooLarge",
      bytesMax,
    })
  })

  it("is not read if its declared length is 10 GB", async () => {
    const { url, gone } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\nx")
    })

    expect(await refusalOf(url, { ...allowed, bytesMax })).toBe("TooLarge")
    await gone
  })

  it("without an end is cut at the limit, and the connection closed", async () => {
    const { url, gone } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      endlessly(socket, "x".repeat(65_536))
    })
    const before = process.memoryUsage().rss

    expect(await refusalOf(url, { ...allowed, bytesMax: 2 * 1024 * 1024 })).toBe("TooLarge")
    await gone
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024)
  })

  it("is left as it was sent if it is compressed without being requested", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const url = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip").end(bomb)
    })

    expect(await readPage(url, allowed)).toMatchObject({
      headers: { "content-encoding": "gzip" },
      body: bomb,
    })
  })

  it("that ends early is not a page", async () => {
    const { url } = await serveRaw((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
    })

    expect(await refusalOf(url, allowed)).toBe("NoAnswer")
  })
})

describe("the header", () => {
  it("without an end is cut", async () => {
    const { url, gone } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      endlessly(socket, `x-more: ${"y".repeat(1000)}\r\n`)
    })

    expect(await readPage(url, allowed)).toMatchObject({
      _tag: "NoAnswer",
      code: "UND_ERR_HEADERS_OVERFLOW",
    })
    await gone
  })

  it("may have 16 KiB, and not more", async () => {
    const url = await serve((request, response) => {
      response.setHeader("x-more", "y".repeat(Number(request.url?.slice(1)))).end("page")
    })

    expect(await textOf(`${url}15000`, allowed)).toBe("page")
    expect(await refusalOf(`${url}16384`, allowed)).toBe("NoAnswer")
  })

  it.each(["", "not HTTP at all\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n"])(
    "that cannot be read is not a response: %j",
    async (text) => {
      const { url } = await serveRaw((socket) => socket.end(text))

      expect(await refusalOf(url, allowed)).toBe("NoAnswer")
    },
  )
})

describe("time", () => {
  const timeoutMs = 300
  const reading = { ...allowed, timeoutMs }

  it.each([
    ["a server that never responds", () => undefined],
    [
      "a body that arrives byte by byte",
      (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        const timer = setInterval(() => socket.write("x"), 20)
        socket.on("close", () => clearInterval(timer))
      },
    ],
    [
      "endless informational responses",
      (socket: Socket) => endlessly(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
    ],
  ])("ends %s, and closes the connection", async (_, speak) => {
    const { url, gone } = await serveRaw(speak)

    expect(await readPage(url, reading)).toMatchObject({ _tag: "TimedOut", timeoutMs })
    await gone
  })

  it("ends a TLS handshake without a response, and closes its connection", async () => {
    const { gone, url } = await serveRaw(() => undefined)

    expect(await refusalOf(url.replace("http:", "https:"), reading)).toBe("TimedOut")
    await gone
  })

  it.each([
    ["back", -3_600_000],
    ["forward", 3_600_000],
  ])("is measured by the process: setting the clock %s changes nothing", async (_, byMs) => {
    const silent = await serveRaw(() => undefined)
    const late = await serve((_, response) => void setTimeout(() => response.end(), timeoutMs))
    const now = Date.now.bind(Date)
    await withOutbound({ isPrivateAllowed: true }, async (send) => {
      const ends = [send(silent.url, { timeoutMs }), send(late, { timeoutMs: 30_000 })]
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + byMs)
      try {
        expect(await Promise.all(ends)).toMatchObject([{ _tag: "TimedOut" }, { status: 200 }])
      } finally {
        clock.mockRestore()
      }
    })
  })

  it("includes all redirects", async () => {
    const url = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: "/" }).end(), 120)
    })

    expect(await refusalOf(url, { ...reading, redirectsMax: 10 })).toBe("TimedOut")
  })

  it("includes the name look-up", async () => {
    const lookup = () => new Promise<never>(() => undefined)

    expect(await refusalOf("http://slow.example/", { ...reading, lookup })).toBe("TimedOut")
  })
})

it("a port where nothing listens is unreachable, with its code", async () => {
  const server = await startWebServer((_, response) => response.end())
  await server.close()

  expect(await readPage(`http://127.0.0.1:${server.port}/`, allowed)).toMatchObject({
    _tag: "ConnectionRefused",
    code: "ECONNREFUSED",
  })
})

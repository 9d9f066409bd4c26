// Requests that Node's own parser rejects, byte by byte over a socket, with the standalone server: each response is in
// the envelope and closes the connection, and nothing after it is answered.
import { Effect, Exit, Scope } from "effect"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../src/platform/http/listening.ts"
import { Readiness } from "../../src/platform/http/operations.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let port: number
const scope = Scope.makeUnsafe()

beforeAll(async () => {
  server = await startServer({ workers: false })
  port = await Effect.runPromise(
    listen({ host: "127.0.0.1", port: 0, listener: server.embedded.listener }).pipe(
      Effect.provide(Readiness.layer(Effect.succeed(true))),
      Scope.provide(scope),
    ),
  )
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await server.close()
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Status lines after the first response. There must be none. */
  readonly more: number
}

/** Sends bytes and reads until the server closes the connection, which it must. */
const exchange = (text: string | Uint8Array): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", reject)
    socket.on("end", () => {
      socket.destroy()
      resolve(answerOf(Buffer.concat(chunks).toString()))
    })
  })

const answerOf = (text: string): Answer => {
  const [head = "", ...rest] = text.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(
      lines.map((line) => {
        const [name = "", ...value] = line.split(": ")
        return [name.toLowerCase(), value.join(": ")]
      }),
    ),
    body: rest.join("\r\n\r\n"),
    more: text.split(/HTTP\/1\.1 \d{3} /).length - 2,
  }
}

/** Every VALIDATION_ERROR has a list of issues. spec 9. */
const oneIssue = {
  path: expect.stringMatching(/^(?:\/header\/[a-z]+)?$/),
  code: expect.stringMatching(/^(?:required|enum|format)$/),
  message: expect.any(String),
}

const expectEnvelope = ({ body, headers, more, status }: Answer, code: string, wanted: number) => {
  expect(status).toBe(wanted)
  const parsed = JSON.parse(body)
  expect(parsed).toMatchObject({
    error: {
      code,
      message: expect.any(String),
      ...(code === "VALIDATION_ERROR" ? { details: { issues: [oneIssue] } } : {}),
    },
    meta: { timestamp: expect.stringMatching(/Z$/), request_id: headers["x-request-id"] },
  })
  expect(headers["x-request-id"]).toMatch(/^req_[0-9a-z]{26}$/)
  expect(headers["content-type"]).toBe("application/json")
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)))
  expect(headers["connection"]).toBe("close")
  expect(more).toBe(0)
}

/** A second request after the invalid one. Answering it would allow request smuggling. */
const behind = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
const post = "POST /v1/data HTTP/1.1\r\nHost: a\r\n"

describe("is 400 in the envelope, and the connection closed", () => {
  it.each([
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["an unknown version", "GET / HTTP/1.7\r\nHost: a\r\n\r\n"],
    ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS on a plain port", Buffer.from("16030100a5010000a10303", "hex")],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["the same Host twice", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"],
    ["two Hosts, one in capitals", "GET / HTTP/1.1\r\nhost: a\r\nHOST: b\r\n\r\n"],
    ["a space before the colon of a header", "GET / HTTP/1.1\r\nHost : a\r\n\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"],
    ["a control character in a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u0001\0b\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"],
    ["bare line feeds", "GET / HTTP/1.1\nHost: a\n\n"],
    ["a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["two lengths", `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ["an invalid length", `${post}Content-Length: -1\r\n\r\n`],
    ["a length of two numbers", `${post}Content-Length: 1, 1\r\n\r\na`],
    ["a length too large for a number", `${post}Content-Length: ${"9".repeat(30)}\r\n\r\n`],
    [
      "a length and a transfer coding",
      `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["a coding that does not end with chunked", `${post}Transfer-Encoding: chunked, gzip\r\n\r\n`],
  ])("%s", async (_, text) => {
    expectEnvelope(
      await exchange(Buffer.concat([Buffer.from(text), Buffer.from(behind)])),
      "VALIDATION_ERROR",
      400,
    )
  })

  it("an expectation other than 100-continue", async () => {
    const answer = await exchange(`${post}Expect: 200-ok\r\nContent-Length: 0\r\n\r\n`)

    expectEnvelope(answer, "VALIDATION_ERROR", 400)
  })
})

describe("a chunked body", () => {
  const collect = () =>
    `POST /p/${server.pixelId}/e HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`

  it.each([
    ["whose size is not a number", "xyz\r\nabc\r\n"],
    ["whose size is too large for a number", "fffffffffffffffff\r\nabc\r\n"],
    ["whose chunk is longer than its size", "1\r\nabc\r\n0\r\n\r\n"],
  ])(
    "%s: at most one 400 in the envelope, nothing stored, nothing answered after it",
    async (_, chunks) => {
      const answer = await exchange(`${collect()}${chunks}${behind}`)

      expectEnvelope(answer, "VALIDATION_ERROR", 400)
      expect(await server.sql("select * from event_inbox")).toEqual([])
    },
  )

  it("with too many chunk extensions is 413", async () => {
    const answer = await exchange(`${collect()}1;${"a".repeat(20_000)}\r\na\r\n0\r\n\r\n${behind}`)

    expectEnvelope(answer, "PAYLOAD_TOO_LARGE", 413)
  })
})

it.each([
  ["an unknown transfer coding", "Transfer-Encoding: xchunked\r\n\r\n"],
  ["a chunk whose size is not a number", "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"],
])("%s, after headers that are answered at once: one response and no more", async (_, rest) => {
  const answer = await exchange(`POST /healthz HTTP/1.1\r\nHost: a\r\n${rest}${behind}`)

  expect([400, 405]).toContain(answer.status)
  expect(JSON.parse(answer.body)).toMatchObject({
    meta: { request_id: answer.headers["x-request-id"] },
  })
  expect(answer.more).toBe(0)
})

it("an invalid request after a valid one is rejected on its own", async () => {
  const answer = await exchange(`${behind}FETCH / HTTP/1.1\r\n\r\n`)

  expect(answer.status).toBe(200)
  expect(answer.more).toBe(1)
  expect(answer.body).toContain("HTTP/1.1 400 Bad Request")
})

it("headers of more than 16 KiB are 431", async () => {
  const below = await exchange(
    `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${"a".repeat(16_000)}\r\n\r\n`,
  )
  const above = await exchange(
    `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${"a".repeat(16_400)}\r\n\r\n`,
  )

  expect(below.status).toBe(200)
  expectEnvelope(above, "HEADERS_TOO_LARGE", 431)
})

it("CONNECT is 405, not silence", async () => {
  const answer = await exchange("CONNECT tidewater.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")

  expectEnvelope(answer, "METHOD_NOT_ALLOWED", 405)
  expect(answer.headers["allow"]).toBe("")
})

it("headers that do not arrive are 408 after 10 seconds", async () => {
  const answer = await exchange("GET / HTTP/1.1\r\nHost: a\r\n")

  expectEnvelope(answer, "REQUEST_TIMEOUT", 408)
})

describe("is answered by the app, in the envelope", () => {
  const get = (target: string, more = "") =>
    exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`)

  it.each([
    "http://tidewater.example/nowhere",
    "http://",
    "*",
    "/v1/data/../data",
    "/v1/data/%2e%2e/data",
    "/v1/data%2f",
    "/v1\\data",
    "/%00",
    "/%",
    "/%ff",
    "//evil.example/v1/data",
    "?",
  ])("as an unknown path: %s", async (target) => {
    const answer = await get(target)

    expect([400, 404]).toContain(answer.status)
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { code: expect.stringMatching(/^(?:NOT_FOUND|VALIDATION_ERROR)$/) },
      meta: { request_id: answer.headers["x-request-id"] },
    })
  })

  it("an absolute target of a known path", async () => {
    expect((await get("http://tidewater.example/healthz")).status).toBe(200)
  })

  it("an upgrade that is not supported is ignored", async () => {
    expect((await get("/healthz", "Upgrade: websocket\r\n")).status).toBe(200)
  })

  it("HTTP/0.9, as from an old client that closes", async () => {
    const answer = await exchange("GET /nowhere\r\n\r\n")

    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "NOT_FOUND" } })
  })

  it("HTTP/1.0", async () => {
    expect((await exchange("GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200)
  })
})

it("two valid requests on one connection get two responses", async () => {
  const answer = await exchange(
    `${behind}GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )

  expect(answer.more).toBe(1)
})

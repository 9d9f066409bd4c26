// Answers requests that Node's HTTP parser rejects. They never reach the app and would get an empty body; this sends an
// envelope, a request id and closes the connection. Also handles CONNECT, an unknown expectation and a missing Host,
// and sets the limits of the listening socket.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { errorBody } from "./answer.ts"
import { errorStatus, type Refusal } from "./errors.ts"
import type { Issue } from "./issues.ts"
import { errorAnswer } from "./problem.ts"
import { makeRequestId } from "./request-context.ts"

/** Limits of the listening socket. */
export const socketLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // Node would answer with an empty body; `refuseWithoutOneHost` uses the envelope.
  requireHostHeader: false,
} as const

/** Installs the handlers on a server. `now` returns the response time in ISO 8601. */
export const answerParserErrors = (server: Server, now: () => string): void => {
  const responses = new WeakMap<Duplex, ServerResponse>()
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response)
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const current = responses.get(socket)
    const isSlow = error.code === "ERR_HTTP_REQUEST_TIMEOUT"
    // Node reports it once and leaves the socket open.
    if (isSlow && current !== undefined && hasLongBody(current.req)) return
    // A body may turn out invalid after its request was answered; one response is enough.
    if (current?.headersSent === true && !current.req.complete) return void socket.end()
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    socket.end(rawAnswer(refusalOf(error.code), now()))
  })
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy())
    socket.end(
      rawAnswer(
        {
          code: "METHOD_NOT_ALLOWED",
          message: "CONNECT is not supported.",
          details: { allowed: [] },
        },
        now(),
      ),
    )
  })
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const message = "Only the expectation 100-continue is supported."
    const issue = { path: "/header/expect", code: "enum", message, allowed: ["100-continue"] }
    answerRefusal(response, refusalFor(issue), now())
  })
}

/** RFC 9112, 3.2: HTTP/1.1 requires exactly one Host header. Returns whether the request was rejected. */
export const refuseWithoutOneHost = (
  request: IncomingMessage,
  response: ServerResponse,
  now: () => string,
): boolean => {
  const hosts = countOf("host", request.rawHeaders)
  if (hosts === 1 || (hosts === 0 && request.httpVersion !== "1.1")) return false
  const [code, message] =
    hosts === 0
      ? ["required", "The Host header is required."]
      : ["format", `Expected one Host header, received ${hosts}.`]
  answerRefusal(response, refusalFor({ path: "/header/host", code, message }), now())
  return true
}

/** `headersDistinct` would build an object and an array for each header. `lines`: alternating names and values. */
const countOf = (name: string, lines: ReadonlyArray<string>): number => {
  let count = 0
  for (let place = 0; place < lines.length; place += 2) {
    const line = lines[place]!
    if (line.length === name.length && line.toLowerCase() === name) count++
  }
  return count
}

/** Answers a request that never reaches the app, and closes the connection. */
export const answerRefusal = (
  response: ServerResponse,
  refusal: Refusal,
  timestamp: string,
): void => {
  const { body, headers, status } = parts(refusal, timestamp, response.req.headers.accept)
  response.writeHead(status, headers).end(body)
}

const refusalOf = (code: string | undefined): Refusal => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return {
        code: "HEADERS_TOO_LARGE",
        message: `The headers are larger than ${socketLimits.maxHeaderSize} bytes.`,
      }
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { code: "REQUEST_TIMEOUT", message: "The request took too long to arrive." }
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return {
        code: "PAYLOAD_TOO_LARGE",
        message: "The chunk extensions are too large.",
        details: { limitBytes: 16_384 },
      }
    default:
      return refusalFor({ path: "", code: "format", message: "Invalid HTTP request." })
  }
}

const refusalFor = (issue: Issue): Refusal => ({
  code: "VALIDATION_ERROR",
  message: issue.message,
  details: { issues: [{ ...issue }] },
})

const parts = (refusal: Refusal, timestamp: string, accept?: string) => {
  const id = makeRequestId()
  const status = errorStatus[refusal.code]
  const envelope = errorBody({ ...refusal, meta: { timestamp, request_id: id } })
  const { body, contentType } = errorAnswer(status, envelope, accept)
  return {
    status,
    body,
    headers: {
      "content-type": contentType,
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": id,
      "x-content-type-options": "nosniff",
      connection: "close",
      ...(refusal.code === "METHOD_NOT_ALLOWED" ? { allow: "" } : {}),
    },
  }
}

/** Without the request, whose headers the parser did not read. */
const rawAnswer = (refusal: Refusal, timestamp: string): string => {
  const { body, headers, status } = parts(refusal, timestamp)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`
}

// Requests whose body may arrive slowly because it is streamed. The handler enforces its pace instead of the parser.
const longBodies = new WeakSet<object>()

/** `request`: from node:http. Does nothing for requests that arrived another way. */
export const allowLongBody = (request: object): void => {
  longBodies.add(request)
}

const hasLongBody = (request: object): boolean => longBodies.has(request)

// What Node's own HTTP parser refuses never reaches the app, and by default leaves with an empty
// body (reliability.md T9). Here it gets the envelope, an id and a closed connection, as do CONNECT
// and an unknown expectation. Also sets the time and size bounds of the listening socket.
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { STATUS_CODES } from "node:http"
import { errorBody } from "./answer.ts"
import { errorStatus, type Refusal } from "./errors.ts"
import { makeRequestId } from "./request-id.ts"

/** Bounds of the listening socket. Source: reliability.md 2, Bounded everything. */
export const socketLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
} as const

/** Installs the answers on a server. `now` gives the time of the answer in ISO 8601. */
export const answerParserErrors = (server: Server, now: () => string): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    socket.end(rawAnswer(refusalOf(error.code), now()))
  })
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy())
    socket.end(
      rawAnswer(
        {
          code: "METHOD_NOT_ALLOWED",
          message: "CONNECT is not answered.",
          details: { allowed: [] },
        },
        now(),
      ),
    )
  })
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { body, headers, status } = parts(
      { code: "VALIDATION_ERROR", message: "Only the expectation 100-continue is known." },
      now(),
    )
    response.writeHead(status, headers).end(body)
  })
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
      return { code: "VALIDATION_ERROR", message: "The request is not valid HTTP." }
  }
}

const parts = (refusal: Refusal, timestamp: string) => {
  const id = makeRequestId()
  const body = JSON.stringify(errorBody({ ...refusal, meta: { timestamp, request_id: id } }))
  return {
    status: errorStatus[refusal.code],
    body,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": id,
      "x-content-type-options": "nosniff",
      connection: "close",
    },
  }
}

const rawAnswer = (refusal: Refusal, timestamp: string): string => {
  const { body, headers, status } = parts(refusal, timestamp)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`
}

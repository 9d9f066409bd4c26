// An HTTP server that verifies each webhook, forwards it if requested, responds, and reports it. It
// reports requests one at a time and does not store them. A forwarded request keeps its method,
// headers and bytes, so that the signature stays valid.

import { once } from "node:events"
import {
  createServer,
  type IncomingMessage,
  request as plain,
  type ServerResponse,
} from "node:http"
import { request as secure } from "node:https"
import type { AddressInfo } from "node:net"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import type { StoredRequest } from "../webhooks/stored-request.ts"
import { type EventFacts, eventFacts, type Verdict, verdictOn } from "../webhooks/verdict.ts"

/** Bytes kept of a response; the rest is dropped. */
const ANSWER_BYTES_MAX = 65_536

const TIMEOUT_MS = 30_000

/** The result of forwarding. */
export type Forwarded =
  | { readonly status: number; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number }

export interface Received extends StoredRequest {
  readonly receivedAt: Date
  readonly method: string
  readonly path: string
  readonly verdict: Verdict
  readonly facts: EventFacts
  /** Null if the request was not forwarded. */
  readonly forwarded: Forwarded | null
  /** The status sent back. */
  readonly status: number
}

/** A line of NDJSON that `footfall webhooks verify` can read. */
export const receivedRecord = (received: Received): object => {
  const { body, facts, forwarded, headers, method, path, receivedAt, status, verdict } = received
  const { payload, ...others } = facts
  return {
    receivedAt: receivedAt.toISOString(),
    method,
    path,
    ...verdict,
    ...others,
    status,
    forwarded,
    headers,
    payload: payload ?? null,
    body: Buffer.from(body).toString("utf8"),
  }
}

export interface Answer {
  readonly forwarded: Forwarded
  /** Null if the response has none. */
  readonly contentType: string | null
  readonly body: Buffer
}

/** Headers of the connection, not of the message. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Never throws; the result contains any error. */
export const forward = async (
  to: URL,
  message: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
  },
): Promise<Answer> => {
  const beganMs = performance.now()
  const durationMs = (): number => Math.round(performance.now() - beganMs)
  try {
    const answer = await send(to, message)
    const body = await answerBody(answer)
    return {
      forwarded: { status: answer.statusCode ?? 0, durationMs: durationMs() },
      contentType: answer.headers["content-type"] ?? null,
      body,
    }
  } catch (error) {
    const reason = error instanceof Error ? (codeOf(error) ?? error.message) : String(error)
    return {
      forwarded: { error: reason, durationMs: durationMs() },
      contentType: null,
      body: Buffer.alloc(0),
    }
  }
}

const send = (
  to: URL,
  { body, headers, method }: Parameters<typeof forward>[1],
): Promise<IncomingMessage> => {
  const { promise, reject, resolve } = Promise.withResolvers<IncomingMessage>()
  const sentHeaders = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
  const outgoing = (to.protocol === "https:" ? secure : plain)(
    to,
    {
      method,
      headers: { ...Object.fromEntries(sentHeaders), "content-length": body.length },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    },
    resolve,
  )
  outgoing.on("error", reject).end(body)
  return promise
}

const answerBody = async (answer: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= ANSWER_BYTES_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX)
}

const codeOf = (error: Error & { readonly code?: unknown }): string | null =>
  error.name === "TimeoutError"
    ? `no response within ${TIMEOUT_MS / 1000} s`
    : typeof error.code === "string"
      ? error.code
      : null

/** A larger body gets a 413 response and is not reported. Footfall sends less than 20 KB. */
const BODY_BYTES_MAX = 1_048_576

/** spec 8.1. */
const TOLERANCE_SECONDS = 300

interface ReceiverOptions {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  /** Called for every request, because the secret of a new webhook arrives later. */
  readonly secrets: () => ReadonlyArray<string>
  readonly forwardTo: URL | null
  /**
   * Null: the status of the forwarded request, or 502 if forwarding fails. Without forwarding, 200,
   * or 400 for an invalid request.
   */
  readonly status: number | null
  /** Called for one request at a time. */
  readonly onReceived: (received: Received) => Promise<void>
}

export interface Receiver {
  readonly url: string
  /** Resolves after every request in progress is answered and reported. */
  readonly close: () => Promise<void>
}

/** Errors: `PORT_UNAVAILABLE`. */
export const startReceiver = async (options: ReceiverOptions): Promise<Receiver> => {
  const { host, port } = options
  let reported: Promise<void> = Promise.resolve()
  const tell = (received: Received): Promise<void> =>
    (reported = reported.then(() => options.onReceived(received)))
  const server = createServer((request, response) => {
    // Errors here come from the display. The sender still gets a response.
    receive(request, response, options, tell).catch(() => response.destroy())
  })
  server.listen(port, host)
  try {
    await once(server, "listening")
  } catch (error) {
    throw portUnavailable(options, error)
  }
  // A server that listens on a port always has this kind of address.
  const { port: given } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${given}/`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeIdleConnections()
      await closed
      await reported
    },
  }
}

const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  { forwardTo, secrets, status }: ReceiverOptions,
  tell: (received: Received) => Promise<void>,
): Promise<void> => {
  const receivedAt = new Date()
  const body = await requestBody(request)
  response.setHeader("connection", "close")
  if (body === null) return void response.writeHead(413).end()
  const stored: StoredRequest = { headers: headersOf(request), body }
  const { method = "", url = "" } = request
  const verdict = await verdictOn(stored, {
    secrets: secrets(),
    toleranceSeconds: TOLERANCE_SECONDS,
    now: receivedAt,
  })
  const handed = forwardTo === null ? null : await forward(forwardTo, { method, ...stored })
  const answered = status ?? statusOf(handed, verdict)
  if (handed?.contentType) response.setHeader("content-type", handed.contentType)
  response.writeHead(answered).end(status === null ? handed?.body : undefined)
  await tell({
    ...stored,
    receivedAt,
    method,
    path: url,
    verdict,
    facts: eventFacts(stored),
    forwarded: handed?.forwarded ?? null,
    status: answered,
  })
}

const statusOf = (handed: Answer | null, { verdict }: Verdict): number => {
  if (handed === null) return verdict === "refused" ? 400 : 200
  return "status" in handed.forwarded ? handed.forwarded.status : 502
}

/** Null if the body is too large; the rest of it is not read. */
const requestBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request) {
    chunks.push(chunk)
    length += chunk.length
    if (length > BODY_BYTES_MAX) return null
  }
  return Buffer.concat(chunks)
}

const headersOf = ({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(", ")]),
  )

const portUnavailable = ({ host, port }: ReceiverOptions, error: unknown): CliError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
  return new CliError({
    code: "PORT_UNAVAILABLE",
    message: `Can't listen on ${host}:${port} (${code}).`,
    exitCode: ExitCode.failed,
    nextStep: "Use another port: --port <n>, or --port 0 for a free one.",
  })
}

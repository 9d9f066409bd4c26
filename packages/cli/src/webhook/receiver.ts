// A receiver of webhooks on this computer: judges each request, hands it on where that is wanted, answers,
// and tells of it. One after the other is told of whole; none is kept.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { eventFacts } from "./event-facts.ts"
import { type Answer, forward } from "./forward.ts"
import type { Received } from "./received.ts"
import type { StoredRequest } from "./stored-request.ts"
import { verdictOn, type Verdict } from "./verdict.ts"

/** More is answered with 413 and not told of; Footfall sends less than 20 KB. */
const BODY_BYTES_MAX = 1_048_576

/** spec 8.1. */
const TOLERANCE_SECONDS = 300

export interface ReceiverOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Asked for every request, because they may come later than the first one. */
  readonly secrets: () => ReadonlyArray<string>
  readonly forwardTo: URL | null
  /** Null: that of where it was forwarded to, else 200, and 400 for what is refused. */
  readonly status: number | null
  /** Called for one after the other. */
  readonly onReceived: (received: Received) => Promise<void>
}

export interface Receiver {
  readonly url: string
  /** Ends once what is under way is answered. */
  readonly close: () => Promise<void>
}

/** Errors: `PORT_UNAVAILABLE`. */
export const startReceiver = async (options: ReceiverOptions): Promise<Receiver> => {
  const { host, port } = options
  let told: Promise<void> = Promise.resolve()
  const tell = (received: Received): Promise<void> =>
    (told = told.then(() => options.onReceived(received)))
  const server = createServer((request, response) => {
    // What is thrown here is thrown by the screen; the sender gets an answer all the same.
    receive(request, response, options, tell).catch(() => response.destroy())
  })
  server.listen(port, host)
  try {
    await once(server, "listening")
  } catch (error) {
    throw portUnavailable(options, error)
  }
  // A server that listens on a port has an address of this form.
  const { port: given } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${given}/`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeIdleConnections()
      await closed
      await told
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
  const body = await bodyOf(request)
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

/** Null for one that is too large, which is not read to its end. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | null> => {
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
    message: `Cannot listen on ${host}:${port} (${code}).`,
    exitCode: ExitCode.failed,
    nextStep: "Use another port: --port <n>, or --port 0 for any that is free.",
  })
}

// Hands a webhook on to another address: the same method, headers and bytes, so that its signature holds.
// Follows no redirect, asks no proxy.

import { request as plain, type IncomingMessage } from "node:http"
import { request as secure } from "node:https"

/** Of the answer; the rest is dropped. */
const ANSWER_BYTES_MAX = 65_536

const TIMEOUT_MS = 30_000

/** What came of it. */
export type Forwarded =
  | { readonly status: number; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number }

export interface Answer {
  readonly forwarded: Forwarded
  /** Null when there was none. */
  readonly contentType: string | null
  readonly body: Buffer
}

/** Those of the connection, not of the message. */
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

/** Errors: none; what goes wrong is in what is returned. */
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
    const body = await bodyOf(answer)
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
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
  const outgoing = (to.protocol === "https:" ? secure : plain)(
    to,
    {
      method,
      headers: { ...Object.fromEntries(kept), "content-length": body.length },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    },
    resolve,
  )
  outgoing.on("error", reject).end(body)
  return promise
}

const bodyOf = async (answer: IncomingMessage): Promise<Buffer> => {
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
    ? `no answer within ${TIMEOUT_MS / 1000} s`
    : typeof error.code === "string"
      ? error.code
      : null

// Requests to an address that the operator configured. It may be private, so no guard applies; addresses that customers
// set go through outbound.ts. Connections and response sizes are bounded.
import type { Pool } from "undici"

/** Concurrent requests. */
const connectionsMax = 4

/** Time limit without any data. Units: milliseconds. */
const silenceMs = 300_000

export interface OperatorPost {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly signal: AbortSignal
  /** Maximum size of the response; a larger one is an error. */
  readonly bytesMax: number
}

export class OperatorPool {
  readonly #origin: string
  readonly #silenceMs: number
  #pool: Promise<Pool> | undefined

  constructor(origin: string, options: { readonly silenceMs?: number } = {}) {
    this.#origin = origin
    this.#silenceMs = options.silenceMs ?? silenceMs
  }

  /** Rejects if the response is incomplete. */
  async post(request: OperatorPost): Promise<{ readonly status: number; readonly text: string }> {
    const { bytes, status } = await this.postForBytes(request)
    return { status, text: bytes.toString("utf8") }
  }

  /** Like `post`, for a binary response. */
  async postForBytes({
    body,
    bytesMax,
    headers,
    path,
    signal,
  }: OperatorPost): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const pool = await (this.#pool ??= connect(this.#origin, this.#silenceMs))
    const answer = await pool.request({ method: "POST", path, headers, body, signal })
    return { status: answer.statusCode, bytes: await read(answer.body, bytesMax) }
  }

  /** Aborts everything in progress. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }
}

/** Loaded on first use. */
const connect = async (origin: string, timeout: number): Promise<Pool> => {
  const { Pool } = await import("undici")
  return new Pool(origin, {
    connections: connectionsMax,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
}

const read = async (body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error(`expected at most ${bytesMax} bytes of answer`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

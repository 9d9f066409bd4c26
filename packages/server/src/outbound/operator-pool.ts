// The way to an address that the operator set, in the environment or in code. It may be a private one, so
// nothing guards it; an address that a customer can set goes through outbound.ts. Bounded in connections
// and in what is read of an answer.
import type { Pool } from "undici"

/** Requests under way at a time. */
const connectionsMax = 4

/** How long an address may be silent. Units: milliseconds. */
const silenceMs = 300_000

export interface OperatorPost {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly signal: AbortSignal
  /** Of the answer; a longer one is an error. */
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

  /** The same for an answer that is no text. */
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

  /** Ends what is under way. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }
}

/** Loaded when someone asks. */
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

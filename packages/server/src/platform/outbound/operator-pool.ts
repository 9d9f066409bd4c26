// Requests to an address that the operator configured. It may be private, so no guard applies; addresses that customers
// set go through outbound.ts. Connections and response sizes are bounded.
import type { Pool } from "undici"
import { exchange } from "./exchange.ts"
import type { Guard } from "./vetted-addresses.ts"

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

/** undici is loaded on first use. It is CommonJS, so the bundled command has only its default export. */
const connect = async (origin: string, timeout: number): Promise<Pool> => {
  const { Pool } = (await import("undici")).default
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
    if (bytes > bytesMax) throw new Error(`expected at most ${bytesMax} bytes in the response`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// `fetch` for a library that talks to a server the operator configured, so private addresses are allowed. It keeps no
// cookies, uses no proxy, follows no redirect and limits the body. The library sets the timeout through its signal.

/** The parts of a request that the library sets. */
interface FetchOptions {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const bytesMax = 262_144

/** Statuses without a body: `Response` throws if it gets one. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Rejects like `exchange`. */
export const operatorFetch =
  (lookup: Guard["lookup"]) =>
  async (
    url: string,
    { body, headers, method = "GET", signal = new AbortController().signal }: FetchOptions,
  ): Promise<Response> => {
    const answer = await exchange(new URL(url), {
      lookup,
      isPrivateAllowed: true,
      bytesMax,
      signal,
      post: method === "POST" ? { body: String(body) } : undefined,
      headers: Object.fromEntries(new Headers(headers)),
    })
    return new Response(bodiless.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    })
  }

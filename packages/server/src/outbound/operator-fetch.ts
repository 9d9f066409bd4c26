// `fetch` for a library that talks to a server the operator configured, so private addresses are allowed. It keeps no
// cookies, uses no proxy, follows no redirect and limits the body. The library sets the timeout through its signal.
import { exchange } from "./exchange.ts"
import type { Guard } from "./vetted-addresses.ts"

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

/** Rejects as `exchange` does. */
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

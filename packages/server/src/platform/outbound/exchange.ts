// One request over one guarded connection, opened for it and closed after it, so the hostname is resolved and checked
// on every attempt. Ignores redirects and has no time limit of its own; the caller passes a signal. Neither requests
// nor decodes a content encoding: a body is as large as it was sent.
import type { Dispatcher } from "undici"
import { version } from "../../version.ts"
import { guardedConnector } from "./connector.ts"
import { TooLarge } from "./outbound-error.ts"
import { type Guard, vettedAddresses } from "./vetted-addresses.ts"

/** Total size of a response's headers; more is an error. Units: bytes. */
export const headerBytesMax = 16_384

export interface Exchanged {
  readonly status: number
  /** Lower-case names. For a repeated header, its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

const requestHeaders = {
  "user-agent": `footfall/${version}`,
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "accept-encoding": "identity",
}

/** Rejects with a guard's OutboundError, with TooLarge, or with undici's error. */
export const exchange = async (
  url: URL,
  options: Guard & {
    readonly bytesMax: number
    readonly signal: AbortSignal
    /** Default: GET, without a body. */
    readonly post?: { readonly body: string } | undefined
    /** Lower-case names; added to ours, or replacing them. */
    readonly headers?: Readonly<Record<string, string>> | undefined
  },
): Promise<Exchanged> => {
  const { bytesMax, headers, post, signal } = options
  // Loaded on first use: commands and most servers never fetch a page.
  const { buildConnector, Client } = (await import("undici")).default
  const addresses = await vettedAddresses(url.hostname, options)
  signal.throwIfAborted()
  // The signal carries the time limit of the whole request.
  const connect = guardedConnector(buildConnector, { addresses, signal, timeoutMs: 0 })
  const client = new Client(url.origin, { connect, maxHeaderSize: headerBytesMax, allowH2: false })
  try {
    const path = url.pathname + url.search
    const answer = await client.request({
      method: post === undefined ? "GET" : "POST",
      path,
      headers: { ...requestHeaders, ...headers },
      ...post,
      signal,
    })
    return {
      status: answer.statusCode,
      headers: firstValues(answer.headers),
      body: await readAtMost(bytesMax, answer),
    }
  } finally {
    await client.destroy()
  }
}

/** Takes headers as undici returns them. */
export const firstValues = (headers: Dispatcher.ResponseData["headers"]): Exchanged["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )

const readAtMost = async (
  bytesMax: number,
  { body, headers }: Dispatcher.ResponseData,
): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let length = Number(headers["content-length"] ?? 0)
  if (length <= bytesMax) {
    length = 0
    for await (const chunk of body) {
      length += chunk.length
      if (length > bytesMax) break
      chunks.push(chunk)
    }
  }
  if (length > bytesMax) throw new TooLarge({ bytesMax })
  return Buffer.concat(chunks)
}

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

interface Answered {
  readonly status: number
  /** Lower-case names. For a repeated header, its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface Exchanged extends Answered {
  readonly body: Uint8Array
}

/** An answer whose body has not been read. */
export interface Opened extends Answered {
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the connection, whatever has been read. */
  close(): Promise<void>
}

interface ExchangeOptions extends Guard {
  readonly signal: AbortSignal
  /** Default: GET, without a body. */
  readonly post?: { readonly body: string } | undefined
  /** Lower-case names; added to ours, or replacing them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const requestHeaders = {
  "user-agent": `footfall/${version}`,
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "accept-encoding": "identity",
}

/** Rejects with a guard's OutboundError, with TooLarge, or with undici's error. */
export const exchange = async (
  url: URL,
  options: ExchangeOptions & { readonly bytesMax: number },
): Promise<Exchanged> => {
  const { close, ...answer } = await openExchange(url, options)
  try {
    return { ...answer, body: await readAtMost(options.bytesMax, answer) }
  } finally {
    await close()
  }
}

/** Like `exchange`, but the caller reads the body, and closes. */
export const openExchange = async (url: URL, options: ExchangeOptions): Promise<Opened> => {
  const { headers, post, signal } = options
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
      body: answer.body,
      close: () => client.destroy(),
    }
  } catch (error) {
    await client.destroy()
    throw error
  }
}

/** Whether a body says that it is larger than this. */
export const isAnnouncedAbove = (bytesMax: number, { headers }: Answered): boolean =>
  Number(headers["content-length"] ?? 0) > bytesMax

/** Takes headers as undici returns them. */
export const firstValues = (headers: Dispatcher.ResponseData["headers"]): Exchanged["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )

const readAtMost = async (bytesMax: number, answer: Omit<Opened, "close">): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  if (isAnnouncedAbove(bytesMax, answer)) throw new TooLarge({ bytesMax })
  let length = 0
  for await (const chunk of answer.body) {
    length += chunk.length
    if (length > bytesMax) throw new TooLarge({ bytesMax })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

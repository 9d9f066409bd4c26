// Headers of a source's requests, which may hold secrets: sealed, so only their names are shown (spec 5.21.2).
import type { Sealing } from "../../platform/secrets/sealing.ts"
import { headerLengthMax, headersMax } from "./source.ts"

/** A source, which owns its headers. */
interface Owner {
  readonly organizationId: string
  readonly id: string
}

export const headersSealing = ({ id, organizationId }: Owner): Sealing => ({
  purpose: "account-credentials",
  owner: `${organizationId}.${id}`,
})

/** The connection sets these. */
const ours = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "if-modified-since",
  "if-none-match",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** The headers by lower-case name, or what is wrong with them. */
export const readHeaders = (
  given: Readonly<Record<string, string>>,
): { readonly headers: Readonly<Record<string, string>> } | { readonly refused: string } => {
  const entries = Object.entries(given)
  if (entries.length > headersMax) {
    return { refused: `Expected at most ${headersMax} headers, received ${entries.length}.` }
  }
  const headers = new Map<string, string>()
  for (const [written, value] of entries) {
    const name = written.trim().toLowerCase()
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) {
      return { refused: `Expected names of headers, received "${written.slice(0, 80)}".` }
    }
    if (ours.has(name)) return { refused: `Expected no header ${name}: Footfall sets it.` }
    if (headers.has(name)) return { refused: `Expected the header ${name} once.` }
    if (value.length > headerLengthMax || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return {
        refused: `Expected at most ${headerLengthMax} printable characters in the header ${name}.`,
      }
    }
    headers.set(name, value)
  }
  return { headers: Object.fromEntries(headers) }
}

// A request saved in a file: raw, as a line of `footfall listen --json`, or as a body with separate headers. The body's
// bytes are not changed, because they are signed.

import { usageError } from "../errors/cli-error.ts"

/** Header names are in lower case. */
export interface StoredRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * `headers`: lines from `--header`; if there are any, the bytes are only the body. Errors: usage, for any other format.
 */
export const storedRequest = (bytes: Buffer, headers: ReadonlyArray<string>): StoredRequest => {
  if (headers.length > 0) return { headers: headersOf(headers), body: bytes }
  return bytes.toString("latin1").trimStart().startsWith("{") ? listened(bytes) : message(bytes)
}

/** A line of `footfall listen --json`. */
const listened = (bytes: Buffer): StoredRequest => {
  const { body, headers } = parsed(bytes)
  if (typeof body !== "string" || typeof headers !== "object" || headers === null) {
    throw usageError(
      "The file has the body of a request but no headers.",
      "Add them, for example: --header 'webhook-id: msg_…', and the same for webhook-timestamp and webhook-signature",
    )
  }
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string"
  })
  return {
    headers: Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(body),
  }
}

const parsed = (bytes: Buffer): { readonly body?: unknown; readonly headers?: unknown } => {
  try {
    // An object, because it starts with a brace.
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    return {}
  }
}

/** A complete HTTP/1.1 message, with or without its first line. */
const message = (bytes: Buffer): StoredRequest => {
  const [end, length] = headerEnd(bytes)
  if (end < 0) {
    throw usageError(
      "This is not a request: expected headers, an empty line and the body.",
      "Or pass the body alone, with --header for each header.",
    )
  }
  const [first = "", ...rest] = bytes.toString("latin1", 0, end).split(/\r?\n/)
  const isRequestLine = / HTTP\/1\.[01]$/.test(first)
  const headers = headersOf(isRequestLine ? rest : [first, ...rest])
  const body = bytes.subarray(end + length)
  const contentLength = Number(headers["content-length"] ?? body.length)
  return { headers, body: body.subarray(0, contentLength) }
}

/** Where the headers end, and the length of the separator. */
const headerEnd = (bytes: Buffer): readonly [end: number, length: number] => {
  const [crlf, lf] = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")]
  return crlf >= 0 && (lf < 0 || crlf < lf) ? [crlf, 4] : [lf, 2]
}

const headersOf = (lines: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
      if (name === undefined || value === undefined) {
        throw usageError(
          `Invalid header: ${JSON.stringify(line.slice(0, 80))}. Expected name: value.`,
        )
      }
      return [name.toLowerCase(), value]
    }),
  )

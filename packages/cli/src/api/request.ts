// Builds the request that a command line describes: path, query and body. Sends nothing.

import type { RawRequest } from "@footfall/sdk"
import { unreadable, usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { ApiOptions } from "./given.ts"

/** Errors: usage, for a URL of another server and for a body that can't be read or is not JSON. */
export const readRequest = async (
  terminal: Terminal,
  options: ApiOptions,
  { baseUrl, method, path: given }: Omit<RawRequest, "body"> & { readonly baseUrl: string },
): Promise<RawRequest> => {
  const { apiKeyStdin, data, field = [], output, paginate } = options
  if (output === "csv" || output === "table") {
    throw usageError(`footfall api prints json or ndjson, not ${output}.`)
  }
  if (paginate && method !== "GET") throw usageError("--paginate is only for GET.")
  const path = pathOnServer(given, baseUrl)
  const isQuery = method === "GET" || method === "DELETE"
  if (data !== undefined) {
    if (method === "GET") throw usageError("A GET has no body.", "Use --field for its query.")
    if (data === "-" && apiKeyStdin) {
      throw usageError("Can't read both the API key and the body from standard input.")
    }
    return { method, path, body: parsed(await readData(terminal, data)) }
  }
  if (field.length === 0) return { method, path }
  if (!isQuery) return { method, path, body: Object.fromEntries(field) }
  return { method, path: withQuery(path, field) }
}

/**
 * Returns the path as the SDK expects it, relative to the server's URL. An absolute URL must be on
 * this server. Errors: usage.
 */
export const pathOnServer = (given: string, baseUrl: string): string => {
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(given)
  const address = isAbsolute ? given : `${baseUrl}/${given.replace(/^\//, "")}`
  const url = URL.parse(address)
  const base = new URL(`${baseUrl}/`)
  if (url === null) throw usageError(`"${given}" is not a path.`, forExample)
  if (url.origin !== base.origin || url.username !== "" || url.password !== "") {
    throw usageError(
      `${given} is not on ${base.origin}, the only server that credentials are sent to.`,
      "Pass only the path. To use another server, add --profile or --base-url.",
    )
  }
  if (!url.pathname.startsWith(base.pathname)) {
    throw usageError(`${given} is not under ${baseUrl}.`, forExample)
  }
  return `/${url.pathname.slice(base.pathname.length)}${url.search}`
}

const forExample = "For example: footfall api GET /v1/data/account"

const withQuery = (path: string, fields: NonNullable<ApiOptions["field"]>): string => {
  const [before = "", query = ""] = path.split(/\?([^]*)/)
  const params = new URLSearchParams(query)
  for (const [name, value] of fields) {
    params.append(name, typeof value === "string" ? value : JSON.stringify(value))
  }
  return `${before}?${params}`
}

const readData = async ({ stdin }: Terminal, given: string): Promise<string> => {
  if (given === "-") {
    const { default: consumers } = await import("node:stream/consumers")
    return consumers.text(stdin)
  }
  if (!given.startsWith("@")) return given
  const { default: files } = await import("node:fs/promises")
  return files.readFile(given.slice(1), "utf8").catch((error: unknown) => {
    throw unreadable(given.slice(1), error)
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageError(
      `The body is not JSON: ${error instanceof Error ? error.message : error}`,
      "For a file: --data @body.json",
    )
  }
}

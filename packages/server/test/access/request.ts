// Sends one request to a test server with chosen credentials, and reads the response.
import type { TestServer } from "../support/server.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

interface Body {
  // A test states the data by its type, or by matching it.
  readonly data: never
  readonly error: { readonly code: string; readonly details: unknown }
  readonly meta: { readonly nextCursor: string | null; readonly hasMore: boolean }
}

export interface Credentials {
  readonly token?: string | undefined
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** `call(server)("POST /v1/api-keys", {name: "x"}, {token})`. Sends a body if one is given. */
export const caller =
  (server: Pick<TestServer, "url">) =>
  async (operation: string, body?: unknown, credentials: Credentials = {}): Promise<Answer> => {
    const [method = "GET", path = "/"] = operation.split(" ")
    const { apiKey, headers = {}, token } = credentials
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // The calling test checks the shape.
    const read = (await response.json()) as Body
    return { status: response.status, headers: response.headers, body: read }
  }

// Sends one request to the Data API as an organization. Returns any response.
import type { TestOrganization, TestServer } from "../support/server.ts"

export const rulesPath = "/v1/data/suppression-rules"

/** Each test checks the type of what it reads; the parity test checks the wire schema. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Answer = Record<"data" | "meta" | "error", any>

export const request = async (
  server: TestServer,
  { apiKey }: TestOrganization,
  {
    body,
    method,
    path,
  }: { readonly method: string; readonly path: string; readonly body?: unknown },
) => {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      "x-api-key": apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as Answer) }
}

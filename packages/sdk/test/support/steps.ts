// The steps for scripts of the test server.

import type { Step } from "./scripted-server.ts"

/** The `meta` of every response. */
const meta = {
  timestamp: "2026-03-11T09:00:00.000Z",
  request_id: "req_rtjpiop3f24wzahlzbcsj2b7co",
}

/** A successful response. */
export function succeed(data: unknown, extraMeta: object = {}): Step {
  return (response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "x-request-id": meta.request_id,
    })
    response.end(JSON.stringify({ data, meta: { ...meta, ...extraMeta } }))
  }
}

/** An error in the API's envelope. */
export function refuse(
  status: number,
  code: string,
  { details, headers }: { details?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Step {
  return (response) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "x-request-id": meta.request_id,
      ...headers,
    })
    response.end(JSON.stringify({ error: { code, message: `refused: ${code}`, details }, meta }))
  }
}

/** A response that isn't from the API. */
export function answerRaw(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Step {
  return (response) => {
    response.writeHead(status, headers).end(body)
  }
}

/** Cuts the connection before the first byte of a response. */
export const reset: Step = (_response, request) => {
  request.socket.resetAndDestroy()
}

/** Cuts the connection after the headers and half of the body. */
export const resetInsideBody: Step = (response, request) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write('{"data": [', () => request.socket.resetAndDestroy())
}

/** Never responds. */
export const hang: Step = () => {}

/** Sends the headers and half of a body, then stalls. */
export const hangInsideBody: Step = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write('{"data": [')
}

// Errors as problem details (RFC 9457), for clients that prefer them to the envelope. spec 1.3.11
import { HttpBody, HttpServerResponse } from "effect/http"
import { STATUS_CODES } from "node:http"
import { weightsOf } from "./compression.ts"

const problemType = "application/problem+json"

/** What it takes of an error's envelope. */
interface Envelope {
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown }
  readonly meta: { readonly request_id: string }
}

/** Whether the header gives problem details a greater weight than JSON (RFC 9110, 12.5.1). */
export const prefersProblem = (accept: string | undefined): boolean => {
  if (accept === undefined || !accept.toLowerCase().includes(problemType)) return false
  const weights = weightsOf(accept)
  const json =
    weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0
  return (weights.get(problemType) ?? 0) > json
}

/** `instance` is the request id, by which the server's log names the request. */
const problemOf = (status: number, { error, meta }: Envelope) => ({
  type: "about:blank",
  title: STATUS_CODES[status] ?? "Error",
  status,
  detail: error.message,
  instance: meta.request_id,
  code: error.code,
  ...(error.details === undefined ? {} : { details: error.details }),
})

/** The body of an error and its type, in the form that the client prefers. For responses outside the router. */
export const errorAnswer = (status: number, envelope: Envelope, accept: string | undefined) =>
  prefersProblem(accept)
    ? { contentType: problemType, body: JSON.stringify(problemOf(status, envelope)) }
    : { contentType: "application/json", body: JSON.stringify(envelope) }

/** An error's response, as problem details if it has the envelope and the client prefers them. */
export const asProblem = (
  response: HttpServerResponse.HttpServerResponse,
  accept: string | undefined,
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = response
  if (!prefersProblem(accept) || body._tag !== "Uint8Array") return response
  if (!(response.headers["content-type"] ?? body.contentType).startsWith("application/json")) {
    return response
  }
  // Every JSON response with such a status is the envelope.
  const envelope = JSON.parse(body.text ?? Buffer.from(body.body).toString()) as Envelope
  return response.pipe(
    HttpServerResponse.setBody(
      HttpBody.text(JSON.stringify(problemOf(status, envelope)), problemType),
    ),
    HttpServerResponse.setHeader("vary", "Accept"),
  )
}

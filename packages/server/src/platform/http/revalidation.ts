// Lets clients keep the reads that the console polls, and ask whether they have changed (spec 1.3.10). The tag leaves
// out what differs on every request: in `meta`, the time, the request id, the cursor of the next page and the begin of
// the window.
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

/** The routes, of GET. */
export const revalidatedRoutes: ReadonlySet<string> = new Set([
  "/v1/data",
  "/v1/data/companies",
  "/v1/data/overview",
  "/v1/data/pixels",
  "/v1/data/pixels/:id",
  "/v1/data/webhooks",
  "/v1/data/webhooks/:id",
  "/v1/intent/audiences/:id/runs",
  "/v1/intent/audiences/:id/runs/:runId",
  "/v1/intent/audiences/:audienceId/deliveries",
  "/v1/intent/audiences/:audienceId/deliveries/:deliveryId",
])

/** Only the client's own cache may keep it, only for the same credentials, and it asks before each use. */
const headers = {
  "cache-control": "private, no-cache",
  vary: "Authorization, X-API-Key, Cookie, Accept-Encoding",
}

/** Every tag ends with the hour, because a kept cursor must not expire. */
const hourMs = 3_600_000

/** The response of such a route, or a 304 if the client has it already. */
export const revalidated = (
  response: HttpServerResponse.HttpServerResponse,
  {
    id,
    ifNoneMatch,
    nowMs,
  }: {
    /** Of the request. */
    readonly id: string
    readonly ifNoneMatch: string | undefined
    readonly nowMs: number
  },
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = response
  if (status !== 200 || body._tag !== "Uint8Array") return response
  const text = body.text ?? Buffer.from(body.body).toString()
  const metaAt = text.lastIndexOf('"meta":{')
  const meta = text
    .slice(metaAt)
    .replace(new RegExp(`"timestamp":"[^"]*","request_id":"${id}"`), "")
    .replace(/"nextCursor":"[^"]*"/, "")
    .replace(/("coverage":\{"partial":(?:true|false)),"from":"[^"]*"/, "$1")
  const hash = createHash("sha256")
    .update(text.slice(0, metaAt))
    .update(meta)
    .update(String(Math.floor(nowMs / hourMs)))
  // Weak, because the bodies differ in what is left out.
  const etag = `W/"${hash.digest("base64url").slice(0, 22)}"`
  return isKnownTag(ifNoneMatch, etag)
    ? HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
    : HttpServerResponse.setHeaders(response, { ...headers, etag })
}

/** RFC 9110, 13.1.2: a list of tags, compared as if all were weak, or `*`. */
export const isKnownTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag.replace(/^W\//, "")))

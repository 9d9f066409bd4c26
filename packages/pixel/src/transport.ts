/**
 * One POST of a batch that outlives the page: `fetch` with `keepalive`, else `sendBeacon`, as
 * `text/plain` so that no preflight is needed (decisions.md 6.3).
 *
 * Promises to reject exactly when another try may help: no answer, or a 5xx. Sends no credentials
 * (a beacon cannot be told so; the collect address sets and reads no cookie).
 */
import { endpoint } from "./settings.ts"

export const post = async (body: string): Promise<void> => {
  if ("keepalive" in Request.prototype) {
    const answer = await fetch(endpoint, {
      method: "POST",
      body,
      keepalive: true,
      credentials: "omit",
    })
    if (answer.status < 500) return
  } else if (navigator.sendBeacon(endpoint, body)) return
  throw endpoint
}

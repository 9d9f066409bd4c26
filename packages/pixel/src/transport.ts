/**
 * One POST of a batch that outlives the page, as `text/plain` so that no preflight is needed
 * (decisions.md 6.3): `fetch` with `keepalive`; where a browser has not got that, `sendBeacon`, and
 * plain `fetch` for what a beacon does not take.
 *
 * Sends no credentials (a beacon cannot be told so; the collect address sets and reads no cookie).
 * Never rejects, whatever the page did to promises: nothing but `await` touches one.
 */
import { timestamp } from "./event.ts"
import { endpoint } from "./settings.ts"

/**
 * Sends a batch, to whose text it adds the end with the time of sending. Undefined: it was taken, or
 * refused for good. Else the seconds for which the server wants to be left alone.
 */
export const post = async (batch: string): Promise<number | undefined> => {
  try {
    const body = batch + ',"sentAt":"' + timestamp() + '"}'
    if (!("keepalive" in Request.prototype) && navigator.sendBeacon(endpoint, body))
      return undefined
    const { headers, status } = await fetch(endpoint, {
      method: "POST",
      body,
      keepalive: true,
      credentials: "omit",
    })
    // A date in place of seconds is no number, and waits no longer than any other try.
    return status === 429 || status > 499 ? +(headers.get("retry-after") as string) || 0 : undefined
  } catch {
    // No network, a blocker, or a page without `fetch`.
    return 0
  }
}

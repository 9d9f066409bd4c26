// Sends batches over HTTP like a browser, at the time of the test.
import { randomUUID } from "node:crypto"
import { makeBatch, makeEvent, type Wire } from "./collect-layer.ts"

const browser = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0"

/** Sends a text to a pixel's collect route. */
export const send = (
  { pixelId, url }: { readonly url: string; readonly pixelId: string },
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/p/${pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": browser, ...headers },
    body,
  })

const now = () => new Date().toISOString()

/** A page view now, or another event by `change`. */
export const presentEvent = (change: Wire = {}): Wire => makeEvent({ time: now(), ...change })

/** A batch with one page view from a new browser. */
export const presentBatch = (change: Wire = {}): Wire =>
  makeBatch({
    sentAt: now(),
    anonymousId: randomUUID(),
    events: [presentEvent()],
    ...change,
  })

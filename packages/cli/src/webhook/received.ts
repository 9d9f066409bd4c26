// A webhook that came in, and what became of it: what `footfall listen` shows, and prints for programs.

import type { EventFacts } from "./event-facts.ts"
import type { Forwarded } from "./forward.ts"
import type { StoredRequest } from "./stored-request.ts"
import type { Verdict } from "./verdict.ts"

export interface Received extends StoredRequest {
  readonly receivedAt: Date
  readonly method: string
  readonly path: string
  readonly verdict: Verdict
  readonly facts: EventFacts
  /** Null when it is not forwarded. */
  readonly forwarded: Forwarded | null
  /** What was answered. */
  readonly status: number
}

/** A line of NDJSON; `footfall webhooks verify` takes it as it is. */
export const receivedRecord = (received: Received): object => {
  const { body, facts, forwarded, headers, method, path, receivedAt, status, verdict } = received
  const { payload, ...told } = facts
  return {
    receivedAt: receivedAt.toISOString(),
    method,
    path,
    ...verdict,
    ...told,
    status,
    forwarded,
    headers,
    payload: payload ?? null,
    body: Buffer.from(body).toString("utf8"),
  }
}

// What a webhook request claims, and whether one of the secrets signed it.

import {
  verifyWebhook,
  type WebhookRefusal,
  WebhookVerificationError,
} from "@footfall/sdk/webhooks"
import type { StoredRequest } from "./stored-request.ts"

/** The claims of one request; null if missing. */
export interface EventFacts {
  readonly id: string | null
  readonly event: string | null
  readonly attempt: number | null
  readonly isTest: boolean
  /** The time of the attempt, from `webhook-timestamp`. */
  readonly sentAt: string | null
  /** The body as JSON; undefined if it is not JSON. */
  readonly payload: unknown
}

/** Does not verify anything. */
export const eventFacts = ({ body, headers }: StoredRequest): EventFacts => {
  const payload = parsed(Buffer.from(body).toString("utf8"))
  const event = typeof payload === "object" && payload !== null && "event" in payload
  const second = headers["webhook-timestamp"]
  const attempt = Number(headers["webhook-attempt"])
  return {
    id: headers["webhook-id"] ?? null,
    event: event && typeof payload.event === "string" ? payload.event : null,
    attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : null,
    isTest: headers["webhook-test"] === "true",
    sentAt: second !== undefined && /^\d{1,11}$/.test(second) ? isoTime(Number(second)) : null,
    payload,
  }
}

const isoTime = (second: number): string => new Date(second * 1000).toISOString()

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `unchecked`: there is no secret to check with. */
export type Verdict =
  | { readonly verdict: "verified" }
  | { readonly verdict: "unchecked" }
  | { readonly verdict: "refused"; readonly reason: WebhookRefusal; readonly message: string }

/** How to verify a request. */
export interface Judging {
  readonly secrets: ReadonlyArray<string>
  /** Null accepts any age. Units: seconds. */
  readonly toleranceSeconds: number | null
  readonly now: Date
}

/** Never fails because of the request. */
export const verdictOn = async (
  { body, headers }: StoredRequest,
  { now, secrets, toleranceSeconds }: Judging,
): Promise<Verdict> => {
  if (secrets.length === 0) return { verdict: "unchecked" }
  try {
    await verifyWebhook({
      payload: body,
      headers,
      secret: secrets,
      now,
      toleranceSeconds: toleranceSeconds ?? Infinity,
    })
    return { verdict: "verified" }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { verdict: "refused", reason: error.reason, message: sentences[error.reason] }
  }
}

const sentences: Readonly<Record<WebhookRefusal, string>> = {
  missing_header: "A signature header is missing.",
  malformed_header: "A signature header is invalid.",
  timestamp_too_old: "The request is too old: a replay, or a wrong clock.",
  timestamp_too_new: "The request is from the future: a clock is wrong.",
  signature_mismatch: "The signature was made with another secret or for another body.",
  malformed_payload: "The signature is valid, but the body is not an event.",
}

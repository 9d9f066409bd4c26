// What a webhook request says, and whether it was signed with one of the secrets.

import {
  verifyWebhook,
  type WebhookRefusal,
  WebhookVerificationError,
} from "@footfall/sdk/webhooks"
import type { StoredRequest } from "./stored-request.ts"

/** Of one request; null where nothing is said. */
export interface EventFacts {
  readonly id: string | null
  readonly event: string | null
  readonly attempt: number | null
  readonly isTest: boolean
  /** Of the attempt, by `webhook-timestamp`. */
  readonly sentAt: string | null
  /** The body as JSON; undefined if it is not JSON. */
  readonly payload: unknown
}

/** Nothing of it is believed. */
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

/** How a request is judged. */
export interface Judging {
  readonly secrets: ReadonlyArray<string>
  /** Null: however old it is. Units: seconds. */
  readonly toleranceSeconds: number | null
  readonly now: Date
}

/** Errors: none for a request, whatever it is. */
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
  signature_mismatch: "The signature belongs to another secret or another body.",
  malformed_payload: "The signature is valid, but the body is not an event.",
}

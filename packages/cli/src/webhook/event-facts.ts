// What the headers and the body of a webhook say of it, as far as they say it.

import type { StoredRequest } from "./stored-request.ts"

/** Of one request; null where nothing is said. */
export interface EventFacts {
  readonly id: string | null
  readonly event: string | null
  readonly attempt: number | null
  readonly isTest: boolean
  /** Of the attempt, by `webhook-timestamp`. */
  readonly sentAt: string | null
  /** The body as JSON; undefined for what is none. */
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

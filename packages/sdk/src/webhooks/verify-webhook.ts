// Verifies that a request is from Footfall and returns its event. spec 8.1
import type { WebhookEvent } from "./event.ts"
import {
  type Bytes,
  bytesOf,
  decodeBase64,
  keyOf,
  type RawPayload,
  secretsOf,
  signedContent,
} from "./signature.ts"

// Why a request was rejected: says which check failed, not what would have passed it.

/**
 * - `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing.
 * - `malformed_header`: the timestamp is not a whole number of seconds, or no signature has version 1.
 * - `timestamp_too_old`, `timestamp_too_new`: outside the tolerance, because of a replay or a wrong clock.
 * - `signature_mismatch`: signed with another secret, or the id, timestamp or body was changed.
 * - `malformed_payload`: the signature is valid, but the body is not the JSON of an event.
 */
export type WebhookRefusal =
  | "missing_header"
  | "malformed_header"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "signature_mismatch"
  | "malformed_payload"

/** The request is not from Footfall, or it was signed with another secret. Respond with 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly code = "WEBHOOK_VERIFICATION_FAILED"
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Request headers from fetch, node:http, Express or Fastify, or an object of your own. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface VerifyWebhookParams {
  /** The raw body as received. A body that was parsed and serialized again does not verify. */
  readonly payload: RawPayload
  readonly headers: WebhookHeaders
  /** `whsec_…`; several during a rotation. */
  readonly secret: string | ReadonlyArray<string>
  /** Maximum difference between the timestamp and `now`, in either direction. Units: seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined
  /** Default: now. */
  readonly now?: Date | undefined
}

/** Maximum number of signatures to check per request. During a rotation Footfall sends two. */
const signaturesMax = 10

/**
 * Returns the event if the request was signed recently with one of the secrets. Errors: WebhookVerificationError (see
 * its `reason`); TypeError for a payload that is not raw or an invalid secret. Guarantee: signatures are compared in
 * constant time. A repeated request verifies again, with the same `id`, so remember the ids you have processed.
 */
export async function verifyWebhook(params: VerifyWebhookParams): Promise<WebhookEvent> {
  const { headers, now = new Date(), payload, secret, toleranceSeconds = 300 } = params
  const secrets = secretsOf(secret)
  const id = required(headers, "webhook-id")
  const second = secondOf(required(headers, "webhook-timestamp"))
  const signatures = signaturesOf(required(headers, "webhook-signature"))

  const age = Math.floor(now.getTime() / 1000) - second
  // Negated, so that a tolerance or time of NaN is rejected.
  if (!(age <= toleranceSeconds))
    throw refusal("timestamp_too_old", `older than ${toleranceSeconds} s`)
  if (!(age >= -toleranceSeconds)) throw refusal("timestamp_too_new", "from the future")

  const content = signedContent(id, second, payload)
  const keys = await Promise.all(secrets.map(keyOf))
  const verdicts = await Promise.all(
    keys.flatMap((key) =>
      signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, content)),
    ),
  )
  if (!verdicts.includes(true)) throw refusal("signature_mismatch", "no signature matches")
  return eventOf(payload)
}

function required(headers: WebhookHeaders, name: string): string {
  const value = valueOf(headers, name)
  if (value) return value
  throw refusal("missing_header", `expected the header ${name}`)
}

function valueOf(headers: WebhookHeaders, name: string): string | null | undefined {
  if (typeof headers.get === "function") return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : found?.[0]
}

function secondOf(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw refusal("malformed_header", "expected webhook-timestamp in seconds")
}

/** Returns the signatures of version 1; the header may contain others. */
function signaturesOf(text: string): ReadonlyArray<Bytes> {
  const signatures = text
    .split(" ", signaturesMax)
    .flatMap((entry) => (entry.startsWith("v1,") ? (decodeBase64(entry.slice(3)) ?? []) : []))
  if (signatures.length > 0) return signatures
  throw refusal("malformed_header", 'expected "v1,<base64>" in webhook-signature')
}

function eventOf(payload: RawPayload): WebhookEvent {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(payload))
    const event = JSON.parse(text)
    // The signature proves that Footfall wrote the body, so checking that `event` is a string is enough.
    if (typeof event.event === "string") return event
  } catch {
    // Handled below.
  }
  throw refusal("malformed_payload", "expected the JSON of an event")
}

const refusal = (reason: WebhookRefusal, message: string) =>
  new WebhookVerificationError(reason, `${reason}: ${message}`)

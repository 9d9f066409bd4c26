// Whether a request is one of Footfall's, and the event it carries. Source: spec 8.1.

import type { WebhookEvent } from "./event.ts"
import type { RawPayload } from "./raw-payload.ts"
import { bytesOf, decodeBase64, keyOf, signedContent } from "./signature.ts"
import { type WebhookRefusal, WebhookVerificationError } from "./verification-error.ts"

/** Of a request: those of fetch, of node:http, Express and Fastify, or an object of your own. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface VerifyWebhookParams {
  /** The body as it was received. One that was parsed and written again has another signature. */
  readonly payload: RawPayload
  readonly headers: WebhookHeaders
  /** `whsec_…`; several while a secret is changed. */
  readonly secret: string | ReadonlyArray<string>
  /** How far the timestamp may be from `now`, either way. Units: seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined
  /** Default: now. */
  readonly now?: Date | undefined
}

/** Of one request. A rotation has two. */
const signaturesMax = 10

/**
 * The event of a request that was signed with one of the secrets, and lately.
 * Errors: WebhookVerificationError (see its `reason`); TypeError for a payload that is not raw and for a
 * secret that is none.
 * Guarantee: signatures are compared in constant time. A request that is sent again verifies again, with
 * the same `id`: remember those you have done.
 */
export async function verifyWebhook(params: VerifyWebhookParams): Promise<WebhookEvent> {
  const { headers, now = new Date(), payload, secret, toleranceSeconds = 300 } = params
  const id = required(headers, "webhook-id")
  const second = secondOf(required(headers, "webhook-timestamp"))
  const signatures = signaturesOf(required(headers, "webhook-signature"))

  const age = Math.floor(now.getTime() / 1000) - second
  // The other way round a tolerance or a time that is no number would pass.
  if (!(age <= toleranceSeconds))
    throw refusal("timestamp_too_old", `older than ${toleranceSeconds} s`)
  if (!(age >= -toleranceSeconds)) throw refusal("timestamp_too_new", "from the future")

  const content = signedContent(id, second, payload)
  const keys = await Promise.all((typeof secret === "string" ? [secret] : secret).map(keyOf))
  const verdicts = await Promise.all(
    keys.flatMap((key) =>
      signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, content)),
    ),
  )
  if (!verdicts.includes(true)) throw refusal("signature_mismatch", "no signature fits")
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

/** Those of version 1; others may stand beside them. */
function signaturesOf(text: string): ReadonlyArray<Uint8Array<ArrayBuffer>> {
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
    // What Footfall signed is what Footfall wrote; its kind is what programs go by.
    if (typeof event.event === "string") return event
  } catch {
    // As below.
  }
  throw refusal("malformed_payload", "expected the JSON of an event")
}

const refusal = (reason: WebhookRefusal, message: string) =>
  new WebhookVerificationError(reason, `${reason}: ${message}`)

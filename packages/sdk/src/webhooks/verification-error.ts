// Why a request was rejected: which check failed, but not what would have passed it.

/**
 * `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing.
 * `malformed_header`: the timestamp is not a whole number of seconds, or no signature has version 1.
 * `timestamp_too_old`, `timestamp_too_new`: outside the tolerance, because of a replay or a wrong clock.
 * `signature_mismatch`: signed with another secret, or id, timestamp or body were changed.
 * `malformed_payload`: the signature is valid, but the body is not the JSON of an event.
 */
export type WebhookRefusal =
  | "missing_header"
  | "malformed_header"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "signature_mismatch"
  | "malformed_payload"

/** Respond with 400 or 401: the sender is not Footfall, or uses another secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly code = "WEBHOOK_VERIFICATION_FAILED"
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

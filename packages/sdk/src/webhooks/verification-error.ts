// Why a request is not to be believed. Says which check failed and never what would have passed it.

/**
 * `missing_header`: one of `webhook-id`, `webhook-timestamp`, `webhook-signature` is not there.
 * `malformed_header`: a timestamp that is no whole number of seconds, or no signature of version 1.
 * `timestamp_too_old`, `timestamp_too_new`: outside the tolerance: a replay, or a wrong clock.
 * `signature_mismatch`: another secret, or id, timestamp or body are not as they were sent.
 * `malformed_payload`: rightly signed, and not the JSON of an event.
 */
export type WebhookRefusal =
  | "missing_header"
  | "malformed_header"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "signature_mismatch"
  | "malformed_payload"

/** Answer it with 400 or 401: the sender is not Footfall, or not with this secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly code = "WEBHOOK_VERIFICATION_FAILED"
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

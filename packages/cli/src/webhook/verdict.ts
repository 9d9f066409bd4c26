// Whether a request was signed with one of the secrets, in words.

import {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookRefusal,
} from "@footfall/sdk/webhooks"
import type { StoredRequest } from "./stored-request.ts"

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
  missing_header: "A header of the signature is missing.",
  malformed_header: "A header of the signature cannot be read.",
  timestamp_too_old: "It is too old: a replay, or a clock that is wrong.",
  timestamp_too_new: "It is from the future: a clock is wrong.",
  signature_mismatch: "The signature is of another secret, or of another body.",
  malformed_payload: "It is rightly signed and holds no event.",
}

// Creates requests like those Footfall sends, for testing your webhook receiver.

import type { WebhookEvent } from "./event.ts"
import { type Bytes, keyOf, sign, signedContent } from "./signature.ts"

export interface SignTestWebhookParams {
  /** An event, which is sent as JSON in one line, or the exact body to send. */
  readonly payload: WebhookEvent | string | Uint8Array
  /** `whsec_…`. Pass several to sign with each of them, as during a rotation. */
  readonly secret: string | ReadonlyArray<string>
  /** `webhook-id`. Default: the event's `id`, else `msg_` and 26 random characters. */
  readonly id?: string | undefined
  /** Default: now. */
  readonly timestamp?: Date | undefined
  /** `webhook-attempt`. Default 1. */
  readonly attempt?: number | undefined
}

export interface SignedTestWebhook {
  readonly headers: Readonly<Record<string, string>>
  /** Text, unless you passed bytes. */
  readonly body: string | Bytes
}

/** Returns headers and body of a request that `verifyWebhook` accepts. Errors: TypeError for an invalid secret. */
export async function signTestWebhook(params: SignTestWebhookParams): Promise<SignedTestWebhook> {
  const { attempt = 1, payload, secret, timestamp = new Date() } = params
  const isRaw = typeof payload === "string" || payload instanceof Uint8Array
  const body = isRaw ? copyOf(payload) : JSON.stringify(payload)
  const id = params.id ?? (isRaw ? randomId() : payload.id)
  const second = Math.floor(timestamp.getTime() / 1000)
  const content = signedContent(id, second, body)
  const secrets = typeof secret === "string" ? [secret] : secret
  const signatures = await Promise.all(secrets.map(async (one) => sign(await keyOf(one), content)))
  return {
    body,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "webhook-attempt": String(attempt),
      "webhook-id": id,
      "webhook-timestamp": String(second),
      "webhook-signature": signatures.join(" "),
    },
  }
}

const copyOf = (payload: string | Uint8Array): string | Bytes =>
  typeof payload === "string" ? payload : new Uint8Array(payload)

const randomId = (): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(26)),
    (byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte % 32],
  ).reduce<string>((id, digit) => id + digit, "msg_")

// The symmetric signature of Standard Webhooks 1.0: HMAC-SHA-256 over the id, the timestamp in seconds and the raw
// body, in base64. Source: spec 8.1.
import type { WebhookEvent } from "./event.ts"

// The request body, before it is parsed.

/** The body as received: bytes, or the same bytes as UTF-8 text. Never a parsed body. */
export type RawPayload = string | Uint8Array | ArrayBuffer

/** The runtime's CryptoKey type. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Bytes with their own buffer, as the runtime's types name them. Before TypeScript 5.7 this type has no parameter. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>["encode"]>

const encoder = new TextEncoder()

/**
 * `secret`: `whsec_` and base64, or only the base64. Errors: TypeError for anything else; the message does not include
 * the secret.
 */
export async function keyOf(secret: string): Promise<Key> {
  // Files and environment variables often end in a newline.
  const bytes = decodeBase64(secret.trim().replace(/^whsec_/, ""))
  if (!bytes?.length) throw new TypeError('secret must be "whsec_" and base64')
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ])
}

/**
 * The secrets as a list. Errors: TypeError if there is none, which is how a missing environment variable arrives in
 * JavaScript.
 */
export function secretsOf(secret: string | ReadonlyArray<string>): ReadonlyArray<string> {
  const secrets = [secret].flat()
  if (secrets.every((each) => typeof each === "string")) return secrets
  throw new TypeError("secret must be a text: is its environment variable set?")
}

/** The bytes to sign. Errors: TypeError if the payload is not raw. */
export function signedContent(id: string, second: number, payload: RawPayload): Bytes {
  const head = encoder.encode(`${id}.${second}.`)
  const body = bytesOf(payload)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

export function bytesOf(payload: RawPayload): Uint8Array {
  if (typeof payload === "string") return encoder.encode(payload)
  // Not instanceof, because a test runner may have its own ArrayBuffer class.
  if (ArrayBuffer.isView(payload)) {
    return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength)
  }
  if (Object.prototype.toString.call(payload) === "[object ArrayBuffer]") {
    return new Uint8Array(payload)
  }
  throw new TypeError("payload must be the raw body: a string or bytes, not parsed JSON")
}

export async function sign(key: Key, content: Bytes): Promise<string> {
  return `v1,${encodeBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`
}

/** Returns undefined for text that is not canonical base64, so that each signature has only one valid form. */
export function decodeBase64(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
    return encodeBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Creates requests like those Footfall sends, for testing your webhook receiver. */
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
  const signatures = await Promise.all(
    secretsOf(secret).map(async (one) => sign(await keyOf(one), content)),
  )
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

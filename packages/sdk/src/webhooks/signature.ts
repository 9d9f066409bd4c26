// The symmetric scheme of Standard Webhooks 1.0: HMAC-SHA-256 over id, second and raw body, in base64.
// Source: spec 8.1.

// The body of a request before it is parsed.

/** As it was received: the bytes, or the text they are in UTF-8. Never a parsed body. */
export type RawPayload = string | Uint8Array | ArrayBuffer

/** The CryptoKey of whatever runtime the types are of. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Bytes of their own buffer, as the runtime's types name them; before TypeScript 5.7 they have no parameter. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>["encode"]>

const encoder = new TextEncoder()

/**
 * `secret`: `whsec_` and base64, or the base64 alone.
 * Errors: TypeError for anything else; it does not quote the secret.
 */
export async function keyOf(secret: string): Promise<Key> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""))
  if (!bytes?.length) throw new TypeError('secret must be "whsec_" and base64')
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ])
}

/** What is signed. Errors: TypeError when the payload is not raw. */
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
  // Not by instanceof: a test runner's realm has an ArrayBuffer of its own.
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

/** Undefined for what is not base64, or not as it would be written: no two texts are one signature. */
export function decodeBase64(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
    return encodeBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

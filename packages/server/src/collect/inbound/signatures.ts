// Signatures of vendors, over the bytes as they arrived (spec 15.3.4). `rb2b` and `generic` have none.
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Preset } from "./inbound-source.ts"

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/** How far a signed time may be from ours. */
const toleranceMs = 5 * 60 * 1_000
/** Longer than every signature of these vendors. */
const headerLengthMax = 512

type Check = (secret: string, request: SignedRequest) => boolean

const hmac = (secret: string, ...parts: ReadonlyArray<string | Uint8Array>): Buffer => {
  const digest = createHmac("sha256", secret)
  for (const part of parts) digest.update(part)
  return digest.digest()
}

const isSame = (expected: Buffer, given: string | undefined, encoding: "base64" | "hex") => {
  if (given === undefined || given.length > headerLengthMax) return false
  const bytes = Buffer.from(given, encoding)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** `Calendly-Webhook-Signature: t=1492774577,v1=5257a869…`. */
const calendly: Check = (secret, { body, headers, receivedAt }) => {
  const header = headers["calendly-webhook-signature"]
  if (header === undefined || header.length > headerLengthMax) return false
  const parts = new Map(
    header.split(",").map((part) => {
      const [name = "", value = ""] = part.trim().split("=", 2)
      return [name, value] as const
    }),
  )
  const time = parts.get("t") ?? ""
  if (!/^\d{1,12}$/.test(time)) return false
  const isRecent = Math.abs(receivedAt - Number(time) * 1_000) <= toleranceMs
  return isRecent && isSame(hmac(secret, `${time}.`, body), parts.get("v1"), "hex")
}

const checks: ReadonlyMap<Preset, Check> = new Map<Preset, Check>([
  [
    "typeform",
    (secret, { body, headers }) => {
      const [, given] = /^sha256=(.+)$/.exec(headers["typeform-signature"]?.trim() ?? "") ?? []
      return isSame(hmac(secret, body), given, "base64")
    },
  ],
  [
    "tally",
    (secret, { body, headers }) =>
      isSame(hmac(secret, body), headers["tally-signature"]?.trim(), "base64"),
  ],
  [
    "calcom",
    (secret, { body, headers }) =>
      isSame(hmac(secret, body), headers["x-cal-signature-256"]?.trim(), "hex"),
  ],
  ["calendly", calendly],
])

/** Whether requests of the preset can be signed. */
export const isSignable = (preset: Preset): boolean => checks.has(preset)

/** Whether one of the secrets signed the request. */
export const hasSignature = (
  preset: Preset,
  secrets: ReadonlyArray<string>,
  request: SignedRequest,
): boolean => {
  const check = checks.get(preset)
  return check !== undefined && secrets.some((secret) => check(secret, request))
}

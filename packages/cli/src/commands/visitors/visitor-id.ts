// How a person is named on the command line: by an address, or by the SHA-256 of one, as the API does.

import { normalizeEmail } from "@footfall/normal-form"
import { InvalidArgumentError } from "commander"
import { createHash } from "node:crypto"

/** Longest address there can be (RFC 5321). */
const EMAIL_LENGTH_MAX = 254

/**
 * A parser of addresses and hashes; gives the hash, and what was typed.
 * Errors: InvalidArgumentError.
 */
export const visitorId = (text: string): { readonly id: string; readonly given: string } => {
  const given = text.trim()
  if (/^[0-9a-f]{64}$/i.test(given)) return { id: given.toLowerCase(), given }
  const email = normalizeEmail(given, EMAIL_LENGTH_MAX)
  if (email !== undefined) {
    return { id: createHash("sha256").update(email).digest("hex"), given: email }
  }
  throw new InvalidArgumentError(
    "Expected an email address, or the SHA-256 of one (64 hex digits).",
  )
}

// How a person is named on the command line: by an address, or by the SHA-256 of one, as the API does.

import { usageError } from "../../errors/usage-error.ts"

/** Longest address there can be (RFC 5321). */
const EMAIL_LENGTH_MAX = 254

/** A person, and the normal form of how they were named. */
export interface NamedVisitor {
  readonly id: string
  readonly name: string
}

/** Loads what it needs late, because `--help` does without it. Errors: usage, for neither of the two. */
export const visitorNamed = async (text: string): Promise<NamedVisitor> => {
  const given = text.trim()
  if (/^[0-9a-f]{64}$/i.test(given)) {
    return { id: given.toLowerCase(), name: given.toLowerCase() }
  }
  const [{ normalizeEmail }, { default: crypto }] = await Promise.all([
    import("@footfall/normal-form"),
    import("node:crypto"),
  ])
  const email = normalizeEmail(given, EMAIL_LENGTH_MAX)
  if (email !== undefined) {
    return { id: crypto.createHash("sha256").update(email).digest("hex"), name: email }
  }
  throw usageError(
    `"${text}" names nobody.`,
    "Expected an email address, or the SHA-256 of one (64 hex digits).",
  )
}

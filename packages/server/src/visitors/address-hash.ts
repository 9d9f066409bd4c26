// The SHA-256 a person is found by: over the normalized address, in lower-case hex (decisions.md 1.5).
import { createHash } from "node:crypto"

export const addressHash = (email: string): string =>
  createHash("sha256").update(email.trim().toLowerCase()).digest("hex")

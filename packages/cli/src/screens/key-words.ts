// What an API key is good for, in a word.

import type { ApiKey } from "@footfall/sdk"

/** `active`, `revoked`, `expired`, or until which day it is good. */
export const keyState = ({ revokedAt, expiresAt }: ApiKey, now: Date): string => {
  if (revokedAt !== null) return "revoked"
  if (expiresAt === null) return "active"
  return Date.parse(expiresAt) <= now.getTime() ? "expired" : `until ${expiresAt.slice(0, 10)}`
}

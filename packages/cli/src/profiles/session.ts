// What a log-in leaves behind: the tokens of one user at the server of one profile.

import type { Tokens } from "@footfall/sdk"

/** Kept in the configuration file, which only its owner can read. */
export interface Session {
  readonly email: string
  readonly accessToken: string
  /** Good for one renewal. */
  readonly refreshToken: string
  /** When the access token ends. ISO 8601. */
  readonly expiresAt: string
}

/** A token that ends sooner is renewed before it is used. */
const RENEWED_BEFORE_MS = 60_000

/** The session that fresh tokens make, at a moment in milliseconds. */
export const sessionOf = (email: string, tokens: Tokens, nowMs: number): Session => ({
  email,
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken,
  expiresAt: new Date(nowMs + tokens.expiresIn * 1000).toISOString(),
})

/** Whether the access token lasts long enough for a request. */
export const isFresh = ({ expiresAt }: Session, nowMs: number): boolean =>
  Date.parse(expiresAt) - nowMs > RENEWED_BEFORE_MS

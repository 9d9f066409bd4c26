// A profile as it is shown, in tables and in JSON: with the public form of its key
// only, and without tokens.

import type { Profile, Profiles } from "./profile.ts"

/** A profile without its secret. */
export interface ProfileRow {
  readonly name: string
  readonly isCurrent: boolean
  readonly baseUrl: string
  /** `sk_` and 4 characters, and the last 4; null without a key. */
  readonly apiKey: string | null
  /** Who is logged in; null when nobody is. */
  readonly email: string | null
}

/** The row of one profile. */
export const profileRow = (profiles: Profiles, name: string, profile: Profile): ProfileRow => ({
  name,
  isCurrent: profiles.current === name,
  baseUrl: profile.baseUrl,
  apiKey: profile.apiKey === undefined ? null : maskedApiKey(profile.apiKey),
  email: profile.session?.email ?? null,
})

/** The public form of a key, as the API lists it: `sk_` and 4 characters, and the last 4. */
const maskedApiKey = (apiKey: string): string => `${apiKey.slice(0, 7)}…${apiKey.slice(-4)}`

// Which server is asked and with which credentials: flags before the environment, the environment
// before the profile. Each value is looked for on its own. Source: decisions.md 1.1.

import {
  BASE_URL_DEFAULT,
  normalizedBaseUrl,
  requireProfile,
  type Profile,
  type Profiles,
} from "../profiles/profile.ts"

/** What the client of the SDK is made with. */
export interface Settings {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly accessToken: string | undefined
}

/** Where the values are looked for. */
export interface SettingsSources {
  readonly flags: {
    readonly apiKey?: string | undefined
    readonly baseUrl?: string | undefined
    readonly profile?: string | undefined
  }
  readonly environment: NodeJS.ProcessEnv
  readonly profiles: Profiles
}

/**
 * A profile named by the flag `--profile` is a flag: it comes before the environment. One named by
 * FOOTFALL_PROFILE, or the current one, comes after it.
 * Errors: usage, for a profile that does not exist or an address that is none.
 */
export const resolveSettings = ({ flags, environment, profiles }: SettingsSources): Settings => {
  const variable = (name: string): string | undefined => environment[name] || undefined
  const named = flags.profile === undefined ? undefined : requireProfile(profiles, flags.profile)
  const fallback = named ?? fallbackProfile(profiles, variable("FOOTFALL_PROFILE"))
  return {
    baseUrl: normalizedBaseUrl(
      flags.baseUrl ??
        named?.baseUrl ??
        variable("FOOTFALL_BASE_URL") ??
        fallback?.baseUrl ??
        BASE_URL_DEFAULT,
    ),
    apiKey: flags.apiKey ?? named?.apiKey ?? variable("FOOTFALL_API_KEY") ?? fallback?.apiKey,
    accessToken: variable("FOOTFALL_ACCESS_TOKEN"),
  }
}

const fallbackProfile = (profiles: Profiles, name: string | undefined): Profile | undefined => {
  const chosen = name ?? profiles.current
  return chosen === null ? undefined : requireProfile(profiles, chosen)
}

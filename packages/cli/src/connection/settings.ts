// Which server is asked and with which credentials: flags before the environment, the environment
// before the profile. Each value is looked for on its own. Source: spec 1.1.

import {
  BASE_URL_DEFAULT,
  normalizedBaseUrl,
  requireProfile,
  type Profiles,
} from "../profiles/profile.ts"

/** What the client of the SDK is made with. */
export interface Settings {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly accessToken: string | undefined
  /** The profile whose log-in stands in where there is no token, if it has one for this server. */
  readonly sessionProfile: string | undefined
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
  // own keys: names of ours.
  const variable = (name: string): string | undefined => environment[name] || undefined
  const named = flags.profile === undefined ? undefined : requireProfile(profiles, flags.profile)
  const fallbackName = flags.profile ?? variable("FOOTFALL_PROFILE") ?? profiles.current
  const fallback = fallbackName === null ? undefined : requireProfile(profiles, fallbackName)
  const baseUrl = normalizedBaseUrl(
    flags.baseUrl ??
      named?.baseUrl ??
      variable("FOOTFALL_BASE_URL") ??
      fallback?.baseUrl ??
      BASE_URL_DEFAULT,
  )
  const hasSession = fallback?.session !== undefined && fallback.baseUrl === baseUrl
  const isSessionFirst = named !== undefined && hasSession
  return {
    baseUrl,
    apiKey: flags.apiKey ?? named?.apiKey ?? variable("FOOTFALL_API_KEY") ?? fallback?.apiKey,
    accessToken: isSessionFirst ? undefined : variable("FOOTFALL_ACCESS_TOKEN"),
    sessionProfile: hasSession ? (fallbackName ?? undefined) : undefined,
  }
}

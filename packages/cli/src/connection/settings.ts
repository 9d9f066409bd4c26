// Finds the server and the credentials: flags override the environment, which overrides the
// profile. Each value is resolved separately. A profile's key and session are only used for its
// server (spec 1.1).

import type { Command } from "commander"
import { ConfigFile } from "../profiles/config-file.ts"
import {
  BASE_URL_DEFAULT,
  normalizedBaseUrl,
  type Profiles,
  requireProfile,
} from "../profiles/profile.ts"
import { type Terminal, warnOn } from "../terminal/terminal.ts"
import type { Credential, ForeignKey, WithheldKey } from "./credential.ts"
import type { GlobalOptions } from "./global-options.ts"

/** The settings of the SDK's client. */
export interface Settings {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The profile whose key is withheld because it belongs to another server. */
  readonly foreignKey: ForeignKey | undefined
  /** The profile whose key is withheld because the user switched to another organization. */
  readonly withheldKey: WithheldKey | undefined
  readonly accessToken: string | undefined
  /** The profile whose session is used without a token, if it has one for this server. */
  readonly sessionProfile: string | undefined
}

/** Where values are looked up. */
interface SettingsSources {
  readonly flags: {
    readonly apiKey?: string | undefined
    readonly baseUrl?: string | undefined
    readonly profile?: string | undefined
  }
  readonly environment: NodeJS.ProcessEnv
  readonly profiles: Profiles
}

/**
 * A profile named by `--profile` counts as a flag and overrides the environment. One named by
 * FOOTFALL_PROFILE, or the current one, does not. Errors: usage, for an unknown profile or an
 * invalid URL.
 */
const resolveSettings = ({ flags, environment, profiles }: SettingsSources): Settings => {
  // own keys: names of ours
  const variable = (name: string): string | undefined => environment[name]?.trim() || undefined
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
  const isOfServer = fallback?.baseUrl === baseUrl
  const ownKey =
    flags.apiKey ?? (named?.apiKey === undefined ? variable("FOOTFALL_API_KEY") : undefined)
  const profileKey = ownKey === undefined ? fallback?.apiKey : undefined
  const owner = fallback?.keyOrganization
  const isWithheld = profileKey !== undefined && isOfServer && owner !== undefined
  const hasSession = fallback?.session !== undefined && isOfServer
  const isSessionFirst = named !== undefined && hasSession
  return {
    baseUrl,
    apiKey: ownKey ?? (isOfServer && !isWithheld ? profileKey : undefined),
    foreignKey:
      profileKey === undefined || isOfServer || !fallback || fallbackName === null
        ? undefined
        : { profile: fallbackName, server: fallback.baseUrl },
    withheldKey:
      isWithheld && fallbackName !== null
        ? { profile: fallbackName, organization: owner.name }
        : undefined,
    accessToken: isSessionFirst ? undefined : variable("FOOTFALL_ACCESS_TOKEN"),
    sessionProfile: hasSession ? (fallbackName ?? undefined) : undefined,
  }
}

/** The settings, and the file they come from. */
export interface LoadedSettings {
  readonly file: ConfigFile
  readonly settings: Settings
}

/** Errors: usage, `CONFIG_UNREADABLE`. */
export const loadSettings = async (
  terminal: Terminal,
  command: Command,
): Promise<LoadedSettings> => {
  const options = command.optsWithGlobals<GlobalOptions>()
  const file = new ConfigFile(terminal.environment)
  const settings = resolveSettings({
    flags: {
      apiKey: options.apiKeyStdin ? await givenKey(terminal) : undefined,
      baseUrl: options.baseUrl,
      profile: options.profile,
    },
    environment: terminal.environment,
    profiles: await file.read(warnOn(terminal)),
  })
  return { file, settings }
}

const givenKey = async (terminal: Terminal): Promise<string> =>
  (await import("./secret-input.ts")).readApiKey(terminal, true)

/** The credential that will be sent, or null if there is none of this kind. */
export const credentialSent = (
  { apiKey, accessToken, sessionProfile }: Settings,
  wanted: Credential,
): "apiKey" | "accessToken" | null => {
  if (wanted !== "accessToken" && apiKey !== undefined) return "apiKey"
  const hasToken = accessToken !== undefined || sessionProfile !== undefined
  return wanted !== "apiKey" && hasToken ? "accessToken" : null
}

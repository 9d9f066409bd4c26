// The server to sign in to, and the profile that keeps the session. The profile may be new.

import type { Command } from "commander"
import { usageError } from "../errors/cli-error.ts"
import { ConfigFile } from "../profiles/config-file.ts"
import {
  BASE_URL_DEFAULT,
  findProfile,
  normalizedBaseUrl,
  profileName,
  type Session,
  withProfile,
  withSession,
} from "../profiles/profile.ts"
import { type Terminal, warnOn } from "../terminal/terminal.ts"
import type { GlobalOptions } from "./global-options.ts"

/** The profile that a sign-in creates if there is none. */
const PROFILE_NAME_DEFAULT = "default"

/** A server and the name of its profile. */
export interface LoginPlace {
  readonly file: ConfigFile
  readonly profile: string
  readonly baseUrl: string
}

/**
 * The named profile, the current one, or a new one; its server, unless another is named. Errors: usage, if the profile
 * belongs to another server; `CONFIG_UNREADABLE`.
 */
export const loginPlace = async (terminal: Terminal, command: Command): Promise<LoginPlace> => {
  const options = command.optsWithGlobals<GlobalOptions>()
  const file = new ConfigFile(terminal.environment)
  const profiles = await file.read(warnOn(terminal))
  // own keys: names of ours
  const variable = (name: string): string | undefined => terminal.environment[name] || undefined
  const profile = profileName(
    options.profile ?? variable("FOOTFALL_PROFILE") ?? profiles.current ?? PROFILE_NAME_DEFAULT,
  )
  const known = findProfile(profiles, profile)
  const isNamed = options.profile !== undefined && known !== undefined
  const baseUrl = normalizedBaseUrl(
    options.baseUrl ??
      (isNamed ? known.baseUrl : variable("FOOTFALL_BASE_URL")) ??
      known?.baseUrl ??
      BASE_URL_DEFAULT,
  )
  if (known !== undefined && known.baseUrl !== baseUrl) {
    throw usageError(
      `The profile ${profile} belongs to ${known.baseUrl}, not ${baseUrl}.`,
      "Choose another profile with --profile; it is created if it does not exist.",
    )
  }
  return { file, profile, baseUrl }
}

/** Saves the session in its profile, creating the profile if needed. */
export const keepSession = async (
  { file, profile, baseUrl }: LoginPlace,
  session: Session,
  { keyring }: { readonly keyring?: true } = {},
): Promise<void> => {
  await file.change(
    () => {},
    (profiles) =>
      withProfile(
        profiles,
        profile,
        withSession(
          { ...(findProfile(profiles, profile) ?? { baseUrl }), ...(keyring && { keyring }) },
          session,
        ),
      ),
  )
}

// A profile: a server with an API key, a session or both, saved under a name. Pure.

import type { Tokens } from "@footfall/sdk"
import { usageError } from "../errors/cli-error.ts"

/** One entry of the configuration file. */
export interface Profile {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Absent if the profile only has a session. */
  readonly apiKey?: string
  /** The organization of the key if the user switched to another one. Then the key is not used. */
  readonly keyOrganization?: KeyOrganization
  /** Whether the key and the session are in the system's keyring instead of the file. */
  readonly keyring?: true
  /** Absent if no user is signed in. */
  readonly session?: Session
}

/** Whose key it is. */
export interface KeyOrganization {
  readonly id: string
  readonly name: string
}

/** The profile with another key, which belongs to the organization in use. */
export const withApiKey = (
  { keyOrganization: _former, ...profile }: Profile,
  apiKey: string,
): Profile => ({ ...profile, apiKey })

/** The profile after switching to an organization. `owner`: that of its key; undefined if the key is used. */
export const withKeyOrganization = (
  { keyOrganization: _former, ...profile }: Profile,
  owner: KeyOrganization | undefined,
): Profile => (owner === undefined ? profile : { ...profile, keyOrganization: owner })

/** The configuration file. Members this version does not know are kept as they are. */
export interface Profiles {
  /** Name of the current profile; null if there is none. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The profiles of a computer without a configuration file. */
export const noProfiles: Profiles = { current: null, profiles: {} }

/** The default server. Source: spec 1.1. */
export const BASE_URL_DEFAULT = "http://127.0.0.1:4100"

/** The profile with this name, but never an inherited member such as `constructor`. */
export const findProfile = ({ profiles }: Profiles, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined

/** The same for a name given by the user. Errors: usage, listing the profiles. */
export const requireProfile = (profiles: Profiles, name: string): Profile => {
  const profile = findProfile(profiles, name)
  if (profile !== undefined) return profile
  const names = Object.keys(profiles.profiles)
  throw usageError(
    `Profile not found: ${name}`,
    names.length === 0
      ? "Run: footfall profiles create <name>"
      : `Profiles: ${names.join(", ")}. Run: footfall profiles use <name>`,
  )
}

/** Adds or replaces a profile. The first one becomes the current one. */
export const withProfile = (profiles: Profiles, name: string, profile: Profile): Profiles => ({
  ...profiles,
  current: profiles.current ?? name,
  profiles: { ...profiles.profiles, [name]: profile },
})

/** The profile with another session, or signed out without one. */
export const withSession = (
  { session: _ended, ...profile }: Profile,
  session: Session | undefined,
): Profile => (session === undefined ? profile : { ...profile, session })

/** Removes a profile. If it was the current one, there is no current one. */
export const withoutProfile = (profiles: Profiles, name: string): Profiles => {
  // own keys: the value is not used.
  const { [name]: _removed, ...others } = profiles.profiles
  return {
    ...profiles,
    current: profiles.current === name ? null : profiles.current,
    profiles: others,
  }
}

/** Checks that a name is safe to print and to type. Errors: usage. */
export const profileName = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text
  throw usageError(
    `"${text}" is not a valid profile name: expected 1 to 64 letters, digits, ".", "_" or ` +
      `"-", the first one a letter or digit.`,
  )
}

/** An http or https URL without user name, query or fragment. Errors: usage. */
export const normalizedBaseUrl = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`"${text}" is not a valid URL: expected http://… or https://…`)
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw usageError("The server URL must not contain a user name, password, query or fragment.")
  }
  return url.href.replace(/(?<!\/)\/+$/, "")
}

/** Kept in the configuration file, which only its owner can read. */
export interface Session {
  readonly email: string
  readonly accessToken: string
  /** Valid for one renewal. */
  readonly refreshToken: string
  /** When the access token expires. ISO 8601. */
  readonly expiresAt: string
}

/** A token that expires sooner is renewed before use. */
const RENEWED_BEFORE_MS = 60_000

/** The session for new tokens. Units: `nowMs` in milliseconds. */
export const sessionOf = (email: string, tokens: Tokens, nowMs: number): Session => ({
  email,
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken,
  expiresAt: new Date(nowMs + tokens.expiresIn * 1000).toISOString(),
})

/** Whether the access token lasts long enough for a request. */
export const isFresh = ({ expiresAt }: Session, nowMs: number): boolean =>
  Date.parse(expiresAt) - nowMs > RENEWED_BEFORE_MS

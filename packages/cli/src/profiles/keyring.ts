// Stores a profile's secrets in the system's keyring, for users who ask for it. It needs `@napi-rs/keyring`, which is
// not installed with this package and is only loaded for such a profile. Other profiles keep their secrets in the file.

import { createRequire } from "node:module"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { findProfile, type Profile, type Profiles } from "./profile.ts"

/** The part of the package that is used. */
interface KeyringPackage {
  readonly Entry: new (
    service: string,
    account: string,
  ) => {
    readonly getPassword: () => string | null
    readonly setPassword: (secret: string) => void
    readonly deletePassword: () => boolean
  }
}

type Secrets = Pick<Profile, "apiKey" | "session">

/** The profiles of a file, with their secrets from the keyring. `isProfile` checks them like those of a file. */
export const openedProfiles = (
  path: string,
  profiles: Profiles,
  isProfile: (content: unknown) => boolean,
): Profiles =>
  eachInKeyring(profiles, (name, profile) => {
    let secrets: Secrets | undefined
    // Read on demand, because a command does not need the secrets of every profile.
    const read = (): Secrets => {
      const text = withEntry(path, name, (entry) => entry.getPassword())
      const content = parsed(text ?? "{}")
      return isProfile({ ...profile, ...content }) ? content : {}
    }
    return Object.defineProperties(
      { ...profile },
      {
        apiKey: { enumerable: true, get: () => (secrets ??= read()).apiKey },
        session: { enumerable: true, get: () => (secrets ??= read()).session },
      },
    )
  })

/**
 * The profiles as stored in the file. Writes changed secrets to the keyring, and deletes those of deleted profiles. If
 * a secret cannot be deleted, it stays in the keyring and `warn` is called.
 */
export const closedProfiles = (
  path: string,
  after: Profiles,
  before: Profiles,
  warn: (message: string) => void,
): Profiles => {
  for (const [name, { keyring }] of Object.entries(before.profiles)) {
    if (keyring === undefined || findProfile(after, name)?.keyring) continue
    try {
      withEntry(path, name, (entry) => entry.deletePassword())
    } catch (error) {
      const reason = error instanceof CliError ? error.message : String(error)
      warn(
        `${reason} The secrets of the profile ${name} stay in the keyring, under the name footfall: ${accountOf(path, name)}`,
      )
    }
  }
  return eachInKeyring(after, (name, profile) => {
    if (profile !== findProfile(before, name)) {
      const { apiKey, session } = profile
      withEntry(path, name, (entry) => entry.setPassword(JSON.stringify({ apiKey, session })))
    }
    const { baseUrl, keyOrganization } = profile
    return { baseUrl, keyring: true, ...(keyOrganization && { keyOrganization }) }
  })
}

/** Empty if the text is not what was stored; then there is no key and no session. */
const parsed = (text: string): Secrets => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const eachInKeyring = (
  profiles: Profiles,
  of: (name: string, profile: Profile) => Profile,
): Profiles => ({
  ...profiles,
  profiles: Object.fromEntries(
    Object.entries(profiles.profiles).map(([name, profile]) => [
      name,
      profile.keyring ? of(name, profile) : profile,
    ]),
  ),
})

const accountOf = (path: string, name: string): string => `${name} (${path})`

/** One entry for each profile of each file. Errors: `KEYRING_UNAVAILABLE`. */
const withEntry = <Result>(
  path: string,
  name: string,
  use: (entry: InstanceType<KeyringPackage["Entry"]>) => Result,
): Result => {
  try {
    const { Entry } = createRequire(import.meta.url)("@napi-rs/keyring") as KeyringPackage
    return use(new Entry("footfall", accountOf(path, name)))
  } catch (error) {
    throw unavailable(error)
  }
}

const unavailable = (error: unknown): CliError => {
  const { code, message } = Object(error)
  const isMissing = code === "MODULE_NOT_FOUND"
  return new CliError({
    code: "KEYRING_UNAVAILABLE",
    message: isMissing
      ? "The package @napi-rs/keyring, which gives access to the system keyring, is not installed."
      : `The system keyring does not respond (${message}).`,
    exitCode: ExitCode.failed,
    nextStep: isMissing
      ? "Run: npm install --global @napi-rs/keyring"
      : "Unlock or start it, or keep secrets in the file: footfall profiles delete <name>, then sign in without --keyring.",
  })
}

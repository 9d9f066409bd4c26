// The secrets of a profile in the keyring of the system, for those who asked for it. `@napi-rs/keyring`, which reaches
// it, is not installed with this package and is loaded for such a profile only. Elsewhere secrets are in the file.

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

/** The profiles of a file, with the secrets that are in the keyring. `isProfile` checks them as those of a file. */
export const openedProfiles = (
  path: string,
  profiles: Profiles,
  isProfile: (content: unknown) => boolean,
): Profiles =>
  eachInKeyring(profiles, (name, profile) => {
    let secrets: Secrets | undefined
    // Read when they are asked for, because another profile may not need them.
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
 * What the file holds of them. The keyring gets the secrets that changed, and loses those of deleted profiles; one that
 * it does not give up stays there, and `warn` hears of it.
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
        `${reason} The secrets of the profile ${name} stay in it, under the name footfall: ${accountOf(path, name)}`,
      )
    }
  }
  return eachInKeyring(after, (name, profile) => {
    if (profile !== findProfile(before, name)) {
      const { apiKey, session } = profile
      withEntry(path, name, (entry) => entry.setPassword(JSON.stringify({ apiKey, session })))
    }
    return { baseUrl: profile.baseUrl, keyring: true }
  })
}

/** Nothing, where it is not what was stored: then there is no key and no session. */
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
      ? "The package @napi-rs/keyring, which reaches the keyring of the system, is not installed."
      : `The keyring of the system does not answer (${message}).`,
    exitCode: ExitCode.failed,
    nextStep: isMissing
      ? "Run: npm install --global @napi-rs/keyring"
      : "Unlock or start it, or keep secrets in the file: footfall profiles delete <name>, then sign in without --keyring.",
  })
}

// `footfall profiles`: the servers and keys saved on this computer. Keys are only shown in their public form, tokens
// never.

import { define } from "../command/define.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { readApiKey } from "../connection/secret-input.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { jsonDocument } from "../output/json.ts"
import { outputFormat } from "../output/output-format.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, type Terminal, warnOn, writeOut } from "../terminal/terminal.ts"
import { ConfigFile } from "./config-file.ts"
import {
  BASE_URL_DEFAULT,
  findProfile,
  normalizedBaseUrl,
  type Profile,
  profileName,
  type Profiles,
  requireProfile,
  withApiKey,
  withoutProfile,
  withProfile,
  withSession,
} from "./profile.ts"

/** A profile without its secret. */
export interface ProfileRow {
  readonly name: string
  readonly isCurrent: boolean
  readonly baseUrl: string
  /** `sk_` and 4 characters, and the last 4; null if there is no key. */
  readonly apiKey: string | null
  /** The signed-in user; null without a session. */
  readonly email: string | null
}

export const profileCommands = [
  define<ListOptions>("list", {
    description: "list the profiles; a star marks the current one",
    takes: (command) => addWholeListOptions(command, "profiles"),
    fields: "name,baseUrl",
    examples: ["footfall profiles list", "footfall profiles list --json"],
    run: async ({ printWhole, terminal }) => {
      const known = await new ConfigFile(terminal.environment).read(warnOn(terminal))
      const profiles = Object.entries(known.profiles).map(([name, entry]) =>
        profileRow(known, name, entry),
      )
      await printWhole(profiles, profileList)
    },
  }),

  define<object, [given: string | undefined]>("get", {
    description: "show one profile (default: the current one)",
    takes: (command) => command.argument("[name]", "name of the profile"),
    fields: "name,baseUrl",
    examples: ["footfall profiles get", "footfall profiles get production --json"],
    run: async ({ options, print, terminal }, given) => {
      const known = await new ConfigFile(terminal.environment).read(warnOn(terminal))
      const name = given ?? options.profile ?? known.current
      if (name === null) {
        throw usageError("No current profile.", "Run: footfall profiles use <name>")
      }
      const row = profileRow(known, name, requireProfile(known, name))
      const text = factsText([
        ["Profile", row.isCurrent ? `${row.name} (current)` : row.name],
        ["Server", row.baseUrl],
        ["API key", row.apiKey],
        ["Signed in", row.email],
      ])
      await print(row, text)
    },
  }),

  define<{ readonly use?: true; readonly keyring?: true }, [nameGiven: string]>("create", {
    description:
      "Save a server and an API key as a profile. The first profile becomes the current one.\n" +
      "Prompts for the key, or reads it from standard input with --api-key-stdin.",
    summary: "save a server and an API key as a profile",
    takes: (command) =>
      command
        .argument("<name>", "name of the profile, for example production")
        .option("--use", "make it the current profile")
        .option("--keyring", "keep the key in the system keyring instead of a file"),
    examples: [
      "footfall profiles create local                   # asks for the key",
      "footfall profiles create production --base-url https://footfall.example.com --use",
      "footfall profiles create ci --api-key-stdin < key.txt",
    ],
    run: async ({ options, terminal }, nameGiven) => {
      const name = profileName(nameGiven)
      const file = new ConfigFile(terminal.environment)
      requireFree(await file.read(warnOn(terminal)), name)
      const baseUrl = normalizedBaseUrl(
        options.baseUrl ?? (terminal.environment["FOOTFALL_BASE_URL"] || BASE_URL_DEFAULT),
      )
      const apiKey = await readApiKey(terminal, options.apiKeyStdin === true)

      const profiles = await file.change(
        () => {},
        (before) => {
          requireFree(before, name)
          const profile = { baseUrl, apiKey, ...(options.keyring && { keyring: true as const }) }
          const after = withProfile(before, name, profile)
          return options.use ? { ...after, current: name } : after
        },
      )

      const isCurrent = profiles.current === name
      const current = isCurrent ? ", now the current profile" : ""
      const hint = isCurrent
        ? ""
        : `\nThe current profile is still ${profiles.current}. To switch: footfall profiles use ${name}`
      await printProfile(terminal, options, {
        profiles,
        name,
        sentence: `Created profile ${name} in ${file.path}${current}.${hint}`,
      })
    },
  }),

  define<object, [name: string]>("update", {
    description:
      "Change the API key of a profile. Asks for the key. With --api-key-stdin it reads\n" +
      "the key from standard input instead. With --base-url alone, change the server and keep the key.",
    summary: "change the API key or the server of a profile",
    takes: (command) => command.argument("<name>", "name of the profile"),
    examples: [
      "footfall profiles update production              # asks for the key",
      "footfall profiles update ci --api-key-stdin < key.txt",
      "footfall profiles update production --base-url https://footfall.example.com",
    ],
    run: async ({ options, terminal }, name) => {
      const file = new ConfigFile(terminal.environment)
      const known = requireProfile(await file.read(warnOn(terminal)), name)
      const baseUrl = normalizedBaseUrl(options.baseUrl ?? known.baseUrl)
      const isKeyWanted = options.apiKeyStdin === true || options.baseUrl === undefined
      const apiKey = isKeyWanted
        ? await readApiKey(terminal, options.apiKeyStdin === true)
        : undefined

      const profiles = await file.change(
        () => {},
        (before) => {
          const profile = requireProfile(before, name)
          const session = profile.baseUrl === baseUrl ? profile.session : undefined
          const changed = apiKey === undefined ? profile : withApiKey(profile, apiKey)
          return withProfile(before, name, withSession({ ...changed, baseUrl }, session))
        },
      )

      await printProfile(terminal, options, {
        profiles,
        name,
        sentence: `Updated profile ${name}.`,
      })
    },
  }),

  define<object, [name: string]>("use", {
    description: "switch to another profile",
    takes: (command) => command.argument("<name>", "name of the profile"),
    examples: ["footfall profiles use production"],
    run: async ({ options, terminal }, name) => {
      const file = new ConfigFile(terminal.environment)
      const profiles = await file.change(warnOn(terminal), (before) => {
        requireProfile(before, name)
        return { ...before, current: name }
      })

      await printProfile(terminal, options, {
        profiles,
        name,
        sentence: `Switched to profile ${name}.`,
      })
    },
  }),

  define<{ readonly yes?: true }, [name: string]>("delete", {
    description: "delete a profile and its key from this computer; the key stays valid",
    takes: (command) =>
      command
        .argument("<name>", "name of the profile")
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall profiles delete old"],
    run: async ({ options, print, terminal }, name) => {
      const file = new ConfigFile(terminal.environment)
      requireProfile(await file.read(warnOn(terminal)), name)
      await requireConsent(terminal, {
        what: `Profile ${name} and its key will be deleted from this computer.`,
        isConfirmed: options.yes === true,
      })
      let wasCurrent = false
      await file.change(
        () => {},
        (before) => {
          requireProfile(before, name)
          wasCurrent = before.current === name
          return withoutProfile(before, name)
        },
        warnOn(terminal),
      )

      await print({ name, deleted: true }, () =>
        lines(
          `Deleted profile ${name}.`,
          wasCurrent ? "There is no current profile now. Run: footfall profiles use <name>" : null,
        ),
      )
    },
  }),
]

/** The row of one profile. */
const profileRow = (profiles: Profiles, name: string, profile: Profile): ProfileRow => ({
  name,
  isCurrent: profiles.current === name,
  baseUrl: profile.baseUrl,
  apiKey: profile.apiKey === undefined ? null : maskedApiKey(profile.apiKey),
  email: profile.session?.email ?? null,
})

/** The public form of a key, as the API lists it: `sk_` and 4 characters, and the last 4. */
const maskedApiKey = (apiKey: string): string => `${apiKey.slice(0, 7)}…${apiKey.slice(-4)}`

/** Prints the profile `name`, which must exist. Never prints its key. */
const printProfile = async (
  terminal: Terminal,
  options: GlobalOptions,
  result: { readonly profiles: Profiles; readonly name: string; readonly sentence: string },
): Promise<void> => {
  const { profiles, name, sentence } = result
  if (outputFormat(options, terminal) === "table") return writeOut(terminal, `${sentence}\n`)
  const row = profileRow(profiles, name, requireProfile(profiles, name))
  return writeOut(terminal, jsonDocument({ data: row }))
}

const requireFree = (profiles: Profiles, name: string): void => {
  if (findProfile(profiles, name) === undefined) return
  throw new CliError({
    code: "PROFILE_EXISTS",
    message: `Profile already exists: ${name}`,
    exitCode: ExitCode.conflict,
    nextStep: `To change its key or server: footfall profiles update ${name}`,
  })
}

export const profileList = listForm<ProfileRow>({
  csvColumns: ["name", "isCurrent", "baseUrl", "apiKey", "email"],
  nouns: ["profile", "profiles"],
  empty: { message: "There are no profiles yet.", next: "Run: footfall profiles create <name>" },
  columns: () => [
    { title: " ", cell: ({ isCurrent }) => (isCurrent ? "*" : "") },
    { title: "Profile", cell: ({ name }) => name, widthMin: 8 },
    { title: "Server", cell: ({ baseUrl }) => baseUrl, widthMin: 12 },
    { title: "API key", cell: ({ apiKey }) => apiKey ?? "" },
    { title: "Signed in", cell: ({ email }) => email ?? "", widthMin: 9, dropRank: 1 },
  ],
})

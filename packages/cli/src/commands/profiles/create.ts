// `footfall profiles create`: keeps a server and a key under a name. The key is asked for without
// showing it, or read from standard input; the server is not asked whether it is a good one.

import type { Command } from "commander"
import { readApiKey } from "../../connection/api-key.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { CliError } from "../../errors/cli-error.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import {
  BASE_URL_DEFAULT,
  findProfile,
  normalizedBaseUrl,
  profileName,
  withProfile,
  type Profiles,
} from "../../profiles/profile.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { printProfile } from "./profile-result.ts"

/** Adds the command to its group. */
export const addProfilesCreate = (group: Command, terminal: Terminal): void => {
  group
    .command("create")
    .summary("keep a server and a key under a name")
    .description(
      "Keep a server and a key under a name. The first profile becomes the current one.\n" +
        "The key is asked for, or read from standard input.",
    )
    .argument("<name>", "name of the profile, for example production")
    .option("--use", "make it the current profile")
    .addHelpText(
      "after",
      examples(
        "footfall profiles create local                   # asks for the key",
        "footfall profiles create production --base-url https://footfall.example.com --use",
        "footfall profiles create ci --api-key-stdin < key.txt",
      ),
    )
    .action(async (nameGiven: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly use?: true }>()
      const name = profileName(nameGiven)
      const file = new ConfigFile(terminal.environment)
      requireFree(file.read(warnOn(terminal)), name)
      const baseUrl = normalizedBaseUrl(
        options.baseUrl ?? (terminal.environment["FOOTFALL_BASE_URL"] || BASE_URL_DEFAULT),
      )
      const apiKey = await readApiKey(terminal, options.apiKeyStdin === true)

      const profiles = await file.change(
        () => {},
        (before) => {
          requireFree(before, name)
          const after = withProfile(before, name, { baseUrl, apiKey })
          return options.use ? { ...after, current: name } : after
        },
      )

      const current = profiles.current === name ? ", now the current one" : ""
      await printProfile(terminal, options, {
        profiles,
        name,
        sentence: `Profile ${name} is kept in ${file.path}${current}.`,
      })
    })
}

const requireFree = (profiles: Profiles, name: string): void => {
  if (findProfile(profiles, name) === undefined) return
  throw new CliError({
    code: "PROFILE_EXISTS",
    message: `There is a profile ${name} already.`,
    exitCode: ExitCode.conflict,
    nextStep: `A new key or server for it: footfall profiles update ${name}`,
  })
}

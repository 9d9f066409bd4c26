// `footfall profiles update`: gives a profile another key, or another server. A log-in is worth nothing at
// another server, so it is forgotten then.

import type { Command } from "commander"
import { readApiKey } from "../../connection/api-key.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import {
  normalizedBaseUrl,
  requireProfile,
  withProfile,
  withSession,
} from "../../profiles/profile.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { printProfile } from "./profile-result.ts"

/** Adds the command to its group. */
export const addProfilesUpdate = (group: Command, terminal: Terminal): void => {
  group
    .command("update")
    .summary("give a profile another key, or another server")
    .description(
      "Give a profile another key, which is asked for or read from standard input.\n" +
        "With --base-url alone the server has another address, and the key stays.",
    )
    .argument("<name>", "name of the profile")
    .addHelpText(
      "after",
      examples(
        "footfall profiles update production              # asks for the key",
        "footfall profiles update ci --api-key-stdin < key.txt",
        "footfall profiles update production --base-url https://footfall.example.com",
      ),
    )
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const file = new ConfigFile(terminal.environment)
      const known = requireProfile(file.read(warnOn(terminal)), name)
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
          const changed = { ...profile, baseUrl, ...(apiKey !== undefined && { apiKey }) }
          return withProfile(before, name, withSession(changed, session))
        },
      )

      await printProfile(terminal, options, {
        profiles,
        name,
        sentence: `Profile ${name} is changed.`,
      })
    })
}

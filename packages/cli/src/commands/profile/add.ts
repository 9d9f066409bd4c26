// `footfall profile add`: keeps a server and a key under a name. The key is asked for without
// showing it, or read from standard input; the server is not asked whether it is a good one.

import type { Command } from "commander"
import { readApiKey } from "../../connection/api-key.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import {
  BASE_URL_DEFAULT,
  findProfile,
  normalizedBaseUrl,
  profileName,
  withProfile,
  withSession,
} from "../../profiles/profile.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { printProfile } from "./profile-result.ts"

/** Adds the command to its group. */
export const addProfileAdd = (profile: Command, terminal: Terminal): void => {
  profile
    .command("add")
    .summary("keep a server and a key under a name")
    .description(
      "Keep a server and a key under a name. The first profile becomes the current one.\n" +
        "A profile of the same name is replaced; its server stays unless --base-url says otherwise.",
    )
    .argument("<name>", "name of the profile, for example production")
    .option("--use", "make it the current profile")
    .addHelpText(
      "after",
      examples(
        "footfall profile add local                   # asks for the key",
        "footfall profile add production --base-url https://footfall.example.com --use",
        "footfall profile add ci --api-key-stdin < key.txt",
      ),
    )
    .action(async (nameGiven: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly use?: true }>()
      const name = profileName(nameGiven)
      const file = new ConfigFile(terminal.environment)
      const known = file.read(warnOn(terminal))
      const baseUrl = normalizedBaseUrl(
        options.baseUrl ??
          (terminal.environment["FOOTFALL_BASE_URL"] ||
            (findProfile(known, name)?.baseUrl ?? BASE_URL_DEFAULT)),
      )
      const apiKey = await readApiKey(terminal, options.apiKeyStdin === true)

      let isNew = true
      const profiles = await file.change(
        () => {},
        (before) => {
          const replaced = findProfile(before, name)
          isNew = replaced === undefined
          // A log-in is worth nothing at another server.
          const session = replaced?.baseUrl === baseUrl ? replaced.session : undefined
          const after = withProfile(before, name, withSession({ baseUrl, apiKey }, session))
          return options.use ? { ...after, current: name } : after
        },
      )

      const current = profiles.current === name ? ", now the current one" : ""
      await printProfile(terminal, options, {
        profiles,
        name,
        sentence: `Profile ${name} ${isNew ? "added" : "replaced"} in ${file.path}${current}.`,
      })
    })
}

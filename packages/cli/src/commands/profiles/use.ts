// `footfall profiles use`: makes another profile the current one.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { requireProfile } from "../../profiles/profile.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { printProfile } from "./profile-result.ts"

/** Adds the command to its group. */
export const addProfilesUse = (group: Command, terminal: Terminal): void => {
  group
    .command("use")
    .description("make a profile the current one")
    .argument("<name>", "name of the profile")
    .addHelpText("after", examples("footfall profiles use production"))
    .action(async (name: string, _options, command: Command) => {
      const file = new ConfigFile(terminal.environment)
      const profiles = await file.change(warnOn(terminal), (before) => {
        requireProfile(before, name)
        return { ...before, current: name }
      })

      await printProfile(terminal, command.optsWithGlobals<GlobalOptions>(), {
        profiles,
        name,
        sentence: `Profile ${name} is now the current one.`,
      })
    })
}

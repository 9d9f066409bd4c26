// `footfall profile remove`: forgets a server, its key and its log-in. The key stays valid on the
// server, the log-in until it ends: `footfall logout` ends it at once.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { jsonDocument } from "../../output/json.ts"
import { outputFormat } from "../../output/output-format.ts"
import { requireProfile, withoutProfile } from "../../profiles/profile.ts"
import { writeOut, type Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addProfileRemove = (profile: Command, terminal: Terminal): void => {
  profile
    .command("remove")
    .description("forget a profile and its key; the key stays valid on the server")
    .argument("<name>", "name of the profile")
    .addHelpText("after", examples("footfall profile remove old"))
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const file = new ConfigFile(terminal.environment)
      let wasCurrent = false
      await file.change(warnOn(terminal), (before) => {
        requireProfile(before, name)
        wasCurrent = before.current === name
        return withoutProfile(before, name)
      })

      if (outputFormat(options, terminal) === "json") {
        return writeOut(terminal, jsonDocument({ data: { name, isRemoved: true } }))
      }
      const next = wasCurrent ? " No profile is current now. Run: footfall profile use <name>" : ""
      return writeOut(terminal, `Profile ${name} removed.${next}\n`)
    })
}

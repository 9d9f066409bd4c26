// `footfall profiles get`: one profile of this computer, its key masked.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { factsText } from "../../output/facts-text.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { profileRow } from "../../profiles/profile-row.ts"
import { requireProfile } from "../../profiles/profile.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addProfilesGet = (group: Command, terminal: Terminal): void => {
  group
    .command("get")
    .description("show one profile; without a name the current one")
    .argument("[name]", "name of the profile")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples("footfall profiles get", "footfall profiles get production --json"),
    )
    .action(async (given: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const known = new ConfigFile(terminal.environment).read(warnOn(terminal))
      const name = given ?? options.profile ?? known.current
      if (name === null) {
        throw usageError("No profile is current.", "Run: footfall profiles use <name>")
      }
      const row = profileRow(known, name, requireProfile(known, name))
      const text = factsText([
        ["Profile", row.isCurrent ? `${row.name} (current)` : row.name],
        ["Server", row.baseUrl],
        ["API key", row.apiKey],
        ["Logged in", row.email],
      ])
      await printResult(terminal, options, row, text)
    })
}

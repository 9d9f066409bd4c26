// `footfall profile list`: the profiles of this computer, their keys masked.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption, outputOption } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { profileRow } from "../../profiles/profile-row.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addProfileList = (profile: Command, terminal: Terminal): void => {
  profile
    .command("list")
    .description("list the profiles; a star marks the current one")
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall profile list", "footfall profile list --json"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const known = new ConfigFile(terminal.environment).read(warnOn(terminal))
      const profiles = Object.entries(known.profiles).map(([name, entry]) =>
        profileRow(known, name, entry),
      )
      await printRows(terminal, options, {
        data: profiles,
        rows: profiles,
        csvColumns: ["name", "isCurrent", "baseUrl", "apiKey", "email"],
        drawn: async (columns) => {
          const [{ drawn }, { ProfileTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/ProfileTable.tsx"),
          ])
          return drawn(ProfileTable, { profiles, screenColumns: columns }, columns)
        },
      })
    })
}

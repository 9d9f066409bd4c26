// `footfall profile list`: the profiles of this computer, their keys masked.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { jsonDocument } from "../../output/json.ts"
import { outputFormat } from "../../output/output-format.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { profileRow } from "../../profiles/profile-row.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addProfileList = (profile: Command, terminal: Terminal): void => {
  profile
    .command("list")
    .description("list the profiles; a star marks the current one")
    .addHelpText("after", examples("footfall profile list", "footfall profile list --json"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const known = new ConfigFile(terminal.environment).read(warnOn(terminal))
      const profiles = Object.entries(known.profiles).map(([name, entry]) =>
        profileRow(known, name, entry),
      )
      if (outputFormat(options, terminal) === "json") {
        return writeOut(terminal, jsonDocument({ data: profiles }))
      }
      const [{ drawn }, { ProfileTable }] = await Promise.all([
        import("../../screens/drawn.ts"),
        import("../../screens/ProfileTable.tsx"),
      ])
      const columns = screenColumns(terminal)
      return writeOut(terminal, drawn(ProfileTable, { profiles, screenColumns: columns }, columns))
    })
}

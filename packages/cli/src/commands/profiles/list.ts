// `footfall profiles list`: the profiles of this computer, their keys masked.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows } from "../../output/print-rows.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { profileRow } from "../../profiles/profile-row.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { addWholeListOptions, cutList, type ListOptions } from "../list-options.ts"

/** Adds the command to its group. */
export const addProfilesList = (group: Command, terminal: Terminal): void => {
  const list = group.command("list").description("list the profiles; a star marks the current one")
  addWholeListOptions(list, "profiles")
    .addHelpText("after", examples("footfall profiles list", "footfall profiles list --json"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const known = new ConfigFile(terminal.environment).read(warnOn(terminal))
      const profiles = Object.entries(known.profiles).map(([name, entry]) =>
        profileRow(known, name, entry),
      )
      const { rows, meta } = cutList(profiles, options)
      await printRows(terminal, options, {
        data: rows,
        meta,
        rows,
        csvColumns: ["name", "isCurrent", "baseUrl", "apiKey", "email"],
        drawn: async (columns) => {
          const [{ drawn }, { ProfileTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/ProfileTable.tsx"),
          ])
          return drawn(ProfileTable, { profiles: rows, meta, screenColumns: columns }, columns)
        },
      })
    })
}

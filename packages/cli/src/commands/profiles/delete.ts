// `footfall profiles delete`: forgets a server, its key and its log-in. The key stays valid on the
// server, the log-in until it ends: `footfall logout` ends it at once.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { ConfigFile } from "../../profiles/config-file.ts"
import { requireProfile, withoutProfile } from "../../profiles/profile.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addProfilesDelete = (group: Command, terminal: Terminal): void => {
  group
    .command("delete")
    .description("forget a profile and its key; the key stays valid on the server")
    .argument("<name>", "name of the profile")
    .option("--yes", "do it without asking")
    .addHelpText("after", examples("footfall profiles delete old"))
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const file = new ConfigFile(terminal.environment)
      requireProfile(file.read(warnOn(terminal)), name)
      await requireConsent(terminal, {
        what: `The profile ${name} and its key will be forgotten.`,
        isGiven: options.yes === true,
      })
      let wasCurrent = false
      await file.change(
        () => {},
        (before) => {
          requireProfile(before, name)
          wasCurrent = before.current === name
          return withoutProfile(before, name)
        },
      )

      await printResult(terminal, options, { name, deleted: true }, () =>
        lines(
          `Profile ${name} is forgotten.`,
          wasCurrent ? "No profile is current now. Run: footfall profiles use <name>" : null,
        ),
      )
    })
}

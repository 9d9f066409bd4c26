// `footfall audiences activate`: takes a slot, or the access to one run.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { audienceId } from "./audience-id.ts"
import { standingLines } from "./standing-lines.ts"

/** Adds the command to its group. */
export const addAudiencesActivate = (audiences: Command, terminal: Terminal): void => {
  audiences
    .command("activate")
    .description("make an audience active; that takes a slot, and starts no run")
    .argument("<id>", "id or name of the audience", audienceId)
    .addHelpText(
      "after",
      examples("footfall audiences activate 70865832-8a6e-409c-95c5-d15bafae1a05"),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const audience = await client.audiences.activate(id)

      await printResult(terminal, options, audience, () =>
        lines(`Audience ${audience.name} is active.`, ...standingLines(audience)),
      )
    })
}

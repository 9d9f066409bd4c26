// `footfall audiences pause`: gives the slot back. What was found stays.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { audienceId } from "./audience-id.ts"

/** Adds the command to its group. */
export const addAudiencesPause = (audiences: Command, terminal: Terminal): void => {
  audiences
    .command("pause")
    .description("pause an active audience: no more runs, and its slot is free")
    .argument("<id>", "id or name of the audience", audienceId)
    .addHelpText("after", examples("footfall audiences pause 70865832-8a6e-409c-95c5-d15bafae1a05"))
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const audience = await client.audiences.pause(id)

      await printResult(terminal, options, audience, () =>
        lines(
          `Audience ${audience.name} is paused. A run that is running finishes.`,
          `Go on: footfall audiences activate ${audience.id}`,
        ),
      )
    })
}

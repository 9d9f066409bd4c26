// `footfall audiences get`: one saved audience with its configuration.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { audienceId } from "./audience-id.ts"

/** Adds the command to its group. */
export const addAudiencesGet = (audiences: Command, terminal: Terminal): void => {
  audiences
    .command("get")
    .description("show one saved audience")
    .argument("<id>", "id or name of the audience", audienceId)
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall audiences get 70865832-8a6e-409c-95c5-d15bafae1a05",
        "footfall audiences get 70865832-8a6e-409c-95c5-d15bafae1a05 --json | jq .data.config > audience.json",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const audience = await client.audiences.get(id)

      await printResult(terminal, options, audience, async (columns) => {
        const [{ drawn }, { AudienceView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/AudienceView.tsx"),
        ])
        return drawn(AudienceView, { audience, now: terminal.now, screenColumns: columns }, columns)
      })
    })
}

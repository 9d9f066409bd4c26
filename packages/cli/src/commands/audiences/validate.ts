// `footfall audiences validate`: whether a configuration is valid, and its normal form.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addConfigOptions, givenConfig, type ConfigOptions } from "./config-options.ts"

/** Adds the command to its group. */
export const addAudiencesValidate = (audiences: Command, terminal: Terminal): void => {
  addConfigOptions(
    audiences
      .command("validate")
      .description("tell whether a configuration is valid, and its normal form; counts nobody"),
  )
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall audiences validate --config audience.json",
        "footfall audiences validate --topic 1204 --state california --json | jq .data.configHash",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ConfigOptions>()
      const client = await connect(terminal, command, "either")
      const config = await givenConfig(terminal, client, options)

      const validation = await client.audiences.validate(config)

      await printResult(terminal, options, validation, async (columns) => {
        const [{ drawn }, { AudienceValidationView }, { topicNamesOf }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/AudienceValidationView.tsx"),
          import("../../topics/topic-names.ts"),
        ])
        const names = await topicNamesOf(client, validation.normalizedConfig.topicIds)
        return drawn(AudienceValidationView, { validation, names, screenColumns: columns }, columns)
      })
    })
}

// `footfall audiences preview`: how many people a configuration holds, and some of them.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addConfigOptions, givenConfig, type ConfigOptions } from "./config-options.ts"

/** A count over millions of people may take longer than other calls. */
const TIMEOUT_MS = 120_000

/** Adds the command to its group. */
export const addAudiencesPreview = (audiences: Command, terminal: Terminal): void => {
  addConfigOptions(
    audiences
      .command("preview")
      .description(
        "count the people who read about topics and pass filters, and show some of them",
      ),
  )
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall audiences preview --topic 3377 --topic 1204 --overlap 2 --seniority vp,c_suite",
        "footfall audiences preview --topic 'Freight Visibility' --state CA --has-phone",
        "footfall audiences preview --config audience.json --json | jq .data.totalCount",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ConfigOptions>()
      const client = await connect(terminal, command)
      const config = await givenConfig(terminal, client, options)

      const preview = await client.audiences.preview(config, { timeoutMs: TIMEOUT_MS })

      await printResult(terminal, options, preview, async (columns) => {
        const [{ drawn }, { AudiencePreviewView }, { topicNamesOf }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/AudiencePreviewView.tsx"),
          import("../../topics/topic-names.ts"),
        ])
        const names = await topicNamesOf(client, config.topicIds)
        return drawn(
          AudiencePreviewView,
          { preview, config, names, screenColumns: columns },
          columns,
        )
      })
    })
}

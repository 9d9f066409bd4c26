// `footfall runs get`: one run as it is now.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { printRun } from "./print-run.ts"
import { addRunArguments } from "./run-id.ts"

/** Adds the command to its group. */
export const addRunsGet = (runs: Command, terminal: Terminal): void => {
  addRunArguments(runs.command("get").description("show one run"))
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall runs get 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865",
      ),
    )
    .action(async (audienceId: string, runId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")
      await printRun(terminal, options, await client.runs.get(audienceId, runId))
    })
}

// `footfall runs cancel`: takes a run out of the queue before a worker has it.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { printRun } from "./print-run.ts"
import { addRunArguments } from "./run-id.ts"

/** Adds the command to its group. */
export const addRunsCancel = (runs: Command, terminal: Terminal): void => {
  addRunArguments(runs.command("cancel").description("cancel a run that is queued"))
    .addHelpText(
      "after",
      examples(
        "footfall runs cancel 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865",
      ),
    )
    .action(async (audienceId: string, runId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")
      await printRun(terminal, options, await client.runs.cancel(audienceId, runId))
    })
}

// `footfall runs stats`: what the results of a run hold, in figures.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addRunArguments } from "./run-id.ts"

/** Adds the command to its group. */
export const addRunsStats = (runs: Command, terminal: Terminal): void => {
  addRunArguments(
    runs.command("stats").description("show scores and known values of the people a run found"),
  )
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall runs stats 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865",
        "footfall runs stats 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865 --json | jq .data.stats.averages",
      ),
    )
    .action(async (audienceId: string, runId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const answer = await client.runs.stats(audienceId, runId)

      await printResult(terminal, options, answer, async (columns) => {
        const [{ drawn }, { RunStatisticsView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/RunStatisticsView.tsx"),
        ])
        return drawn(RunStatisticsView, { ...answer, screenColumns: columns }, columns)
      })
    })
}

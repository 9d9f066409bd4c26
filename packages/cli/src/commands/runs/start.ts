// `footfall runs start`: starts a run and waits for its end, which is shown as it comes. Ends with 1 when the
// run failed or was cancelled.

import type { Run } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { showWork } from "../../terminal/work.ts"
import { audienceId } from "../audiences/audience-id.ts"
import { examples } from "../examples.ts"
import { printRun } from "./print-run.ts"

/** As commander hands them over. */
interface StartOptions extends GlobalOptions {
  readonly idempotencyKey?: string
  readonly wait: boolean
}

/** Adds the command to its group. */
export const addRunsStart = (runs: Command, terminal: Terminal): void => {
  runs
    .command("start")
    .description("find who is in an audience now, keep them, and wait until that is done")
    .argument("<audience-id>", "id or name of the audience, which is active", audienceId)
    .option("--idempotency-key <key>", "the same key gives the same run, however often it is sent")
    .option("--no-wait", "end as soon as the run is in the queue")
    .addHelpText(
      "after",
      examples(
        "footfall runs start 70865832-8a6e-409c-95c5-d15bafae1a05",
        "footfall runs start 70865832-8a6e-409c-95c5-d15bafae1a05 --idempotency-key monday --json",
        "footfall runs start 70865832-8a6e-409c-95c5-d15bafae1a05 --no-wait --json | jq -r .data.id",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StartOptions>()
      const client = await connect(terminal, command, "either")

      const started = await client.runs.start(id, { idempotencyKey: options.idempotencyKey })
      const run = options.wait
        ? await watched(terminal, started, (onLook) => client.runs.wait(started, { onLook }))
        : started

      await printRun(terminal, options, run)
      if (run.status === "failed" || run.status === "cancelled") terminal.endWith(ExitCode.failed)
    })
}

/** Shows how far the run has come until it is over. */
const watched = async (
  terminal: Terminal,
  started: Run,
  wait: (onLook: (run: Run) => void) => Promise<Run>,
): Promise<Run> => {
  const { runFigures, runFraction } = await import("../../screens/run-words.ts")
  let present = started
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: `Run on the data of ${present.dataDate}`,
      fraction: runFraction(present),
      figures: runFigures(present, elapsedMs),
    }),
    () => `The run goes on. See: footfall runs get ${started.audienceId} ${started.id}`,
  )
  try {
    return await wait((run) => {
      present = run
      work.update()
    })
  } finally {
    work.end()
  }
}

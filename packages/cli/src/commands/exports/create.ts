// `footfall exports create`: has the server write what a run found into a file, and waits for it. Ends with 1
// when that failed.

import type { Command } from "commander"
import type { Footfall, ExportWithLink } from "@footfall/sdk"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { showWork } from "../../terminal/work.ts"
import { examples } from "../examples.ts"
import { addRunArguments } from "../runs/run-id.ts"
import { printExport } from "./print-export.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions {
  readonly wait: boolean
}

/** Adds the command to its group. */
export const addExportsCreate = (exports: Command, terminal: Terminal): void => {
  addRunArguments(
    exports
      .command("create")
      .summary("have the people a run found written into a file")
      .description(
        "Have the people a completed run found written into a file on the server, and wait until that\n" +
          "is done. An export that is there already is given again. The file is kept for 7 days; to have\n" +
          "it here at once, use `footfall runs export`.",
      ),
  )
    .option("--no-wait", "end as soon as the export is begun")
    .addHelpText(
      "after",
      examples(
        "footfall exports create 70865832-8a6e-409c-95c5-d15bafae1a05 latest",
        "footfall exports create 70865832-8a6e-409c-95c5-d15bafae1a05 latest --no-wait --json | jq -r .data.export.id",
      ),
    )
    .action(async (audienceId: string, runId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const client = await connect(terminal, command, "either")

      const begun = await client.exports.create(audienceId, runId)
      const isWaitedFor = options.wait && begun.export.status === "processing"
      const result = isWaitedFor ? await watched(terminal, client, begun) : begun

      await printExport(terminal, options, result)
      if (result.export.status === "failed") terminal.endWith(ExitCode.failed)
    })
}

/** How far it has come is not told by the server. */
const watched = async (
  terminal: Terminal,
  client: Footfall,
  { export: begun }: ExportWithLink,
): Promise<ExportWithLink> => {
  const { duration } = await import("../../screens/time.ts")
  const { audienceId, id, runId } = begun
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: `Export to ${begun.fileName}`,
      fraction: null,
      figures: [duration(Math.floor(elapsedMs / 1000))],
    }),
    () => `The export goes on. See: footfall exports get ${audienceId} ${runId} ${id}`,
  )
  try {
    return await client.exports.wait(begun, { onLook: () => work.update() })
  } finally {
    work.end()
  }
}

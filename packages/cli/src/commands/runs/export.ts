// `footfall runs export`: the people a run found, as CSV, to a file or to standard output. The server makes it
// while it is read, so an export that stopped is simply begun anew.

import type { Footfall } from "@footfall/sdk"
import type { Command } from "commander"
import { existsSync } from "node:fs"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import { showProgress } from "../../terminal/progress.ts"
import { writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addRunArguments } from "./run-id.ts"

/** As commander hands them over. */
interface ExportOptions extends GlobalOptions {
  readonly raw?: true
  readonly overwrite?: true
}

/** What is exported, and how. */
interface RunExport {
  readonly audienceId: string
  readonly runId: string
  readonly raw: boolean
  readonly signal: AbortSignal
}

/** Adds the command to its group. */
export const addRunsExport = (runs: Command, terminal: Terminal): void => {
  const command = runs
    .command("export")
    .summary("write the people a run found to a file")
    .description(
      "Write the people a completed run found as CSV, in the order of the results. The file is there\n" +
        "when it is whole. A cell that a spreadsheet would take for a formula begins with an apostrophe.",
    )
  addRunArguments(command)
    .argument("<file>", "file to write, or `-` for standard output")
    .option("--raw", "leave such cells as they are, for programs")
    .option("--overwrite", "replace the file if there is one")
    .addHelpText(
      "after",
      examples(
        "footfall runs export 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865 buyers.csv",
        "footfall runs export 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865 - --raw | gzip > buyers.csv.gz",
      ),
    )
    .action(async (audienceId: string, runId: string, file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>()
      if (file !== "-" && !options.overwrite && existsSync(file)) {
        throw usageError(`${file} is there already.`, "Add --overwrite to replace it.")
      }
      const client = await connect(terminal, command, "either")
      const interrupt = new AbortController()
      const onInterrupt = () => interrupt.abort()
      terminal.atInterrupt.add(onInterrupt)
      const wanted = { audienceId, runId, raw: options.raw === true, signal: interrupt.signal }
      try {
        if (file === "-") return await toStdout(terminal, client, wanted)
        const bytes = await toFile(terminal, client, wanted, file)
        const { resultCount: rows } = await client.runs.get(audienceId, runId)
        const { counted, sizeText } = await import("../../screens/figures.ts")
        await printResult(terminal, options, { file, rows, bytes }, () =>
          lines(`${counted(rows, "person", "people")} in ${file} (${sizeText(bytes)}).`),
        )
      } finally {
        terminal.atInterrupt.delete(onInterrupt)
      }
    })
}

const streamOf = (client: Footfall, { audienceId, raw, runId, signal }: RunExport) =>
  client.runs.exportCsv(audienceId, runId, { raw }, { signal })

const toStdout = async (terminal: Terminal, client: Footfall, wanted: RunExport): Promise<void> => {
  for await (const chunk of await streamOf(client, wanted)) await writeOut(terminal, chunk)
}

/** How many rows there will be is known, how many bytes is not. */
const toFile = async (
  terminal: Terminal,
  client: Footfall,
  wanted: RunExport,
  file: string,
): Promise<number> => {
  const { sizeText } = await import("../../screens/figures.ts")
  let bytes = 0
  const progress = await showProgress(terminal, () => ({
    title: `Exporting to ${file}`,
    fraction: null,
    figures: [sizeText(bytes)],
    waitText: null,
  }))
  try {
    return await (
      await streamOf(client, wanted)
    ).toFile(file, (written) => {
      bytes = written
      progress.update()
    })
  } finally {
    progress.end()
  }
}

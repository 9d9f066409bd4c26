// `footfall exports get`: one export, with a link that begins now.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addExportArguments } from "./export-id.ts"
import { printExport } from "./print-export.ts"

const EXAMPLE = "70865832-8a6e-409c-95c5-d15bafae1a05 latest 9a2f6c1e-4b0d-4f6e-9d55-0c7b1e2a3f44"

/** Adds the command to its group. */
export const addExportsGet = (exports: Command, terminal: Terminal): void => {
  addExportArguments(
    exports
      .command("get")
      .summary("show one export, with a new link to its file")
      .description(
        "Show one export, with a new link to its file. The link is good for 24 hours and needs no\n" +
          "credentials: whoever has it can read the people.",
      ),
  )
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        `footfall exports get ${EXAMPLE}`,
        `curl -o people.csv "$(footfall exports get ${EXAMPLE} --json | jq -r .data.downloadUrl)"`,
      ),
    )
    .action(async (audienceId: string, runId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")
      await printExport(terminal, options, await client.exports.get(audienceId, runId, id))
    })
}

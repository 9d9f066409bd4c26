// `footfall exports list`: the files there are of a run, and were.

import type { Export, ListMeta } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { addRunArguments } from "../runs/run-id.ts"

/** Adds the command to its group. */
export const addExportsList = (exports: Command, terminal: Terminal): void => {
  addListOptions(
    addRunArguments(exports.command("list").description("list the exports of a run, newest first")),
    "exports",
  )
    .addHelpText(
      "after",
      examples(
        "footfall exports list 70865832-8a6e-409c-95c5-d15bafae1a05 latest",
        "footfall exports list 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865 --json",
      ),
    )
    .action(async (audienceId: string, runId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const pages = limitedPages(client.exports.list(audienceId, runId).pages(), rowsMax(options))
      await printList(terminal, output, pages, exportListForm(terminal))
    })
}

const exportListForm = (terminal: Terminal): ListForm<Export, ListMeta> => ({
  csvColumns: [
    "id",
    "exportType",
    "status",
    "contentType",
    "byteSize",
    "rowCount",
    "fileName",
    "contentSha256",
    "errorCode",
    "errorMessage",
    "requestedBy",
    "completedAt",
    "expiresAt",
    "createdAt",
    "updatedAt",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { ExportTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/ExportTable.tsx"),
    ])
    const props = { exports: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(ExportTable, props, columns)
  },
})

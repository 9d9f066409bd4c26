// `footfall segments list`: the saved rules.

import type { ListMeta, Segment } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"

/** Adds the command to its group. */
export const addSegmentsList = (segments: Command, terminal: Terminal): void => {
  addListOptions(
    segments.command("list").description("list the saved segments, newest first"),
    "segments",
  )
    .addHelpText("after", examples("footfall segments list", "footfall segments list --all --json"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const pages = limitedPages(client.segments.list().pages(), rowsMax(options))
      await printList(terminal, output, pages, segmentListForm(terminal))
    })
}

const segmentListForm = (terminal: Terminal): ListForm<Segment, ListMeta> => ({
  csvColumns: ["id", "name", "description", "ruleAst", "createdBy", "createdAt", "updatedAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { SegmentTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/SegmentTable.tsx"),
    ])
    const props = { segments: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(SegmentTable, props, columns)
  },
})

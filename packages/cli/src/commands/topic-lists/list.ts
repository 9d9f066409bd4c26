// `footfall topic-lists list`: the saved lists.

import type { ListMeta, TopicList } from "@footfall/sdk"
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
export const addTopicListsList = (topicLists: Command, terminal: Terminal): void => {
  addListOptions(
    topicLists.command("list").description("list the saved topic lists, newest first"),
    "lists",
  )
    .addHelpText(
      "after",
      examples("footfall topic-lists list", "footfall topic-lists list --all --json"),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const pages = limitedPages(client.topicLists.list().pages(), rowsMax(options))
      await printList(terminal, output, pages, topicListForm(terminal))
    })
}

const topicListForm = (terminal: Terminal): ListForm<TopicList, ListMeta> => ({
  csvColumns: ["id", "name", "topicIds", "createdAt", "updatedAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { TopicListTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/TopicListTable.tsx"),
    ])
    const props = { topicLists: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(TopicListTable, props, columns)
  },
})

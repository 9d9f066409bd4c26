// `footfall topics list`: the catalogue.

import type { Topic, TopicListMeta } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { addTopicFilterOptions, topicColumns, type TopicFilterOptions } from "./topic-options.ts"

/** As commander hands them over. */
interface TopicsListOptions extends GlobalOptions, ListOptions, TopicFilterOptions {
  readonly category?: string
  readonly search?: string
}

/** Topics of a page when no number is asked for. */
const PAGE_SIZE = 50

/** What the server gives at once (spec 1.6). */
const PAGE_SIZE_MAX = 500

/** Adds the command to its group. */
export const addTopicsList = (topics: Command, terminal: Terminal): void => {
  const command = topics.command("list").description("list the topics of the catalogue, by id")
  addTopicFilterOptions(command)
    .option("--category <name>", "only topics of this category, in any case")
    .option("--search <text>", "only topics whose name holds this text, in any case")
  addListOptions(command, "topics")
    .addHelpText(
      "after",
      examples(
        "footfall topics list --type b2b --industry logistics",
        "footfall topics list --all --output csv > topics.csv",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<TopicsListOptions>()
      const output = outputOf(options, terminal)
      const { type, industry, category, search } = options
      const rows = rowsMax(options)
      const client = await connect(terminal, command, "optional")
      const pageSize = rows === null ? PAGE_SIZE : Math.min(rows, PAGE_SIZE_MAX)
      const list = client.topics.list({ type, industry, category, q: search, pageSize })
      await printList(terminal, output, limitedPages(list.pages(), rows), topicListForm)
    })
}

const topicListForm: ListForm<Topic, TopicListMeta> = {
  csvColumns: topicColumns,
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { TopicTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/TopicTable.tsx"),
    ])
    const empty = {
      says: "No topic passes the filter.",
      next: "What there is: footfall topics facets",
    }
    return drawn(TopicTable, { topics: data, meta, empty, screenColumns: columns }, columns)
  },
}

// `footfall topics search`: the topics that a few words mean, best match first.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addBoundedListOptions, boundedLimit, type ListOptions } from "../list-options.ts"
import { addTopicFilterOptions, topicColumns, type TopicFilterOptions } from "./topic-options.ts"

/** As commander hands them over. */
type SearchOptions = GlobalOptions & ListOptions & TopicFilterOptions

/** Source: spec 5.7. */
const bound = { default: 10, max: 50 }

/** Adds the command to its group. */
export const addTopicsSearch = (topics: Command, terminal: Terminal): void => {
  const command = topics
    .command("search")
    .description("find the topics that a few words mean, best match first; spelling is forgiven")
    .argument("<words...>", "what to look for")
  addBoundedListOptions(addTopicFilterOptions(command), "topics", bound)
    .addHelpText(
      "after",
      examples(
        "footfall topics search warehouse managment",
        "footfall topics search crm --limit 1 --json | jq '.data[0].topicId'",
      ),
    )
    .action(async (words: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions>()
      const { type, industry } = options
      const limit = boundedLimit(options, bound)
      const q = words.join(" ")
      const client = await connect(terminal, command, "optional")

      const found = await client.topics.search({ q, type, industry, limit })

      await printRows(terminal, options, {
        data: found,
        rows: found,
        csvColumns: topicColumns,
        drawn: async (columns) => {
          const [{ drawn }, { TopicTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/TopicTable.tsx"),
          ])
          const meta = { total: found.length, hasMore: false }
          const empty = {
            says: "Nothing found.",
            next: "Try: other words, or footfall topics list",
          }
          return drawn(TopicTable, { topics: found, meta, empty, screenColumns: columns }, columns)
        },
      })
    })
}

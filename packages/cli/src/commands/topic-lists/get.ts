// `footfall topic-lists get`: one list with its topics.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { topicListId } from "./topic-list-id.ts"

/** Adds the command to its group. */
export const addTopicListsGet = (topicLists: Command, terminal: Terminal): void => {
  topicLists
    .command("get")
    .description("show one topic list")
    .argument("<id>", "id of the list", topicListId)
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall topic-lists get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
        "footfall topics compare $(footfall topic-lists get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --json | jq '.data.topicIds[]')",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const topicList = await client.topicLists.get(id)

      await printResult(terminal, options, topicList, async (columns) => {
        const [{ drawn }, { TopicListView }, { topicNamesOf }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/TopicListView.tsx"),
          import("../../topics/topic-names.ts"),
        ])
        const names = await topicNamesOf(client, topicList.topicIds)
        return drawn(TopicListView, { topicList, names, screenColumns: columns }, columns)
      })
    })
}

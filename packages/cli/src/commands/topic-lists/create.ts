// `footfall topic-lists create`: keeps topics under a name.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { counted } from "../../screens/figures.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { TOPIC_WORDS } from "../topics/topic-options.ts"

/** Adds the command to its group. */
export const addTopicListsCreate = (topicLists: Command, terminal: Terminal): void => {
  topicLists
    .command("create")
    .description("keep topics under a name")
    .argument("<name>", "name of the list")
    .argument("<topics...>", `${TOPIC_WORDS}; several`)
    .addHelpText(
      "after",
      examples("footfall topic-lists create Warehouse 1204 'Freight Visibility'"),
    )
    .action(async (name: string, references: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")
      const { topicIdsOf } = await import("../../topics/topic-reference.ts")
      const topicIds = await topicIdsOf(client, references)

      const topicList = await client.topicLists.create({ name, topicIds })

      await printResult(terminal, options, topicList, () =>
        lines(
          `${topicList.name} is kept, with ${counted(topicList.topicIds.length, "topic")}: ${topicList.id}`,
        ),
      )
    })
}

// `footfall topic-lists update`: changes name or topics; what is not given stays.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { TOPIC_WORDS } from "../topics/topic-options.ts"
import { topicListId } from "./topic-list-id.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions {
  readonly name?: string
  readonly topics?: ReadonlyArray<string>
}

/** Adds the command to its group. */
export const addTopicListsUpdate = (topicLists: Command, terminal: Terminal): void => {
  topicLists
    .command("update")
    .description("change name or topics of a list")
    .argument("<id>", "id of the list", topicListId)
    .option("--name <name>", "new name")
    .option("--topics <topics...>", `the topics from then on: ${TOPIC_WORDS}`)
    .addHelpText(
      "after",
      examples(
        "footfall topic-lists update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --topics 1204 3377",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const { name, topics } = options
      if (name === undefined && topics === undefined) {
        throw usageError("There is nothing to change.", "Give --name or --topics.")
      }
      const client = await connect(terminal, command, "either")
      const { topicIdsOf } = await import("../../topics/topic-reference.ts")
      const topicIds = topics === undefined ? undefined : await topicIdsOf(client, topics)

      const topicList = await client.topicLists.update(id, { name, topicIds })

      await printResult(terminal, options, topicList, () => lines(`${topicList.name} is changed.`))
    })
}

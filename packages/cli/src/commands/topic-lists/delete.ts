// `footfall topic-lists delete`: deletes a list. The topics stay.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { topicListId } from "./topic-list-id.ts"

/** Adds the command to its group. */
export const addTopicListsDelete = (topicLists: Command, terminal: Terminal): void => {
  topicLists
    .command("delete")
    .description("delete a topic list; the topics stay")
    .argument("<id>", "id of the list", topicListId)
    .option("--yes", "do it without asking")
    .addHelpText(
      "after",
      examples("footfall topic-lists delete 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command, "either")
      await requireConsent(terminal, {
        what: `Topic list ${id} will be deleted.`,
        isGiven: options.yes === true,
      })

      const deleted = await client.topicLists.delete(id)

      await printResult(terminal, options, { id, ...deleted }, () =>
        lines(`Topic list ${id} is deleted.`),
      )
    })
}

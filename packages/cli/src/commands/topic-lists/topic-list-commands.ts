// `footfall topic-lists`: topics that an organization keeps under a name.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addTopicListsCreate } from "./create.ts"
import { addTopicListsDelete } from "./delete.ts"
import { addTopicListsGet } from "./get.ts"
import { addTopicListsList } from "./list.ts"
import { addTopicListsUpdate } from "./update.ts"

/** Adds the group to the program. */
export const addTopicListCommands = (program: Command, terminal: Terminal): void => {
  const topicLists = program
    .command("topic-lists")
    .description("topics that you keep under a name")
    .helpCommand(false)
  addTopicListsList(topicLists, terminal)
  addTopicListsGet(topicLists, terminal)
  addTopicListsCreate(topicLists, terminal)
  addTopicListsUpdate(topicLists, terminal)
  addTopicListsDelete(topicLists, terminal)
}

// `footfall topic-lists`: topics that an organization keeps under a name.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addTopicListsCreate } from "./create.ts"
import { addTopicListsDelete } from "./delete.ts"
import { addTopicListsGet } from "./get.ts"
import { addTopicListsList } from "./list.ts"
import { addTopicListsUpdate } from "./update.ts"

/** Adds its commands to the group. */
export const addTopicListCommands = (topicLists: Command, terminal: Terminal): void => {
  addTopicListsList(topicLists, terminal)
  addTopicListsGet(topicLists, terminal)
  addTopicListsCreate(topicLists, terminal)
  addTopicListsUpdate(topicLists, terminal)
  addTopicListsDelete(topicLists, terminal)
}

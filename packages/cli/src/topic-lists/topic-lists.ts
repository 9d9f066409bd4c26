// `footfall topic-lists`: saved lists of topics.

import type { ListMeta, TopicList } from "@footfall/sdk"
import { defineDelete } from "../command/define-delete.ts"
import { define } from "../command/define.ts"
import { addListOptions } from "../command/list-options.ts"
import { named } from "../command/names.ts"
import { usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { lines } from "../terminal/terminal.ts"
import { TOPIC_WORDS } from "../topics/topic-reference.ts"
import { counted, timeAgo } from "../ui/text.ts"

/** Parses a topic list's id or name. */
const topicListId = named("topic list", "footfall topic-lists list", (client) =>
  client.topicLists.list({ limit: 100 }),
)

interface UpdateOptions {
  readonly name?: string
  readonly topics?: ReadonlyArray<string>
}

export const topicListCommands = [
  define("list", {
    description: "list the saved topic lists, newest first",
    takes: (command) => addListOptions(command, "lists"),
    fields: "id,name",
    examples: ["footfall topic-lists list", "footfall topic-lists list --all --json"],
    credential: "either",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.topicLists.list(), topicListList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one topic list",
    takes: (command) => command.argument("<id>", "id or name of the list", topicListId),
    fields: "name,topicIds",
    examples: [
      "footfall topic-lists get Warehouse",
      "footfall topics compare $(footfall topic-lists get Warehouse --json | jq '.data.topicIds[]')",
    ],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()

      const topicList = await client.topicLists.get(id)

      await print(topicList, async (columns) => {
        const [{ drawn }, { TopicListView }, { topicNamesOf }] = await Promise.all([
          import("../ui/drawn.ts"),
          import("./views.tsx"),
          import("../topics/topic-reference.ts"),
        ])
        const names = await topicNamesOf(client, topicList.topicIds)
        return drawn(TopicListView, { topicList, names, screenColumns: columns }, columns)
      })
    },
  }),

  define<object, [name: string, references: ReadonlyArray<string>]>("create", {
    description: "create a list of topics",
    takes: (command) =>
      command
        .argument("<name>", "name of the list")
        .argument("<topics...>", `${TOPIC_WORDS}; several`),
    examples: ["footfall topic-lists create Warehouse 1204 'Freight Visibility'"],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, print }, name, references) => {
      const client = await connect()
      const { topicIdsOf } = await import("../topics/topic-reference.ts")
      const topicIds = await topicIdsOf(client, references)

      const topicList = await client.topicLists.create({ name, topicIds }, creation)

      await print(topicList, () =>
        lines(
          `Created topic list ${topicList.name} with ${counted(topicList.topicIds.length, "topic")}: ${topicList.id}`,
        ),
      )
    },
  }),

  define<UpdateOptions, [id: string]>("update", {
    description: "change the name or the topics of a list",
    takes: (command) =>
      command
        .argument("<id>", "id or name of the list", topicListId)
        .option("--name <name>", "new name")
        .option("--topics <topics...>", `topics that replace the current ones: ${TOPIC_WORDS}`),
    examples: ["footfall topic-lists update Warehouse --topics 1204 3377"],
    credential: "either",
    run: async ({ connect, options, print }, id) => {
      const { name, topics } = options
      if (name === undefined && topics === undefined) {
        throw usageError("Nothing to update.", "Add --name or --topics.")
      }
      const client = await connect()
      const { topicIdsOf } = await import("../topics/topic-reference.ts")
      const topicIds = topics === undefined ? undefined : await topicIdsOf(client, topics)

      const topicList = await client.topicLists.update(id, { name, topicIds })

      await print(topicList, () => lines(`Updated topic list ${topicList.name}.`))
    },
  }),

  defineDelete({
    description: "delete a topic list; the topics stay",
    id: ["id or name of the list", topicListId],
    example: "footfall topic-lists delete Warehouse",
    credential: "either",
    warning: (id) => `Topic list ${id} will be deleted.`,
    run: ({ topicLists }, id) => topicLists.delete(id),
    done: (id) => `Deleted topic list ${id}.`,
  }),
]

export const topicListList = listForm<TopicList, ListMeta>({
  csvColumns: ["id", "name", "topicIds", "createdAt", "updatedAt"],
  nouns: ["topic list", "topic lists"],
  empty: {
    message: "There are no topic lists yet.",
    next: "Run: footfall topic-lists create <name> <topics...>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
    { title: "Topics", cell: ({ topicIds }) => `${topicIds.length}`, align: "right" },
    {
      title: "Updated",
      cell: ({ updatedAt }) => timeAgo(updatedAt, now),
      align: "right",
      dropRank: 1,
    },
  ],
})

// The saved topic lists on a terminal.

import type { ListMeta, TopicList } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of lists. */
export interface TopicListTableProps {
  readonly topicLists: ReadonlyArray<TopicList>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const TopicListTable = (props: TopicListTableProps): ReactNode => {
  const { topicLists, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={topicListColumns(now)}
      rows={topicLists}
      meta={meta}
      nouns={["topic list", "topic lists"]}
      empty={{
        says: "There are no topic lists yet.",
        next: "Run: footfall topic-lists create <name> <topics...>",
      }}
      screenColumns={screenColumns}
    />
  )
}

const topicListColumns = (now: Date): ReadonlyArray<Column<TopicList>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
  { title: "Topics", cell: ({ topicIds }) => `${topicIds.length}`, align: "right" },
  {
    title: "Changed",
    cell: ({ updatedAt }) => timeAgo(updatedAt, now),
    align: "right",
    dropRank: 1,
  },
]

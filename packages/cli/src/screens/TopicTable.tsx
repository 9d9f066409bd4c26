// Topics on a terminal: of the list with its count, or those that a search found.

import type { Topic } from "@footfall/sdk"
import type { ReactNode } from "react"
import type { Empty } from "./EmptyState.tsx"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"

/** Topics, and how many there are. */
export interface TopicTableProps {
  readonly topics: ReadonlyArray<Topic>
  readonly meta: ListScreenMeta
  readonly empty: Empty
  readonly screenColumns: number
}

/** The id is what other commands are asked with, and is never cut. */
export const TopicTable = (props: TopicTableProps): ReactNode => {
  const { topics, meta, empty, screenColumns } = props
  return (
    <ListScreen
      columns={topicColumns(screenColumns)}
      rows={topics}
      meta={meta}
      nouns={["topic", "topics"]}
      empty={empty}
      screenColumns={screenColumns}
    />
  )
}

/** The name gives way last. */
export const topicColumns = (screenColumns: number): ReadonlyArray<Column<Topic>> => [
  { title: "Id", cell: ({ topicId }) => `${topicId}`, align: "right" },
  {
    title: "Topic",
    cell: ({ topicName }) => topicName,
    widthMin: 16,
    widthKept: Math.max(16, Math.floor(screenColumns * 0.5)),
  },
  { title: "Type", cell: ({ type }) => type, color: "cyan", dropRank: 2 },
  { title: "Industry", cell: ({ industry }) => industry, widthMin: 10, widthKept: 14, dropRank: 1 },
  { title: "Category", cell: ({ category }) => category, widthMin: 10, widthKept: 14, dropRank: 3 },
]

// One topic list on a terminal.

import type { TopicList } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted } from "../ui/text.ts"

/** A list, and the known names of its topics. */
interface TopicListViewProps {
  readonly topicList: TopicList
  readonly names: ReadonlyMap<number, string>
  readonly screenColumns: number
}

/** Topics are in their saved order. */
export const TopicListView = (props: TopicListViewProps): ReactNode => {
  const { topicList, names, screenColumns } = props
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{plainText(topicList.name)}</Text>
        <Text dimColor>{` · ${counted(topicList.topicIds.length, "topic")}`}</Text>
      </Text>
      <Table
        columns={topicColumns(names)}
        rows={topicList.topicIds}
        screenColumns={screenColumns}
      />
      <Facts facts={[["Id", topicList.id]]} />
    </Box>
  )
}

const topicColumns = (names: ReadonlyMap<number, string>): ReadonlyArray<Column<number>> => [
  { title: "Id", cell: (topicId) => `${topicId}`, align: "right" },
  { title: "Topic", cell: (topicId) => names.get(topicId) ?? "", widthMin: 16 },
]

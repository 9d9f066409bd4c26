// A page of any list by offset: a table, how many rows there are, and how to see more; where there
// are none, what to do.

import type { ListMeta } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { counted, countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"

/** What is particular to a list. */
export interface ListScreenProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly meta: Pick<ListMeta, "total" | "hasMore">
  /** What one row and what several rows are called. */
  readonly nouns: readonly [one: string, several: string]
  /** What an empty list says, the next step included. */
  readonly empty: string
  readonly screenColumns: number
  readonly isDim?: (row: Row) => boolean
}

/** Without colour it says the same. */
export const ListScreen = <Row,>(props: ListScreenProps<Row>): ReactNode => {
  const { columns, rows, meta, nouns, empty, screenColumns, isDim } = props
  if (rows.length === 0) return <Text>{empty}</Text>
  const total = counted(meta.total, ...nouns)
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={columns}
        rows={rows}
        screenColumns={screenColumns}
        {...(isDim === undefined ? {} : { isDim })}
      />
      <Text dimColor>
        {rows.length < meta.total ? `${countText(rows.length)} of ${total}` : total}
        {meta.hasMore ? " · more: --limit, or --all" : ""}
      </Text>
    </Box>
  )
}

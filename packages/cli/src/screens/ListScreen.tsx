// A page of any list by offset: a table, how many rows there are, and how to see more; where there
// are none, what to do.

import type { ListMeta } from "@footfall/sdk"
import { Box } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./Prose.tsx"
import { EmptyState, type Empty } from "./EmptyState.tsx"
import { counted, countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"

/** How many rows there are in all, and whether some are not shown. */
export type ListScreenMeta = Pick<ListMeta, "total" | "hasMore">

/** What is particular to a list. */
export interface ListScreenProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly meta: ListScreenMeta
  /** What one row and what several rows are called. */
  readonly nouns: readonly [one: string, several: string]
  readonly empty: Empty
  readonly screenColumns: number
  readonly isDim?: (row: Row) => boolean
}

/** Without colour it says the same. */
export const ListScreen = <Row,>(props: ListScreenProps<Row>): ReactNode => {
  const { columns, rows, meta, nouns, empty, screenColumns, isDim } = props
  if (rows.length === 0) return <EmptyState {...empty} />
  const total = counted(meta.total, ...nouns)
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={columns}
        rows={rows}
        screenColumns={screenColumns}
        {...(isDim === undefined ? {} : { isDim })}
      />
      <Prose dimColor>
        {(rows.length < meta.total ? `${countText(rows.length)} of ${total}` : total) +
          (meta.hasMore ? " · more: --limit, or --all" : "")}
      </Prose>
    </Box>
  )
}

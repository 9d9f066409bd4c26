// A page of a list: a table, how many rows there are, and how to see more; for an empty list, what to do.

import type { ListMeta } from "@footfall/sdk"
import { Box } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./prose.tsx"
import { type Column, Table } from "./table.tsx"
import { counted, countText } from "./text.ts"

/** How many rows there are in all, and whether some are not shown. */
export type ListScreenMeta = Pick<ListMeta, "total" | "hasMore">

/** A list as a table. */
export interface ListTable<Row> {
  /** What one row and what several rows are called. */
  readonly nouns: readonly [one: string, several: string]
  readonly empty: Empty
  readonly columns: (screen: Screen) => ReadonlyArray<Column<Row>>
  /** Rows to draw dim; the reason must also be in a cell. */
  readonly isDim?: (row: Row, screen: Screen) => boolean
}

/** What the cells depend on. */
interface Screen {
  readonly now: Date
  readonly screenColumns: number
}

interface ListScreenProps<Row> extends Screen {
  readonly table: ListTable<Row>
  readonly rows: ReadonlyArray<Row>
  readonly meta: ListScreenMeta
}

/** Says the same without colour. */
export const ListScreen = <Row,>(props: ListScreenProps<Row>): ReactNode => {
  const { table, rows, meta, screenColumns } = props
  const { columns, empty, isDim = () => false, nouns } = table
  if (rows.length === 0) return <EmptyState {...empty} />
  const total = counted(meta.total, ...nouns)
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={columns(props)}
        rows={rows}
        screenColumns={screenColumns}
        isDim={(row) => isDim(row, props)}
      />
      <Prose dimColor>
        {(rows.length < meta.total ? `${countText(rows.length)} of ${total}` : total) +
          (meta.hasMore ? " · more: --limit, or --all" : "")}
      </Prose>
    </Box>
  )
}

/** What is said of an empty list. */
export interface Empty {
  readonly says: string
  /** The next step, for example `Run: footfall keys create <name>`; none where none helps. */
  readonly next?: string
}

/** Errors have the same form. */
export const EmptyState = ({ says, next }: Empty): ReactNode => (
  <Box flexDirection="column">
    <Prose>{says}</Prose>
    {next === undefined ? null : <Prose dimColor>{next}</Prose>}
  </Box>
)

// A page of a list: a table, the number of rows, and how to see more. An empty list shows what to do.

import type { ListMeta } from "@footfall/sdk"
import { Box } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./prose.tsx"
import { type Column, Table } from "./table.tsx"
import { counted, countText } from "./text.ts"

/** The total number of rows, and whether there are more. */
export type ListScreenMeta = Pick<ListMeta, "hasMore"> & {
  /** Null if counting took too long; absent if the list is not counted. */
  readonly total?: number | null
}

/** A list as a table. */
export interface ListTable<Row> {
  /** The singular and plural name of a row. */
  readonly nouns: readonly [one: string, several: string]
  readonly empty: Empty
  readonly columns: (screen: Screen) => ReadonlyArray<Column<Row>>
  /** Rows to draw dim. A cell must also state the reason. */
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

/** Says the same without color. */
export const ListScreen = <Row,>(props: ListScreenProps<Row>): ReactNode => {
  const { table, rows, meta, screenColumns } = props
  const { columns, empty, isDim = () => false, nouns } = table
  if (rows.length === 0) return <EmptyState {...empty} />
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={columns(props)}
        rows={rows}
        screenColumns={screenColumns}
        isDim={(row) => isDim(row, props)}
      />
      <Prose dimColor>
        {shownOf(rows.length, meta, nouns) + (meta.hasMore ? " · more: --limit, or --all" : "")}
      </Prose>
    </Box>
  )
}

/** `3 companies`, `50 of 120 companies`, or `The first 50 companies` if the total is unknown. */
export const shownOf = (
  shown: number,
  { hasMore, total = null }: ListScreenMeta,
  nouns: ListTable<never>["nouns"],
): string => {
  const all = counted(total ?? shown, ...nouns)
  if (total === null) return hasMore ? `The first ${all}` : all
  return shown < total ? `${countText(shown)} of ${all}` : all
}

/** The text for an empty list. */
export interface Empty {
  readonly message: string
  /** The next step, for example `Run: footfall keys create <name>`; undefined if nothing helps. */
  readonly next?: string
}

/** Has the same form as an error. */
export const EmptyState = ({ message, next }: Empty): ReactNode => (
  <Box flexDirection="column">
    <Prose>{message}</Prose>
    {next === undefined ? null : <Prose dimColor>{next}</Prose>}
  </Box>
)

// A table that fits the screen. Columns are as wide as their longest cell; where that is too much,
// those that may shrink give way and their cells end in an ellipsis. No frame: rows can be copied.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"

/** A column of a table of `Row`s. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: "left" | "right"
  /** Share of the missing width this column gives up; 0 (the default) keeps it whole. */
  readonly shrink?: number
  /** The column is left out on screens narrower than this many columns. */
  readonly screenColumnsMin?: number
}

/** What a table shows. */
export interface TableProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly screenColumns: number
  /** Rows that count less are drawn dim; what makes them so must also stand in a cell. */
  readonly isDim?: (row: Row) => boolean
}

/** Below this width an ellipsis says more than the text. */
const SHRUNK_COLUMN_WIDTH_MIN = 8

/** One line a row, whatever the cells hold. */
export const Table = <Row,>(props: TableProps<Row>): ReactNode => {
  const { columns, rows, screenColumns, isDim = () => false } = props
  const isShown = ({ screenColumnsMin = 0 }: Column<Row>): boolean =>
    screenColumns >= screenColumnsMin
  return (
    <Box columnGap={2} width={screenColumns}>
      {columns.filter(isShown).map((column) => (
        <Box
          key={column.title}
          flexDirection="column"
          flexShrink={column.shrink ?? 0}
          minWidth={column.shrink === undefined ? column.title.length : SHRUNK_COLUMN_WIDTH_MIN}
          alignItems={column.align === "right" ? "flex-end" : "flex-start"}
        >
          <Text bold wrap="truncate">
            {column.title}
          </Text>
          {rows.map((row, index) => (
            // Rows never move: the table is drawn once.
            <Text key={index} dimColor={isDim(row)} wrap="truncate">
              {plainText(column.cell(row)) || " "}
            </Text>
          ))}
        </Box>
      ))}
    </Box>
  )
}

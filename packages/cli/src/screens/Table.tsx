// A table that fits the screen. Columns are as wide as their longest cell; where that is too much,
// the widest give way and their cells end in an ellipsis. No frame, so that rows can be copied.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { columnWidths, textWidth } from "./column-widths.ts"

/** A column of a table of `Row`s. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: "left" | "right"
  readonly color?: string
  /** Narrowest the column may become; without it the column is never cut. */
  readonly widthMin?: number
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

/** Space between two columns. */
const GAP = 2

/** One line a row, whatever the cells hold. */
export const Table = <Row,>(props: TableProps<Row>): ReactNode => {
  const { rows, screenColumns, isDim = () => false } = props
  const columns = props.columns
    .filter(({ screenColumnsMin = 0 }) => screenColumns >= screenColumnsMin)
    .map((column) => ({ ...column, texts: rows.map((row) => plainText(column.cell(row))) }))
  const widths = columnWidths(columns.map(demand), screenColumns - GAP * (columns.length - 1))
  const isRowDim = rows.map(isDim)
  return (
    <Box columnGap={GAP}>
      {columns.map((column, index) => (
        <ColumnView
          key={column.title}
          column={column}
          width={widths[index] ?? 0}
          isRowDim={isRowDim}
        />
      ))}
    </Box>
  )
}

interface FilledColumn {
  readonly title: string
  readonly texts: ReadonlyArray<string>
  readonly align?: "left" | "right"
  readonly color?: string
  readonly widthMin?: number
}

const demand = ({ title, texts, widthMin = Infinity }: FilledColumn) => ({
  width: Math.max(...[title, ...texts].map(textWidth)),
  widthMin: Math.max(widthMin, title.length),
})

const ColumnView = (props: {
  readonly column: FilledColumn
  readonly width: number
  readonly isRowDim: ReadonlyArray<boolean>
}): ReactNode => {
  const { column, width, isRowDim } = props
  const alignItems = column.align === "right" ? "flex-end" : "flex-start"
  return (
    <Box flexDirection="column" flexShrink={0} width={width} alignItems={alignItems}>
      <Text bold wrap="truncate">
        {column.title}
      </Text>
      <Text dimColor>{"─".repeat(width)}</Text>
      {column.texts.map((text, index) => (
        // An empty Text would take no line.
        <Text
          // oxlint-disable-next-line react/no-array-index-key -- rows never move
          key={index}
          wrap="truncate"
          dimColor={isRowDim[index] ?? false}
          {...(column.color === undefined ? {} : { color: column.color })}
        >
          {text === "" ? " " : text}
        </Text>
      ))}
    </Box>
  )
}
